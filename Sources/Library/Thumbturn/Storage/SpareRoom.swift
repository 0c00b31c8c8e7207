import ThumbturnBase
import ThumbturnFiles
import ThumbturnRules
import ThumbturnSQLite

/// Disk space that a vault reserves for what must work on a full disk: a file of zeros, removed when the disk is full.
///
/// A wallet is added only while the file exists, so that a disk which the vault filled by itself still has room for the
/// PIN, for deleting, for a new way in and for a reset. Losing the file loses no data.
enum SpareRoom {
    /// The file in the vault's folder.
    static let fileName = "room"

    /// Returns the file's length beside a database of `bytes` bytes.
    ///
    /// As measured: a reset overwrites every page of the file, which writes each into the log once, and 3 more. A
    /// recovery writes 14 pages to the log, 8 more are reserved for an attempt, and the device creates 3 files of a
    /// page; deleting a wallet writes its pages and 7 more.
    static func byteCount(besideFileOf bytes: Int) -> Int {
        let pages = bytes / Int(Database.pageByteCount) + 1
        return (pages + 32) * WriteAheadLog.frameByteCount
    }

    /// Extends the file to the required length, without flushing it.
    ///
    /// - Throws: `.diskFull` when there is not enough space; the file is then removed.
    static func keep(_ byteCount: Int, in folder: String) throws(VaultError) {
        do throws(FileError) {
            let file = try Descriptor(opening: folder + "/" + fileName, for: .making, Demands(.file, hasOneName: true))
            var length = file.byteCount
            let zeros = [UInt8](repeating: 0, count: 1 << 16)
            while length < byteCount {
                let count = min(zeros.count, byteCount - length)
                try file.write(Array(zeros.prefix(count)), at: length)
                length += count
            }
        } catch {
            remove(in: folder)
            throw VaultError("room", error)
        }
    }

    /// Removes the file if the disk has less space left than the file takes.
    ///
    /// - Returns: whether it was removed.
    @discardableResult
    static func release(in folder: String) -> Bool {
        guard let kept = try? FileStatus(of: folder + "/" + fileName).byteCount,
            let left = DiskSpace.available(in: folder), left < kept
        else { return false }
        remove(in: folder)
        return true
    }

    /// Removes the file.
    static func remove(in folder: String) { PlainFile.remove(folder + "/" + fileName) }
}
