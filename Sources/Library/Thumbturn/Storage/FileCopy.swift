import ThumbturnBase
import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnRules

#if canImport(Glibc)
import Glibc
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// Copies whole files from and to any folder, as backups need.
enum FileCopy {
    /// Copies `source` to a new file `target` of mode 0600, durably, and compares what was written.
    ///
    /// - Throws: as `check`, `.fileExists`, `.diskFull`, `.storageUnavailable`. A partial copy is removed.
    static func copy(_ source: String, to target: String) throws(VaultError) {
        try copy(PlainFile(source).read, to: target, .fileAndName)
    }

    /// Copies a database, including the log's pages; a power loss may lose the copy.
    static func copy(_ source: DatabaseImage, toScratch target: String) throws(VaultError) {
        try copy(source.read, to: target, .nothing)
    }

    /// What of a copy survives a power loss.
    private enum Durability {
        case fileAndName, file, nothing
    }

    private static func copy(
        _ read: PlainFile.Reading,
        to target: String,
        _ durability: Durability
    ) throws(VaultError) {
        let output: Descriptor
        do throws(FileError) { output = try Descriptor(making: target) } catch {
            switch error {
            case .taken: throw VaultError(.fileExists)
            case .absent, .system(ENOTDIR): throw VaultError(.storageUnavailable, "there is no such folder")
            default: throw VaultError("create", error)
            }
        }
        do throws(VaultError) {
            try transfer(read, to: output, flushing: durability != .nothing)
            if durability == .fileAndName { try synchronizeFolder(of: target) }
        } catch {
            PlainFile.remove(target)
            throw error
        }
    }

    /// Copies `source` over `target`, which is replaced only once the new file is complete.
    static func copy(_ source: String, inPlaceOf target: String) throws(VaultError) {
        // Use a unique name: a file of another name is not ours to remove. A crash leaves the draft behind.
        let number = String(decoding: TextCode.hexadecimal.encode(RandomBytes.make(8)), as: UTF8.self)
        let draft = OpenFolder.parent(of: target) + "/thumbturn-\(number).partial"
        try copy(PlainFile(source).read, to: draft, .file)
        guard unsafe rename(draft, target) == 0 else {
            let reason = errno
            PlainFile.remove(draft)
            throw VaultError("rename", errno: reason)
        }
        try synchronizeFolder(of: target)
    }

    /// Passes a file's bytes on in order, in chunks.
    static func send(_ source: String, to take: ([UInt8]) throws(VaultError) -> Void) throws(VaultError) {
        let input = try PlainFile(source)
        var total = 0
        while true {
            let bytes = try input.read(at: total, count: chunk)
            if bytes.isEmpty { return }
            try take(bytes)
            total += bytes.count
        }
    }

    /// Refuses a file that can't be copied, before creating anything for it.
    ///
    /// - Throws: `.vaultMissing` when there is no such file, `.vaultUnsafe` when it is no plain one, `.backupTooLarge`.
    static func check(_ source: String) throws(VaultError) { _ = try PlainFile(source) }

    /// Returns whether a file at `path` would be directly in `folder`, links resolved.
    static func lies(_ path: String, in folder: String) -> Bool {
        guard let left = unsafe realpath(OpenFolder.parent(of: path), nil) else { return false }
        defer { unsafe free(left) }
        guard let right = unsafe realpath(folder, nil) else { return false }
        defer { unsafe free(right) }
        return unsafe String(cString: left) == String(cString: right)
    }

    private static let chunk = 1 << 16

    private static func transfer(
        _ read: PlainFile.Reading,
        to output: borrowing Descriptor,
        flushing: Bool
    ) throws(VaultError) {
        var total = 0
        while true {
            let bytes = try read(total, chunk)
            if bytes.isEmpty { break }
            // The source may have grown.
            guard total + bytes.count <= PlainFile.mostBytes else { throw VaultError(.backupTooLarge) }
            do { try output.write(bytes, at: total) } catch { throw VaultError("write", error) }
            total += bytes.count
        }
        if flushing { do { try output.synchronize() } catch { throw VaultError("fsync", error) } }
        for offset in stride(from: 0, through: total, by: chunk) {
            let copied: [UInt8]
            do { copied = try output.bytes(at: offset, count: chunk) } catch { throw VaultError("read back", error) }
            guard try read(offset, chunk) == copied else {
                throw VaultError(.storageUnavailable, "a copy differs")
            }
        }
    }

    /// Makes the directory entry of `path` survive a power loss.
    static func synchronizeFolder(of path: String) throws(VaultError) {
        do { try OpenFolder.synchronize(OpenFolder.parent(of: path)) } catch { throw VaultError("folder", error) }
    }
}
