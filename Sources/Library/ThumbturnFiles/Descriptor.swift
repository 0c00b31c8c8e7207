#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An open file or folder that closes itself.
package struct Descriptor: ~Copyable, Sendable {
    let number: CInt
    /// How long it was when it was opened, in bytes.
    package let byteCount: Int

    /// What a file is opened for.
    package enum Access: Sendable {
        case reading
        /// To write in its place, and to read.
        case writing
        /// The same; where nothing is there, an empty file for this user alone is made.
        case making
    }

    /// Looks at what was just opened, and closes it again unless it meets all demands.
    private init(_ number: CInt, _ demands: Demands) throws(FileError) {
        guard number >= 0 else { throw FileError(errno: errno) }
        do throws(FileError) {
            let status = try FileStatus(descriptor: number)
            try status.check(demands)
            byteCount = status.byteCount
        } catch {
            _ = close(number)
            throw error
        }
        self.number = number
    }

    deinit { close(number) }

    /// Opens what lies at `path`, and looks whether it is what it has to be, once it can't be exchanged any more.
    ///
    /// Neither a pipe nor a device is waited for or worked: what is none of the kind is refused before it is opened.
    ///
    /// - Parameter followingLinks: whether `path` may be a link; those above it always may.
    /// - Throws: `.absent`, `.refused`, `.system`.
    package init(
        opening path: String,
        for access: Access = .reading,
        followingLinks: Bool = false,
        _ demands: Demands
    ) throws(FileError) {
        try self.init(opening: path, in: AT_FDCWD, for: access, followingLinks: followingLinks, demands)
    }

    /// - Parameter meanwhile: runs between the look at the name and the opening, where tests exchange the file.
    init(
        opening path: String,
        in folder: CInt,
        for access: Access = .reading,
        followingLinks: Bool = false,
        _ demands: Demands,
        meanwhile: () -> Void = {}
    ) throws(FileError) {
        do throws(FileError) {
            try FileStatus(of: path, in: folder, followingLinks: followingLinks).check(demands)
        } catch {
            guard error == .absent, access == .making else { throw error }
        }
        meanwhile()
        var flags = O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        switch access {
        case .reading: flags |= O_RDONLY
        case .writing: flags |= O_RDWR
        case .making: flags |= O_RDWR | O_CREAT
        }
        if demands.kind == .folder { flags |= O_DIRECTORY }
        if !followingLinks { flags |= O_NOFOLLOW }
        try self.init(unsafe openat(folder, path, flags, 0o600), demands)
    }

    /// Makes a new file for this user alone.
    ///
    /// - Throws: `.taken` when anything is there, a link included; `.absent` when the folder is not; `.system`.
    package init(making path: String) throws(FileError) { try self.init(making: path, in: AT_FDCWD) }

    init(making path: String, in folder: CInt) throws(FileError) {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        try self.init(unsafe openat(folder, path, flags, 0o600), Demands(.file))
    }

    /// What the system tells of it now.
    package borrowing func status() throws(FileError) -> FileStatus { try FileStatus(descriptor: number) }

    /// Waits until what was written, or the folder's list of files, would survive power loss.
    package borrowing func synchronize() throws(FileError) {
        guard fsync(number) == 0 else { throw FileError(errno: errno) }
    }

    /// Waits until bytes that took the place of others would survive power loss; when they were written may be lost.
    package borrowing func synchronizeBytes() throws(FileError) {
        #if canImport(Glibc)
        guard fdatasync(number) == 0 else { throw FileError(errno: errno) }
        #else
        try synchronize()
        #endif
    }

    /// Closes it to everybody else; a folder stays open to its owner.
    package borrowing func closeToOthers() throws(FileError) {
        let mode: mode_t = try status().isFolder ? 0o700 : 0o600
        guard fchmod(number, mode) == 0 else { throw FileError(errno: errno) }
    }
}

// Locks. One belongs to the open file, so it ends with the process however that ends.
extension Descriptor {
    /// Takes the lock if nobody has it.
    ///
    /// - Returns: whether it did.
    package borrowing func tryLock() throws(FileError) -> Bool {
        if flock(number, LOCK_EX | LOCK_NB) == 0 { return true }
        let reason = errno
        guard reason == EWOULDBLOCK || reason == EINTR else { throw FileError(errno: reason) }
        return false
    }

    /// Waits for the lock, and keeps this thread.
    ///
    /// - Throws: `.busy` when others keep it for so many milliseconds.
    package borrowing func lock(within milliseconds: Int64) throws(FileError) {
        var waited: Int64 = 0
        while try !tryLock() {
            guard waited < milliseconds else { throw .busy }
            usleep(1_000)
            waited += 1
        }
    }

    /// Lets go of the lock.
    package borrowing func unlock() { _ = flock(number, LOCK_UN) }
}
