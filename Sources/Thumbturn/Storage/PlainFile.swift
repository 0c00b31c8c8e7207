import ThumbturnBase
import ThumbturnFiles
import ThumbturnRules

/// A file that may lie anywhere, open for reading.
final class PlainFile {
    private let file: Descriptor

    var byteCount: Int { file.byteCount }

    /// - Throws: `.vaultMissing`, `.vaultUnsafe` when it is no plain file, `.backupTooLarge`, `.storageUnavailable`.
    init(_ path: String) throws(VaultError) {
        do throws(FileError) { file = try Descriptor(opening: path, .plainFile) } catch {
            throw error == .absent ? VaultError(.vaultMissing) : VaultError("open", error)
        }
        guard file.byteCount <= FileCopy.mostBytes else { throw VaultError(.backupTooLarge) }
    }

    /// Some of its bytes; fewer where it ends before.
    func read(at offset: Int, count: Int) throws(VaultError) -> [UInt8] {
        do { return try file.bytes(at: offset, count: count) } catch { throw VaultError("read", error) }
    }
}
