import ThumbturnDevice
import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Where a simulated device lies between processes: a folder of its own (0700) with `device.state` and `lock` (0600).
///
/// Whatever goes wrong is `unavailable`; the simulation has no other words for its own disk. What somebody planted in the
/// place of a file is neither followed, written, nor waited for.
struct SimulatedFolder: Sendable {
    private let path: String
    private let patience: Milliseconds
    private static let sizeLimit = 16 * 1024 * 1024

    /// Makes the folder, in a parent that is there, or takes one of this user's and closes it to others.
    ///
    /// - Parameter patience: how long somebody else may be in it before that is a fault.
    init(creating path: String, patience: Milliseconds) throws(DeviceRefusal) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .unavailable }
        self.path = path
        self.patience = patience
        let folder = try OpenFile(path, O_RDONLY | O_DIRECTORY, kind: S_IFDIR)
        guard fchmod(folder.descriptor, 0o700) == 0 else { throw .unavailable }
    }

    /// Runs `body` while no other process, and no other `SimulatedFolder`, runs one here.
    func withLock<R>(_ body: () throws(DeviceRefusal) -> R) throws(DeviceRefusal) -> R {
        // Closing the file lets go of the lock.
        let file = try OpenFile(path + "/lock", O_RDWR | O_CREAT)
        try file.lock(patience)
        return try body()
    }

    /// Reads the state; nil when there is none yet.
    func load() throws(DeviceRefusal) -> [UInt8]? {
        let file = path + "/device.state"
        var status = stat()
        guard unsafe lstat(file, &status) == 0 || errno != ENOENT else { return nil }
        return try OpenFile(file, O_RDONLY).readAll(limit: Self.sizeLimit)
    }

    /// Replaces the state; when this returns, the system was told to keep the new one through a power cut.
    func store(_ bytes: [UInt8]) throws(DeviceRefusal) {
        let new = path + "/device.state.new"
        // What a crash left there, or somebody planted, loses its name here and nothing else.
        guard unsafe unlink(new) == 0 || errno == ENOENT else { throw .unavailable }
        let file = try OpenFile(new, O_WRONLY | O_CREAT | O_EXCL)
        try file.writeAll(bytes)
        try file.synchronize()
        guard unsafe rename(new, path + "/device.state") == 0 else { throw .unavailable }
        try OpenFile(path, O_RDONLY | O_DIRECTORY, kind: S_IFDIR).synchronize()
    }
}

/// A file descriptor that closes itself.
private struct OpenFile: ~Copyable {
    let descriptor: CInt

    /// Opens a file of this user's that has no second name, or a folder of this user's.
    ///
    /// A pipe in its place must not hold us up, so nothing is waited for.
    init(_ path: String, _ flags: CInt, kind: mode_t = S_IFREG) throws(DeviceRefusal) {
        descriptor = unsafe open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw .unavailable }
        let status = try status()
        guard status.st_mode & S_IFMT == kind, status.st_uid == geteuid(), kind == S_IFDIR || status.st_nlink <= 1
        else { throw .unavailable }
    }

    deinit { close(descriptor) }

    func status() throws(DeviceRefusal) -> stat {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .unavailable }
        return status
    }

    func lock(_ patience: Milliseconds) throws(DeviceRefusal) {
        let end = HostClocks.now().boottime + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, HostClocks.now().boottime < end else { throw .unavailable }
            usleep(1_000)
        }
    }

    func readAll(limit: Int) throws(DeviceRefusal) -> [UInt8] {
        let size = Int(try status().st_size)
        guard size <= limit else { throw .unavailable }
        var bytes = [UInt8](repeating: 0, count: size)
        var done = 0
        while done < size {
            let count = unsafe bytes[done...].withUnsafeMutableBytes { rest in
                unsafe read(descriptor, rest.baseAddress, rest.count)
            }
            guard count > 0 || (count < 0 && errno == EINTR) else { throw .unavailable }
            done += max(count, 0)
        }
        return bytes
    }

    func writeAll(_ bytes: [UInt8]) throws(DeviceRefusal) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || (count < 0 && errno == EINTR) else { throw .unavailable }
            rest = rest.dropFirst(max(count, 0))
        }
    }

    func synchronize() throws(DeviceRefusal) {
        guard fsync(descriptor) == 0 else { throw .unavailable }
    }
}
