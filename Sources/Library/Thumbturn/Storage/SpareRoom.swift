import ThumbturnBase
import ThumbturnFiles
import ThumbturnRules
import ThumbturnSQLite

/// Room on the disk that a vault keeps for what must work where the disk is full: a file of zeros, which goes when it is.
///
/// A wallet comes in only while it is there, so that a disk which the vault filled by itself has room for the PIN, for deleting,
/// for a new way in and for a reset. Nothing that is lost with it counts.
enum SpareRoom {
    /// The file in the vault's folder.
    static let fileName = "room"

    /// How long it is beside a database of so many bytes.
    ///
    /// As measured: a reset overwrites every page of the file, which writes each into the log once, and 3 more. A recovery writes
    /// 14 pages there, 8 more are reserved for an attempt, and the device makes 3 files of a page; deleting a wallet writes its
    /// pages and 7 more.
    static func byteCount(besideFileOf bytes: Int) -> Int {
        let pages = bytes / Int(Database.pageByteCount) + 1
        return (pages + 32) * WriteAheadLog.frameByteCount
    }

    /// Makes it as long as it has to be; not through to the disk.
    ///
    /// - Throws: `.diskFull` where there is not so much; what there is is left free then.
    static func keep(_ byteCount: Int, in folder: String) throws(VaultError) {
        do throws(FileError) {
            let file = try Descriptor(
                opening: folder + "/" + fileName,
                for: .making,
                Demands(.file, hasOneName: true)
            )
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

    /// Gives it to the disk where that has less left than what is kept.
    ///
    /// - Returns: whether it did.
    @discardableResult
    static func release(in folder: String) -> Bool {
        guard let kept = try? FileStatus(of: folder + "/" + fileName).byteCount,
            let left = DiskSpace.available(in: folder), left < kept
        else { return false }
        remove(in: folder)
        return true
    }

    /// Removes it where nothing is left to be kept for.
    static func remove(in folder: String) { FileCopy.remove(folder + "/" + fileName) }
}
