import ThumbturnFiles
import ThumbturnRules

/// The storage of a simulated device between processes: its own folder (0700) with `device.state` and `lock` (0600).
///
/// A damaged state stays until it is overwritten; then it is kept as `device.state.damaged`, because its other contents
/// are unknown. Any other failure is `unavailable`. A link, pipe or device planted in place of a file is neither
/// followed, written, nor waited for.
struct SimulatedFolder: Sendable {
    private let path: String
    private let patience: Milliseconds
    private static let state = "device.state"
    private static let damaged = "device.state.damaged"
    private static let sizeLimit = 16 * 1024 * 1024

    /// Creates the folder in an existing parent, or opens one of this user's and removes other users' access.
    ///
    /// - Parameter patience: how long to wait for another holder of the lock before that counts as a fault.
    init(creating path: String, patience: Milliseconds) throws(DeviceRefusal) {
        self.path = path
        self.patience = patience
        try orUnavailable { () throws(FileError) in
            try OpenFolder.make(path)
            try Self.opened(path).closeToOthers()
        }
    }

    /// Opens a folder without changing it; nil if there is none.
    init?(lookingAt path: String) {
        guard (try? FileStatus(of: path))?.isFolder == true else { return nil }
        (self.path, patience) = (path, .zero)
    }

    /// Runs `body` while no other process, and no other `SimulatedFolder`, does so here.
    func withLock<R>(_ body: () throws(DeviceRefusal) -> R) throws(DeviceRefusal) -> R {
        let lock = try orUnavailable { () throws(FileError) in
            let lock = try FileLock(path + "/lock")
            try lock.acquire(within: patience.count)
            return lock
        }
        defer { lock.release() }
        return try body()
    }

    /// The status of the state's file, by which another process's write shows; nil if it can't be read.
    var status: FileStatus? { try? FileStatus(of: path + "/" + Self.state) }

    struct Stored {
        /// The bytes of the state's file.
        let bytes: [UInt8]
        let state: SimulatedState
        /// Whether `bytes` are not an intact state, or others could write them.
        let isDamaged: Bool
    }

    /// Reads the state; nil when there is none yet.
    ///
    /// - Throws: `.unavailable`, also for an intact state of a later version.
    func load() throws(DeviceRefusal) -> Stored? {
        let (bytes, isOwn, besideDamage) = try orUnavailable { () throws(FileError) in
            let folder = try Self.opened(path)
            let besideDamage = try folder.contains(Self.damaged)
            do throws(FileError) {
                let bytes = try folder.openOwn(Self.state, hasOneName: true).contents(upTo: Self.sizeLimit)
                return ([UInt8]?.some(bytes), true, besideDamage)
            } catch .absent {
                // Interrupted after the damaged state was kept, and before another was written.
                return (besideDamage ? [] : nil, true, besideDamage)
            } catch .refused(.wrongMode) {
                let bytes = try folder.open(Self.state, Demands(.file, hasOneName: true)).contents(upTo: Self.sizeLimit)
                return (bytes, false, besideDamage)
            }
        }
        guard let bytes else { return nil }
        guard isOwn, SimulatedState.isWhole(bytes) else {
            return Stored(bytes: bytes, state: SimulatedState(besideDamaged: bytes), isDamaged: true)
        }
        do {
            var state = try SimulatedState(decoding: bytes)
            state.isBesideDamage = besideDamage
            return Stored(bytes: bytes, state: state, isDamaged: false)
        } catch {
            throw .unavailable
        }
    }

    /// Replaces the state, flushed to the disk before this returns.
    ///
    /// - Parameter former: the previous state; a damaged one is kept beside the new state.
    func store(_ state: SimulatedState, after former: Stored?) throws(DeviceRefusal) {
        let bytes: [UInt8]
        do { bytes = try state.encoded() } catch { throw .unavailable }
        try orUnavailable { () throws(FileError) in
            let folder = try Self.opened(path)
            let isKept = try folder.contains(Self.damaged)
            if let former, former.isDamaged, state.isBesideDamage, !isKept || !former.bytes.isEmpty {
                try former.bytes.lent { (bytes) throws(FileError) in try folder.replace(Self.damaged, by: bytes) }
            }
            if bytes != former?.bytes {
                try bytes.lent { (bytes) throws(FileError) in try folder.replace(Self.state, by: bytes) }
            }
        }
    }

    private static func opened(_ path: String) throws(FileError) -> OpenFolder {
        try OpenFolder(path, draft: state + ".new", Demands(.folder))
    }

    private func orUnavailable<R: ~Copyable>(_ body: () throws(FileError) -> R) throws(DeviceRefusal) -> R {
        do { return try body() } catch { throw .unavailable }
    }
}
