public import ThumbturnCrypto
public import ThumbturnDevice
import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A former app's wallet in a file: what is sealed under a PIN, and nothing behind biometrics.
///
/// The file is opened once, so that what is erased is what was read. It is erased by zeros in its place and then taken
/// away. What a file system copies on writing, a drive keeps in reserve or a backup holds is out of reach of that.
public actor LegacyFile: LegacyWallet {
    private let path: String
    /// -1 where there was no file.
    private let descriptor: Int32

    /// Opens a file.
    ///
    /// One that isn't there is an absent wallet and no error.
    ///
    /// - Throws: `.vaultUnsafe` for a link, a file with a second name, another owner's, one that others may write, or what is no
    ///   plain file; `.storageUnavailable` when it can't be read.
    public init(_ path: String) throws(VaultError) {
        self.path = path
        descriptor = try Self.openChecked(path)
    }

    deinit {
        if descriptor >= 0 { _ = close(descriptor) }
    }

    /// Whoever can name the file can guess at a copy of it.
    public nonisolated var countsGuesses: Bool { false }

    /// Whether there was no file.
    public nonisolated var isAbsent: Bool { descriptor < 0 }

    /// Reads the file.
    ///
    /// More than a wallet can be is cut off, which no format allows.
    public func readSealed() throws(DeviceRefusal) -> SecretBytes? {
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .unavailable }
        // Its last name was taken away, by this object or by somebody else.
        guard status.st_nlink > 0 else { return nil }
        return try readBytes()
    }

    /// There is nothing.
    public func findBiometric() -> LegacyBiometric? { nil }

    /// There is nothing.
    public func readBiometric(_ prompt: PromptText) throws(DeviceRefusal) -> SecretBytes { throw .absent }

    /// Overwrites the file and takes its name away, each durably before the next.
    ///
    /// Cut off in between, it leaves a file that begins with zeros, which no wallet does, and which is erased the next time.
    public func eraseSealed(digest: [UInt8]) throws(DeviceRefusal) {
        guard let bytes = try readSealed() else { return }
        guard bytes.isBlank || bytes.withBytes({ SHA256.digest($0) }) == digest else { throw .unclassified }
        // Another name that it was given since then is somebody's wish to keep it.
        guard try hasOneName() else { throw .unclassified }
        // The first sector holds what the rest is of no use without.
        let start = min(bytes.byteCount, SecretBytes.sector)
        guard zero(0..<start), zero(start..<bytes.byteCount) else { throw .unavailable }
        // Whoever could exchange the file between these two calls may write the folder, and delete there without our help.
        guard try isOurs() else { throw .unclassified }
        guard unsafe unlink(path) == 0 else { throw .unavailable }
        do { try FileCopy.synchronizeFolder(of: path) } catch { throw .unavailable }
    }

    /// There is nothing.
    public func eraseBiometric() {}

    private static func openChecked(_ path: String) throws(VaultError) -> Int32 {
        var named = stat()
        // To open a device may be to work it; what comes in its place meanwhile is refused below.
        if unsafe lstat(path, &named) == 0, named.st_mode & S_IFMT != S_IFREG {
            throw VaultError(.vaultUnsafe, "the former file is no plain file")
        }
        let flags = O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        var descriptor = unsafe open(path, O_RDWR | flags)
        // It can be taken over all the same; that it can't be erased shows then.
        if descriptor < 0, errno == EACCES || errno == EROFS { descriptor = unsafe open(path, O_RDONLY | flags) }
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return -1
            case ELOOP, EISDIR: throw VaultError(.vaultUnsafe, "the former file is no plain file")
            default: throw VaultError(.storageUnavailable, "the former file: errno \(errno)")
            }
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
            status.st_uid == geteuid(), status.st_mode & 0o022 == 0
        else {
            _ = close(descriptor)
            throw VaultError(.vaultUnsafe, "the former file has another owner, a second name, or others may write it")
        }
        return descriptor
    }

    private func readBytes() throws(DeviceRefusal) -> SecretBytes {
        var total = 0
        let most = LegacySealed.mostBytes + 1
        let buffer = try unsafe SecretBytes(byteCount: most) { buffer throws(DeviceRefusal) in
            while total < most {
                let start = unsafe buffer.baseAddress.map { unsafe $0 + total }
                let count = unsafe pread(descriptor, start, most - total, off_t(total))
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw .unavailable }
                if count == 0 { break }
                total += count
            }
        }
        return buffer.prefix(total)
    }

    /// Writes zeros and waits for the disk.
    private func zero(_ range: Range<Int>) -> Bool {
        let zeros = [UInt8](repeating: 0, count: range.count)
        var written = 0
        while written < zeros.count {
            let count = unsafe zeros.withUnsafeBytes { buffer in
                unsafe pwrite(
                    descriptor,
                    buffer.baseAddress.map { unsafe $0 + written },
                    zeros.count - written,
                    off_t(range.lowerBound + written)
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return fsync(descriptor) == 0
    }

    private func hasOneName() throws(DeviceRefusal) -> Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .unavailable }
        return status.st_nlink == 1
    }

    /// Whether the path still names the file that was opened.
    private func isOurs() throws(DeviceRefusal) -> Bool {
        var opened = stat()
        var named = stat()
        guard unsafe fstat(descriptor, &opened) == 0, unsafe lstat(path, &named) == 0 else { throw .unavailable }
        return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
    }
}

extension SecretBytes {
    /// What a drive writes at once.
    fileprivate static let sector = 512

    /// Whether nothing but what an erase writes stands where a wallet begins.
    var isBlank: Bool {
        byteCount > 0
            && withBytes { bytes in (0..<min(bytes.byteCount, Self.sector)).allSatisfy { bytes.byte(at: $0) == 0 } }
    }
}
