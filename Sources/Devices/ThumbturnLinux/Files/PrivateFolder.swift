import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnRules

/// A folder of one user (0700) whose files (0600) appear whole or not at all, and are never overwritten by accident.
///
/// Only an anchor's file is also written in place (`AnchorSlots`).
///
/// An unexpected state is `unavailable`: another owner, a mode that lets others in, a link, a missing folder. A file
/// that others could read is closed to them again; one that others could write is damaged. Only a missing file in a
/// readable folder is absent (A25).
struct PrivateFolder: Sendable {
    private let path: String
    private let patience: Milliseconds

    /// Opens a folder that belongs to this user and is closed to others.
    ///
    /// - Parameter patience: how long to wait for another holder of the lock before that counts as a fault.
    init(_ path: String, patience: Milliseconds = .seconds(10)) throws(DeviceRefusal) {
        self.path = path
        self.patience = patience
        _ = try Opened(path)
    }

    /// Creates the folder in an existing parent, or opens it as `init(_:patience:)` does.
    init(creating path: String, patience: Milliseconds = .seconds(10)) throws(DeviceRefusal) {
        _ = try orUnavailable { () throws(FileError) in try OpenFolder.make(path) }
        try self.init(path, patience: patience)
    }

    /// Runs `body` without the lock, on files that appear whole or not at all.
    func withFiles<R: ~Copyable>(_ body: (borrowing Opened) throws(DeviceRefusal) -> R) throws(DeviceRefusal) -> R {
        try body(try Opened(path))
    }

    /// Runs `body` while holding the folder's lock, which excludes every other thread and process.
    ///
    /// - Throws: `.unavailable` also when another process holds the lock for too long: one that hangs must not block us
    ///   forever.
    func withLock<R: ~Copyable>(_ body: (borrowing Opened) throws(DeviceRefusal) -> R) throws(DeviceRefusal) -> R {
        let folder = try Opened(path)
        try folder.lock(patience)
        return try body(folder)
    }

    struct Opened: ~Copyable {
        private let folder: OpenFolder

        /// The largest file that is read.
        static var sizeLimit: Int { 16_384 }

        fileprivate init(_ path: String) throws(DeviceRefusal) {
            folder = try orUnavailable { () throws(FileError) in try OpenFolder(path) }
        }

        fileprivate borrowing func lock(_ patience: Milliseconds) throws(DeviceRefusal) {
            do { try folder.lock(within: patience.count) } catch { throw .unavailable(error) }
        }

        /// Returns a file's contents; nil when it is confirmed to be missing.
        borrowing func read(_ name: String) throws(DeviceRefusal) -> SecretBytes? {
            do throws(FileError) {
                // The file may have a second name: while it is added, its draft's name exists too.
                let file = try folder.openOwn(name)
                guard file.byteCount <= Self.sizeLimit else { throw .tooLarge }
                return try unsafe SecretBytes(byteCount: file.byteCount) { buffer throws(FileError) in
                    try unsafe file.fill(buffer)
                }
            } catch {
                guard error == .absent else { throw Self.refusal(of: error) }
                return nil
            }
        }

        /// Returns the contents of a file without secrets; nil when it is confirmed to be missing.
        borrowing func plainBytes(of name: String) throws(DeviceRefusal) -> [UInt8]? {
            do throws(FileError) {
                return try folder.openOwn(name).contents(upTo: Self.sizeLimit)
            } catch {
                guard error == .absent else { throw Self.refusal(of: error) }
                return nil
            }
        }

        /// Returns why an existing file could not be read.
        private static func refusal(of error: FileError) -> DeviceRefusal {
            switch error {
            case .tooLarge, .cutShort, .refused(.wrongMode): .damaged
            case .absent, .taken, .refused, .busy, .system: .unavailable(error)
            }
        }

        /// Opens a file for writing in place; nil if it has a second name, whose contents would change too.
        borrowing func openInPlace(_ name: String) throws(DeviceRefusal) -> Descriptor? {
            do throws(FileError) {
                return try folder.openOwn(name, for: .writing, hasOneName: true)
            } catch {
                guard error == .refused(.hardLinked) else { throw .unavailable(error) }
                return nil
            }
        }

        /// Whether a file of that name exists, in any state.
        borrowing func contains(_ name: String) throws(DeviceRefusal) -> Bool {
            do { return try folder.contains(name) } catch { throw .unavailable(error) }
        }

        /// Adds a file, through to the disk.
        ///
        /// - Throws: `.unclassified` when the name is taken, since names are used once; `.unavailable`.
        borrowing func add(_ bytes: borrowing SecretBytes, as name: String) throws(DeviceRefusal) {
            do throws(FileError) {
                try bytes.withBytes { bytes throws(FileError) in try folder.add(bytes, as: name) }
            } catch {
                throw error == .taken ? .unclassified : .unavailable(error)
            }
        }

        /// Creates or replaces a file, through to the disk.
        borrowing func replace(_ name: String, by bytes: borrowing SecretBytes) throws(DeviceRefusal) {
            do throws(FileError) {
                try bytes.withBytes { bytes throws(FileError) in try folder.replace(name, by: bytes) }
            } catch {
                throw .unavailable(error)
            }
        }

        /// Removes a file; does nothing if it is absent.
        borrowing func remove(_ name: String) throws(DeviceRefusal) {
            do { try folder.remove(name) } catch { throw .unavailable(error) }
        }

        /// Returns the names of all files, sorted.
        borrowing func names() throws(DeviceRefusal) -> [String] {
            do { return try folder.names().filter { !$0.hasPrefix(".") }.sorted() } catch { throw .unavailable(error) }
        }
    }
}

/// Runs `body`; any file error becomes `unavailable`.
func orUnavailable<R: ~Copyable>(_ body: () throws(FileError) -> R) throws(DeviceRefusal) -> R {
    do { return try body() } catch { throw .unavailable(error) }
}

extension DeviceRefusal {
    /// The refusal for a file that can't be used now, with the system's number.
    static func unavailable(_ error: FileError) -> DeviceRefusal {
        .unavailable.because(of: error.systemNumber.map { UnderlyingCode(.errno, $0) })
    }
}
