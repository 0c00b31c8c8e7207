import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Where a simulated device lies between processes: a folder of its own (0700) with `device.state` and `lock` (0600).
///
/// Whatever goes wrong is `unavailable`; the simulation has no other words for its own disk.
struct SimulatedFolder: Sendable {
    private let path: String
    private static let sizeLimit = 16 * 1024 * 1024

    /// Makes the folder, in a parent that is there, or takes one of this user's and closes it to others.
    init(creating path: String) throws(DeviceRefusal) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .unavailable }
        self.path = path
        let folder = try OpenFile(path, O_RDONLY | O_DIRECTORY)
        guard try folder.status().st_uid == geteuid(), fchmod(folder.descriptor, 0o700) == 0 else {
            throw .unavailable
        }
    }

    /// Runs `body` while no other process, and no other `SimulatedFolder`, runs one here.
    func withLock<R>(_ body: () throws(DeviceRefusal) -> R) throws(DeviceRefusal) -> R {
        // Closing the file lets go of the lock.
        let file = try OpenFile(path + "/lock", O_RDWR | O_CREAT)
        try file.lock()
        return try body()
    }

    /// Reads the state; nil when there is none yet.
    func load() throws(DeviceRefusal) -> [UInt8]? {
        let file = path + "/device.state"
        guard unsafe access(file, F_OK) == 0 || errno != ENOENT else { return nil }
        return try OpenFile(file, O_RDONLY).readAll(limit: Self.sizeLimit)
    }

    /// Replaces the state; when this returns, the system was told to keep the new one through a power cut.
    func store(_ bytes: [UInt8]) throws(DeviceRefusal) {
        let new = path + "/device.state.new"
        let file = try OpenFile(new, O_WRONLY | O_CREAT | O_TRUNC)
        try file.writeAll(bytes)
        try file.synchronize()
        guard unsafe rename(new, path + "/device.state") == 0 else { throw .unavailable }
        try OpenFile(path, O_RDONLY | O_DIRECTORY).synchronize()
    }
}

/// A file descriptor that closes itself.
private struct OpenFile: ~Copyable {
    let descriptor: CInt

    init(_ path: String, _ flags: CInt) throws(DeviceRefusal) {
        descriptor = unsafe open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .unavailable }
    }

    deinit { close(descriptor) }

    func status() throws(DeviceRefusal) -> stat {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .unavailable }
        return status
    }

    func lock() throws(DeviceRefusal) {
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw .unavailable }
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
