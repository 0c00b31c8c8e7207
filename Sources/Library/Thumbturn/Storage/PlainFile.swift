import ThumbturnBase
import ThumbturnFiles
import ThumbturnRules

/// A file that may lie anywhere, open for reading.
final class PlainFile {
    private let file: Descriptor
    private let status: FileStatus

    var byteCount: Int { file.byteCount }

    /// - Throws: `.vaultMissing`, `.vaultUnsafe` when it is no plain file, `.backupTooLarge`, `.storageUnavailable`.
    init(_ path: String) throws(VaultError) {
        do throws(FileError) {
            file = try Descriptor(opening: path, .plainFile)
            status = try file.status()
        } catch {
            throw error == .absent ? VaultError(.vaultMissing) : VaultError("open", error)
        }
        guard file.byteCount <= FileCopy.mostBytes else { throw VaultError(.backupTooLarge) }
    }

    /// Some of its bytes; fewer where it ends before.
    func read(at offset: Int, count: Int) throws(VaultError) -> [UInt8] {
        do { return try file.bytes(at: offset, count: count) } catch { throw VaultError("read", error) }
    }

    /// Whether it is as it was when it was opened, as far as the system tells.
    var isUnchanged: Bool {
        get throws(VaultError) {
            do { return try file.status().isUnchanged(since: status) } catch { throw VaultError("fstat", error) }
        }
    }

    /// Whether another one is of the same file, and that was as it is, as far as the system tells.
    func hasStatus(of other: PlainFile) -> Bool {
        status.isSameFile(as: other.status) && status.isUnchanged(since: other.status)
    }
}
