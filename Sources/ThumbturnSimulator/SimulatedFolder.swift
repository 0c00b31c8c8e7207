import ThumbturnFiles
import ThumbturnRules

/// Where a simulated device lies between processes: a folder of its own (0700) with `device.state` and `lock` (0600).
///
/// Whatever goes wrong is `unavailable`; the simulation has no other words for its own disk. What somebody planted in the
/// place of a file is neither followed, written, nor waited for.
struct SimulatedFolder: Sendable {
    private let path: String
    private let patience: Milliseconds
    private static let state = "device.state"
    private static let sizeLimit = 16 * 1024 * 1024

    /// Makes the folder, in a parent that is there, or takes one of this user's and closes it to others.
    ///
    /// - Parameter patience: how long somebody else may be in it before that is a fault.
    init(creating path: String, patience: Milliseconds) throws(DeviceRefusal) {
        self.path = path
        self.patience = patience
        try orUnavailable { () throws(FileError) in
            try OpenFolder.make(path)
            try Self.opened(path).closeToOthers()
        }
    }

    /// Runs `body` while no other process, and no other `SimulatedFolder`, runs one here.
    func withLock<R>(_ body: () throws(DeviceRefusal) -> R) throws(DeviceRefusal) -> R {
        let lock = try orUnavailable { () throws(FileError) in
            let lock = try FileLock(path + "/lock")
            try lock.acquire(within: patience.count)
            return lock
        }
        defer { lock.release() }
        return try body()
    }

    /// Reads the state; nil when there is none yet.
    func load() throws(DeviceRefusal) -> [UInt8]? {
        try orUnavailable { () throws(FileError) in
            do throws(FileError) {
                return try Descriptor(opening: path + "/" + Self.state, Demands(.file, hasOneName: true))
                    .contents(upTo: Self.sizeLimit)
            } catch .absent {
                return nil
            }
        }
    }

    /// Replaces the state; when this returns, the system was told to keep the new one through a power cut.
    func store(_ bytes: [UInt8]) throws(DeviceRefusal) {
        try orUnavailable { () throws(FileError) in
            let folder = try Self.opened(path)
            try bytes.lent { (bytes) throws(FileError) in try folder.replace(Self.state, by: bytes) }
        }
    }

    private static func opened(_ path: String) throws(FileError) -> OpenFolder {
        try OpenFolder(path, draft: state + ".new", Demands(.folder))
    }

    private func orUnavailable<R: ~Copyable>(_ body: () throws(FileError) -> R) throws(DeviceRefusal) -> R {
        do { return try body() } catch { throw .unavailable }
    }
}
