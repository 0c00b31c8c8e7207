import ThumbturnBase
import ThumbturnFiles
import ThumbturnRules

#if canImport(Glibc)
import Glibc
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// A regular file in any folder, open for reading.
final class PlainFile {
    /// Returns the bytes from an offset, fewer at the end of the file.
    typealias Reading = (_ offset: Int, _ count: Int) throws(VaultError) -> [UInt8]

    /// The largest file that is copied: four thousand wallets of maximum size.
    ///
    /// A file named as a backup must not fill the disk that the vault needs.
    static let mostBytes = 1 << 32

    private let file: Descriptor
    private let status: FileStatus

    var byteCount: Int { file.byteCount }

    /// Opens the file at a path.
    ///
    /// - Throws: `.vaultMissing`, `.vaultUnsafe` when it is no plain file, `.backupTooLarge`, `.storageUnavailable`.
    init(_ path: String) throws(VaultError) {
        do throws(FileError) {
            file = try Descriptor(opening: path, .plainFile)
            status = try file.status()
        } catch {
            throw error == .absent ? VaultError(.vaultMissing) : VaultError("open", error)
        }
        guard file.byteCount <= Self.mostBytes else { throw VaultError(.backupTooLarge) }
    }

    /// Removes a file, if it exists.
    static func remove(_ path: String) { _ = unsafe unlink(path) }

    /// Returns bytes of the file; fewer at its end.
    func read(at offset: Int, count: Int) throws(VaultError) -> [UInt8] {
        do { return try file.bytes(at: offset, count: count) } catch { throw VaultError("read", error) }
    }

    /// Whether the file is unchanged since it was opened, as far as the system tells.
    var isUnchanged: Bool {
        get throws(VaultError) {
            do { return try file.status().isUnchanged(since: status) } catch { throw VaultError("fstat", error) }
        }
    }

    /// Returns whether another object opened the same file in the same state, as far as the system tells.
    func hasStatus(of other: PlainFile) -> Bool {
        status.isSameFile(as: other.status) && status.isUnchanged(since: other.status)
    }
}
