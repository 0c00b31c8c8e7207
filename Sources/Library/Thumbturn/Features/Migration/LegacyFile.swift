package import ThumbturnCrypto
package import ThumbturnDevice
import ThumbturnFiles
package import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A former app's wallet in a file: what is sealed under a PIN, and nothing behind biometrics.
///
/// The file is opened once, so that what is erased is what was read. It is erased by zeros in its place and then taken
/// away. What a file system copies on writing, a drive keeps in reserve or a backup holds is out of reach of that.
package actor LegacyFile: LegacyWallet {
    private let path: String
    /// Nil where there was none.
    private let file: Descriptor?

    /// Opens a file.
    ///
    /// One that isn't there is an absent wallet and no error.
    ///
    /// - Throws: `.vaultUnsafe` for a link, a file with a second name, another owner's, one that others may write, or what is no
    ///   plain file; `.storageUnavailable` when it can't be read.
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

    /// Whoever can name the file can guess at a copy of it.
    package nonisolated var countsGuesses: Bool { false }

    /// Whether there was no file.
    package nonisolated var isAbsent: Bool {
        switch file {
        case .none: true
        case .some: false
        }
    }

    /// Reads the file.
    ///
    /// More than a wallet can be is cut off, which no format allows.
    package func readSealed() throws(DeviceRefusal) -> SecretBytes? {
        switch file {
        case .none: nil
        case .some(let file): try Self.read(file)
        }
    }

    /// There is nothing.
    package func findBiometric() -> LegacyBiometric? { nil }

    /// There is nothing.
    package func readBiometric(_ prompt: PromptText) throws(DeviceRefusal) -> SecretBytes { throw .absent }

    /// Overwrites the file and takes its name away, each durably before the next.
    ///
    /// Cut off in between, it leaves a file that begins with zeros, which no wallet does, and which is erased the next time.
    package func eraseSealed(digest: [UInt8]) throws(DeviceRefusal) {
        switch file {
        case .none: return
        case .some(let file): try erase(file, digest: digest)
        }
    }

    /// There is nothing.
    package func eraseBiometric() {}

    private static func open(_ path: String) throws(FileError) -> Descriptor {
        let demands = Demands(.file, hasOneName: true, others: .readOnly)
        do throws(FileError) { return try Descriptor(opening: path, for: .writing, demands) } catch {
            // It can be taken over all the same; that it can't be erased shows then.
            guard error == .system(EACCES) || error == .system(EROFS) else { throw error }
            return try Descriptor(opening: path, demands)
        }
    }

    private static func read(_ file: borrowing Descriptor) throws(DeviceRefusal) -> SecretBytes? {
        do throws(FileError) {
            // Its last name was taken away, by this object or by somebody else.
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
            // Another name that it was given since then is somebody's wish to keep it.
            guard try file.status().nameCount == 1 else { throw .refused(.hardLinked) }
            // The first sector holds what the rest is of no use without.
            let start = min(bytes.byteCount, SecretBytes.sector)
            for range in [0..<start, start..<bytes.byteCount] {
                try file.write([UInt8](repeating: 0, count: range.count), at: range.lowerBound)
                try file.synchronize()
            }
            isOurs = try file.status().isSameFile(as: FileStatus(of: path))
        } catch {
            throw error == .refused(.hardLinked) ? .unclassified : .unavailable
        }
        // Whoever could exchange the file between these two calls may write the folder, and delete there without our help.
        guard isOurs else { throw .unclassified }
        guard unsafe unlink(path) == 0 else { throw .unavailable }
        do { try OpenFolder.synchronize(OpenFolder.parent(of: path)) } catch { throw .unavailable }
    }
}

extension SecretBytes {
    /// What a drive writes at once.
    fileprivate static let sector = 512

    /// Whether nothing but what an erase writes stands where a wallet begins, in what is no longer than one.
    ///
    /// What follows the first sector may still be the wallet's: an erase may be cut off behind any of its two writes.
    var isBlank: Bool {
        (1...LegacySealed.mostBytes).contains(byteCount)
            && withBytes { bytes in (0..<min(bytes.byteCount, Self.sector)).allSatisfy { bytes.byte(at: $0) == 0 } }
    }
}
