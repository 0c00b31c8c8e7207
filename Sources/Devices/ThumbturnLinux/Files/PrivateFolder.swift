import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnRules

/// A folder of one user (0700) whose files (0600) appear whole or not at all, and are never written over by accident.
///
/// An anchor's file alone is also written in place (`AnchorSlots`).
///
/// What is not as it was left is `unavailable`: another owner, a folder whose mode lets others in, a link, a folder that is
/// gone. A file that others could read is closed to them again, and one that they could write is damaged. Nothing but a file
/// that is missing from a folder that could be read is absent (A25).
struct PrivateFolder: Sendable {
    private let path: String
    private let patience: Milliseconds

    /// Takes a folder that is this user's and closed to others.
    ///
    /// - Parameter patience: how long somebody else may be in it before that is a fault.
    init(_ path: String, patience: Milliseconds = .seconds(10)) throws(DeviceRefusal) {
        self.path = path
        self.patience = patience
        _ = try Opened(path)
    }

    /// Makes the folder, in a parent that is there, or takes one as `init(_:patience:)` does.
    init(creating path: String, patience: Milliseconds = .seconds(10)) throws(DeviceRefusal) {
        _ = try orUnavailable { () throws(FileError) in try OpenFolder.make(path) }
        try self.init(path, patience: patience)
    }

    /// Runs `body` on files that appear whole or not at all, whoever else is in the folder.
    func withFiles<R: ~Copyable>(
        _ body: (borrowing Opened) throws(DeviceRefusal) -> R
    ) throws(DeviceRefusal) -> R {
        try body(try Opened(path))
    }

    /// Runs `body` while nobody else, in this process or another, is in the folder.
    ///
    /// - Throws: `.unavailable` also when somebody stays in it for too long: what stopped there is no reason to wait for ever.
    func withLock<R: ~Copyable>(
        _ body: (borrowing Opened) throws(DeviceRefusal) -> R
    ) throws(DeviceRefusal) -> R {
        let folder = try Opened(path)
        try folder.lock(patience)
        return try body(folder)
    }

    /// The folder, open.
    struct Opened: ~Copyable {
        private let folder: OpenFolder

        /// The largest file that is read.
        static var sizeLimit: Int { 16_384 }

        fileprivate init(_ path: String) throws(DeviceRefusal) {
            folder = try orUnavailable { () throws(FileError) in try OpenFolder(path) }
        }

        fileprivate borrowing func lock(_ patience: Milliseconds) throws(DeviceRefusal) {
            do { try folder.lock(within: patience.count) } catch { throw .unavailable }
        }

        /// What a file holds; nil when it is confirmed not to be there.
        borrowing func read(_ name: String) throws(DeviceRefusal) -> SecretBytes? {
            do throws(FileError) {
                // It may have a second name: while one is added, it has its draft's too.
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

        /// What a file without secrets holds; nil when it is confirmed not to be there.
        borrowing func plainBytes(of name: String) throws(DeviceRefusal) -> [UInt8]? {
            do throws(FileError) {
                return try folder.openOwn(name).contents(upTo: Self.sizeLimit)
            } catch {
                guard error == .absent else { throw Self.refusal(of: error) }
                return nil
            }
        }

        /// Why a file that is there was not read.
        private static func refusal(of error: FileError) -> DeviceRefusal {
            switch error {
            case .tooLarge, .cutShort, .refused(.wrongMode): .damaged
            case .absent, .taken, .refused, .busy, .system: .unavailable
            }
        }

        /// Opens a file to write in its place; nil where it has a second name, so that what lies there is not written too.
        borrowing func openInPlace(_ name: String) throws(DeviceRefusal) -> Descriptor? {
            do throws(FileError) {
                return try folder.openOwn(name, for: .writing, hasOneName: true)
            } catch {
                guard error == .refused(.hardLinked) else { throw .unavailable }
                return nil
            }
        }

        /// Whether a file of that name is there, in any state.
        borrowing func contains(_ name: String) throws(DeviceRefusal) -> Bool {
            do { return try folder.contains(name) } catch { throw .unavailable }
        }

        /// Adds a file, through to the disk.
        ///
        /// - Throws: `.unclassified` when the name is taken, since names are used once; `.unavailable`.
        borrowing func add(_ bytes: borrowing SecretBytes, as name: String) throws(DeviceRefusal) {
            do throws(FileError) {
                try bytes.withBytes { bytes throws(FileError) in try folder.add(bytes, as: name) }
            } catch {
                throw error == .taken ? .unclassified : .unavailable
            }
        }

        /// Puts a file in the place of another, or where there was none, through to the disk.
        borrowing func replace(_ name: String, by bytes: borrowing SecretBytes) throws(DeviceRefusal) {
            do throws(FileError) {
                try bytes.withBytes { bytes throws(FileError) in try folder.replace(name, by: bytes) }
            } catch {
                throw .unavailable
            }
        }

        /// Removes a file; one that is absent is removed already.
        borrowing func remove(_ name: String) throws(DeviceRefusal) {
            do { try folder.remove(name) } catch { throw .unavailable }
        }

        /// The names of all files, in order.
        borrowing func names() throws(DeviceRefusal) -> [String] {
            do { return try folder.names().filter { !$0.hasPrefix(".") }.sorted() } catch { throw .unavailable }
        }
    }
}

/// Runs `body`; whatever goes wrong with a file is `unavailable`.
func orUnavailable<R: ~Copyable>(_ body: () throws(FileError) -> R) throws(DeviceRefusal) -> R {
    do { return try body() } catch { throw .unavailable }
}
