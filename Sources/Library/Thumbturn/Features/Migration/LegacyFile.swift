package import ThumbturnCrypto
package import ThumbturnDevice
import ThumbturnFiles
package import ThumbturnRules

#if canImport(Glibc)
import Glibc
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// A former app's wallet in a file: data sealed under a PIN, and nothing behind biometrics.
///
/// The file is opened once, so that what is erased is what was read. Erasing overwrites it with zeros and unlinks it;
/// that can't reach copies that the file system makes on write, a drive's reserve blocks, or backups.
package actor LegacyFile: LegacyWallet {
    private let path: String
    /// Nil if the file did not exist.
    private let file: Descriptor?

    /// Opens a file.
    ///
    /// A missing file is an absent wallet, not an error.
    ///
    /// - Throws: `.vaultUnsafe` for a symbolic link, a file with a second hard link, of another owner, writable by
    ///   others, or not a plain file; `.storageUnavailable` when it can't be read.
    package init(_ path: String) throws(VaultError) {
        self.path = path
        do throws(FileError) { file = try Self.open(path) } catch {
            switch error {
            case .absent: file = nil
            case .refused(let flaw): throw VaultError(.vaultUnsafe, "the former file: \(flaw)")
            default: throw VaultError(.storageUnavailable, "the former file: \(error)")
            }
        }
    }

    /// An attacker who can read the file can guess at a copy of it, so counting guesses here is useless.
    package nonisolated var countsGuesses: Bool { false }

    /// Whether the file did not exist.
    package nonisolated var isAbsent: Bool {
        switch file {
        case .none: true
        case .some: false
        }
    }

    /// Reads the file.
    ///
    /// Cuts off what is longer than a wallet can be, which no format accepts.
    package func readSealed() throws(DeviceRefusal) -> SecretBytes? {
        switch file {
        case .none: nil
        case .some(let file): try Self.read(file)
        }
    }

    /// Returns nil: a file has nothing behind biometrics.
    package func findBiometric() -> LegacyBiometric? { nil }

    /// Throws `.absent`: a file has nothing behind biometrics.
    package func readBiometric(_ prompt: PromptText) throws(DeviceRefusal) -> SecretBytes { throw .absent }

    /// Overwrites the file and unlinks it, each durably before the next step.
    ///
    /// If interrupted, the file starts with zeros, which no wallet does, and is erased the next time.
    package func eraseSealed(digest: [UInt8]) throws(DeviceRefusal) {
        switch file {
        case .none: return
        case .some(let file): try erase(file, digest: digest)
        }
    }

    /// Does nothing: a file has nothing behind biometrics.
    package func eraseBiometric() {}

    private static func open(_ path: String) throws(FileError) -> Descriptor {
        let demands = Demands(.file, hasOneName: true, others: .readOnly)
        do throws(FileError) { return try Descriptor(opening: path, for: .writing, demands) } catch {
            // A file that can only be read can still be migrated; the failure to erase it shows later.
            guard error == .system(EACCES) || error == .system(EROFS) else { throw error }
            return try Descriptor(opening: path, demands)
        }
    }

    private static func read(_ file: borrowing Descriptor) throws(DeviceRefusal) -> SecretBytes? {
        do throws(FileError) {
            // The file was unlinked, by this object or another process.
            guard try file.status().nameCount > 0 else { return nil }
            var total = 0
            let bytes = try unsafe SecretBytes(byteCount: LegacySealed.mostBytes + 1) { buffer throws(FileError) in
                total = try unsafe file.read(into: buffer)
            }
            return bytes.prefix(total)
        } catch {
            throw .unavailable
        }
    }

    private func erase(_ file: borrowing Descriptor, digest: [UInt8]) throws(DeviceRefusal) {
        guard let bytes = try Self.read(file) else { return }
        guard bytes.isBlank || bytes.withBytes({ SHA256.digest($0) }) == digest else { throw .unclassified }
        let isOurs: Bool
        do throws(FileError) {
            // A hard link created since then is a deliberate copy to keep.
            guard try file.status().nameCount == 1 else { throw .refused(.hardLinked) }
            // The rest of the file is useless without its first sector.
            let start = min(bytes.byteCount, SecretBytes.sector)
            for range in [0..<start, start..<bytes.byteCount] {
                try file.write([UInt8](repeating: 0, count: range.count), at: range.lowerBound)
                try file.synchronize()
            }
            isOurs = try file.status().isSameFile(as: FileStatus(of: path))
        } catch {
            throw error == .refused(.hardLinked) ? .unclassified : .unavailable
        }
        // An attacker who could swap the file between these calls can write to the folder, and delete there anyway.
        guard isOurs else { throw .unclassified }
        guard unsafe unlink(path) == 0 else { throw .unavailable }
        do { try OpenFolder.synchronize(OpenFolder.parent(of: path)) } catch { throw .unavailable }
    }
}

extension SecretBytes {
    /// What a drive writes atomically.
    fileprivate static let sector = 512

    /// Whether the first sector is zeros, as an erase leaves it, and the length is at most a wallet's.
    ///
    /// The bytes after the first sector may still be the wallet's: an erase may be interrupted after either of its two
    /// writes.
    var isBlank: Bool {
        (1...LegacySealed.mostBytes).contains(byteCount)
            && withBytes { bytes in (0..<min(bytes.byteCount, Self.sector)).allSatisfy { bytes.byte(at: $0) == 0 } }
    }
}
