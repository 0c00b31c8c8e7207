import CSDBus  // It is by this module that the compiler knows `timespec` here.
import Glibc
import ThumbturnCrypto
import ThumbturnRules

/// A folder of one user (0700) whose files (0600) appear whole or not at all, and are never written over by accident.
///
/// What is not as it was left is `unavailable`: another owner, a mode that lets others in, a link, a folder that is gone.
/// Nothing but a file that is missing from a folder that could be read is absent (A25).
struct PrivateFolder: Sendable {
    private let path: String
    private let patience: Milliseconds

    /// Makes the folder, in a parent that is there, or takes one that is this user's and closed to others.
    ///
    /// - Parameter patience: how long somebody else may be in it before that is a fault.
    init(creating path: String, patience: Milliseconds = .seconds(10)) throws(DeviceRefusal) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .unavailable }
        self.path = path
        self.patience = patience
        _ = try Opened(path)
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
        private let file: Descriptor

        /// The largest file that is read.
        static var sizeLimit: Int { 16_384 }
        /// A file before it has its name; what a crash left of one goes with the next.
        private static var newName: String { ".new" }

        fileprivate init(_ path: String) throws(DeviceRefusal) {
            let folder = try Descriptor(unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
            _ = try folder.privateStatus(S_IFDIR)
            file = folder
        }

        fileprivate borrowing func lock(_ patience: Milliseconds) throws(DeviceRefusal) {
            let end = Self.now + patience
            while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
                guard errno == EWOULDBLOCK || errno == EINTR, Self.now < end else { throw .unavailable }
                usleep(1_000)
            }
        }

        /// By a clock that nobody sets.
        private static var now: Milliseconds {
            var time = timespec()
            _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
            return .seconds(Int64(time.tv_sec)) + Milliseconds(Int64(time.tv_nsec) / 1_000_000)
        }

        /// What a file holds; nil when it is confirmed not to be there.
        borrowing func read(_ name: String) throws(DeviceRefusal) -> SecretBytes? {
            let number = unsafe openat(file.number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            if number < 0, errno == ENOENT { return nil }
            let found = try Descriptor(number)
            let size = Int(try found.privateStatus(S_IFREG).st_size)
            guard size <= Self.sizeLimit else { throw .unavailable }
            return try unsafe SecretBytes(byteCount: size) { buffer throws(DeviceRefusal) in
                try unsafe found.fill(buffer)
            }
        }

        /// Whether a file of that name is there, in any state.
        borrowing func contains(_ name: String) throws(DeviceRefusal) -> Bool {
            var status = stat()
            if unsafe fstatat(file.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return true }
            guard errno == ENOENT else { throw .unavailable }
            return false
        }

        /// Adds a file, through to the disk.
        ///
        /// - Throws: `.unclassified` when the name is taken, since names are used once; `.unavailable`.
        borrowing func add(_ bytes: borrowing SecretBytes, as name: String) throws(DeviceRefusal) {
            try writeNew(bytes)
            // A link, unlike a rename, is refused where the name is taken.
            let result = unsafe linkat(file.number, Self.newName, file.number, name, 0)
            let reason = errno
            _ = unsafe unlinkat(file.number, Self.newName, 0)
            guard result == 0 else { throw reason == EEXIST ? .unclassified : .unavailable }
            try file.synchronize()
        }

        /// Puts a file in the place of another, or where there was none, through to the disk.
        borrowing func replace(_ name: String, by bytes: borrowing SecretBytes) throws(DeviceRefusal) {
            try writeNew(bytes)
            guard unsafe renameat(file.number, Self.newName, file.number, name) == 0 else { throw .unavailable }
            try file.synchronize()
        }

        /// Removes a file; one that is absent is removed already.
        borrowing func remove(_ name: String) throws(DeviceRefusal) {
            guard unsafe unlinkat(file.number, name, 0) == 0 || errno == ENOENT else { throw .unavailable }
            try file.synchronize()
        }

        /// The names of all files, in order.
        borrowing func names() throws(DeviceRefusal) -> [String] {
            let number = unsafe openat(file.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard number >= 0 else { throw .unavailable }
            guard let stream = unsafe fdopendir(number) else {
                close(number)
                throw .unavailable
            }
            defer { unsafe closedir(stream) }
            var names: [String] = []
            errno = 0
            while let entry = unsafe readdir(stream) {
                guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { throw .unavailable }
                // By its address: an entry is shorter than the structure, and must not be copied whole.
                let name = unsafe (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
                names.append(unsafe String(cString: name))
                errno = 0
            }
            guard errno == 0 else { throw .unavailable }
            return names.filter { !$0.hasPrefix(".") }.sorted()
        }

        private borrowing func writeNew(_ bytes: borrowing SecretBytes) throws(DeviceRefusal) {
            guard unsafe unlinkat(file.number, Self.newName, 0) == 0 || errno == ENOENT else { throw .unavailable }
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let new = try Descriptor(unsafe openat(file.number, Self.newName, flags, 0o600))
            try bytes.withBytes { bytes throws(DeviceRefusal) in try new.write(bytes) }
            try new.synchronize()
        }
    }
}

/// A file descriptor that closes itself.
private struct Descriptor: ~Copyable {
    let number: CInt

    init(_ number: CInt) throws(DeviceRefusal) {
        guard number >= 0 else { throw .unavailable }
        self.number = number
    }

    deinit { close(number) }

    /// The status of a file that is of a type, this user's, and closed to others.
    borrowing func privateStatus(_ type: mode_t) throws(DeviceRefusal) -> stat {
        var status = stat()
        guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == type else { throw .unavailable }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else { throw .unavailable }
        return status
    }

    borrowing func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(DeviceRefusal) {
        var done = 0
        while done < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = unsafe read(number, rest.baseAddress, rest.count)
            guard count > 0 || (count < 0 && errno == EINTR) else { throw .unavailable }
            done += max(count, 0)
        }
    }

    borrowing func write(_ bytes: RawSpan) throws(DeviceRefusal) {
        var done = 0
        while done < bytes.byteCount {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Glibc.write(number, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
            }
            guard count > 0 || (count < 0 && errno == EINTR) else { throw .unavailable }
            done += max(count, 0)
        }
    }

    borrowing func synchronize() throws(DeviceRefusal) {
        guard fsync(number) == 0 else { throw .unavailable }
    }
}
