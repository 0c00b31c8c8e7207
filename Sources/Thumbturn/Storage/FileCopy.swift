import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Copies whole files that may lie anywhere, as backups do.
enum FileCopy {
    /// The most bytes of a file that is copied: four thousand wallets of the largest size.
    ///
    /// What somebody names as a backup must not fill the disk that the vault needs.
    static let mostBytes = 1 << 32

    /// Copies `source` to a new file `target` of mode 0600, durably, and compares what was written.
    ///
    /// - Throws: as `check`, `.fileExists`, `.diskFull`, `.storageUnavailable`. What was begun is removed.
    static func copy(_ source: String, to target: String) throws(VaultError) {
        let input = try openSource(source)
        defer { _ = close(input) }
        let output = unsafe open(target, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw creationFailure() }
        defer { _ = close(output) }
        do throws(VaultError) {
            try transfer(from: input, to: output)
            guard fsync(output) == 0 else { throw failure("fsync") }
            try compare(input, output)
            try synchronizeFolder(of: target)
        } catch {
            remove(target)
            throw error
        }
    }

    /// Refuses what can't be copied, before anything is made for it.
    ///
    /// - Throws: `.vaultMissing` when there is no such file, `.vaultUnsafe` when it is no plain one, `.backupTooLarge`.
    static func check(_ source: String) throws(VaultError) { _ = close(try openSource(source)) }

    /// Opens a file that may lie anywhere, for reading.
    ///
    /// - Throws: as `check`.
    static func openSource(_ source: String) throws(VaultError) -> Int32 {
        let input = unsafe open(source, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard input >= 0 else { throw failure("open") }
        var status = stat()
        let isFile = unsafe fstat(input, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        guard isFile, status.st_size <= mostBytes else {
            _ = close(input)
            throw isFile ? VaultError(.backupTooLarge) : VaultError(.vaultUnsafe, fault: .noFile)
        }
        return input
    }

    /// Whether a file at `path` would lie in `folder` itself, links resolved.
    static func lies(_ path: String, in folder: String) -> Bool {
        let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        guard let left = unsafe realpath(parent.isEmpty ? "/" : parent, nil) else { return false }
        defer { unsafe free(left) }
        guard let right = unsafe realpath(folder, nil) else { return false }
        defer { unsafe free(right) }
        return unsafe String(cString: left) == String(cString: right)
    }

    /// Removes a file; one that isn't there is removed already.
    static func remove(_ path: String) { _ = unsafe unlink(path) }

    private static let chunk = 1 << 16

    private static func transfer(from input: Int32, to output: Int32) throws(VaultError) {
        var total = 0
        while true {
            let bytes = try readChunk(input)
            if bytes.isEmpty { return }
            total += bytes.count
            guard total <= mostBytes else { throw VaultError(.backupTooLarge) }  // It grew meanwhile.
            var written = 0
            while written < bytes.count {
                let count = unsafe bytes.withUnsafeBytes { buffer in
                    unsafe write(output, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
                }
                guard count > 0 else { throw failure("write") }
                written += count
            }
        }
    }

    private static func compare(_ left: Int32, _ right: Int32) throws(VaultError) {
        guard lseek(left, 0, SEEK_SET) == 0, lseek(right, 0, SEEK_SET) == 0 else { throw failure("seek") }
        while true {
            let bytes = try readChunk(left)
            guard try readChunk(right) == bytes else { throw VaultError(.storageUnavailable, "a copy differs") }
            if bytes.isEmpty { return }
        }
    }

    private static func readChunk(_ file: Int32) throws(VaultError) -> [UInt8] {
        var total = 0
        var failed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: chunk) { buffer, count in
            while total < chunk {
                let step = unsafe read(file, buffer.baseAddress.map { unsafe $0 + total }, chunk - total)
                if step < 0 { failed = true }
                if step <= 0 { break }
                total += step
            }
            count = total
        }
        if failed { throw failure("read") }
        return bytes
    }

    /// Makes the list of files beside `path` survive power loss.
    static func synchronizeFolder(of path: String) throws(VaultError) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let descriptor = unsafe open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("folder") }
        defer { _ = close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("fsync folder") }
    }

    private static func creationFailure() -> VaultError {
        switch errno {
        case EEXIST: VaultError(.fileExists)
        case ENOENT, ENOTDIR: VaultError(.storageUnavailable, "there is no such folder")
        default: failure("create")
        }
    }

    private static func failure(_ call: String) -> VaultError {
        switch errno {
        case ENOENT: VaultError(.vaultMissing)
        case ENOSPC, EDQUOT: VaultError(.diskFull)
        case ELOOP: VaultError(.vaultUnsafe, fault: .linkedFile)
        default: VaultError(call, errno: errno)
        }
    }
}
