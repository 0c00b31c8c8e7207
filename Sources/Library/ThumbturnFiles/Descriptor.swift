#if canImport(Glibc)
import Glibc
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// An open file or folder that closes itself.
package struct Descriptor: ~Copyable, Sendable {
    let number: CInt
    /// The length in bytes when it was opened.
    package let byteCount: Int

    /// The access that a file is opened for.
    package enum Access: Sendable {
        case reading
        /// Writing in place, and reading.
        case writing
        /// The same; if the file is missing, creates an empty one for this user only.
        case making
    }

    /// Checks an open descriptor, and closes it again unless it meets all requirements.
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

    /// Opens the file or folder at `path`, and checks it once it can't be replaced any more.
    ///
    /// Never waits for a pipe or triggers a device: any other kind is refused before it is opened.
    ///
    /// - Parameter followingLinks: whether `path` may be a link; its folders always may.
    /// - Throws: `.absent`, `.refused`, `.system`.
    package init(
        opening path: String,
        for access: Access = .reading,
        followingLinks: Bool = false,
        _ demands: Demands
    ) throws(FileError) {
        try self.init(opening: path, in: AT_FDCWD, for: access, followingLinks: followingLinks, demands)
    }

    /// - Parameter meanwhile: runs between the check of the name and the opening; tests replace the file there.
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

    /// Creates a new file for this user only.
    ///
    /// - Throws: `.taken` when anything is there, including a link; `.absent` when the folder is missing; `.system`.
    package init(making path: String) throws(FileError) { try self.init(making: path, in: AT_FDCWD) }

    init(making path: String, in folder: CInt) throws(FileError) {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        try self.init(unsafe openat(folder, path, flags, 0o600), Demands(.file))
    }

    /// Reads the present status.
    package borrowing func status() throws(FileError) -> FileStatus { try FileStatus(descriptor: number) }

    /// Waits until written data, or the folder's list of files, would survive power loss.
    package borrowing func synchronize() throws(FileError) {
        guard fsync(number) == 0 else { throw FileError(errno: errno) }
    }

    /// Waits until overwritten bytes would survive power loss; their modification time may be lost.
    package borrowing func synchronizeBytes() throws(FileError) {
        #if canImport(Darwin)
        try synchronize()
        #else
        guard fdatasync(number) == 0 else { throw FileError(errno: errno) }
        #endif
    }

    /// Removes other users' access; a folder stays accessible to its owner.
    package borrowing func closeToOthers() throws(FileError) {
        let mode: mode_t = try status().isFolder ? 0o700 : 0o600
        guard fchmod(number, mode) == 0 else { throw FileError(errno: errno) }
    }
}

// Locks belong to the open file, so they end with the process in any case.
extension Descriptor {
    /// Acquires the lock if it is free.
    ///
    /// - Returns: whether it did.
    package borrowing func tryLock() throws(FileError) -> Bool {
        if flock(number, LOCK_EX | LOCK_NB) == 0 { return true }
        let reason = errno
        guard reason == EWOULDBLOCK || reason == EINTR else { throw FileError(errno: reason) }
        return false
    }

    /// Waits for the lock, blocking this thread.
    ///
    /// - Throws: `.busy` when the lock is not free within this many milliseconds.
    package borrowing func lock(within milliseconds: Int64) throws(FileError) {
        var waited: Int64 = 0
        while try !tryLock() {
            guard waited < milliseconds else { throw .busy }
            usleep(1_000)
            waited += 1
        }
    }

    /// Releases the lock.
    package borrowing func unlock() { _ = flock(number, LOCK_UN) }
}
