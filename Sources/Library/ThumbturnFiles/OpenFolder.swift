#if canImport(Glibc)
internal import CSystem
import Glibc
#elseif canImport(Android)
internal import CSystem
import Android
#else
import Darwin
#endif

/// An open folder, whose files (0600) appear whole or not at all.
///
/// Files are named relative to the open folder, so that an attacker can't replace it between two calls. Concurrent
/// writers must hold its lock, or another that excludes them: they write their drafts under the same name.
package struct OpenFolder: ~Copyable, Sendable {
    private let folder: Descriptor
    /// The name of a file while it is written; the next write removes what a crash left.
    private let draft: String

    /// Opens a folder.
    package init(
        _ path: String,
        draft: String = ".new",
        followingLinks: Bool = false,
        _ demands: Demands = .privateFolder
    ) throws(FileError) {
        folder = try Descriptor(opening: path, followingLinks: followingLinks, demands)
        self.draft = draft
    }

    /// Creates a folder for this user only, in an existing parent.
    ///
    /// - Returns: whether it was created, because nothing was there.
    /// - Throws: `.refused(.wrongOwner)` as `requireOwner(of:)` does.
    @discardableResult
    package static func make(_ path: String) throws(FileError) -> Bool {
        do throws(FileError) {
            _ = try FileStatus(of: path)
            return false
        } catch {
            guard error == .absent else { throw error }
        }
        try requireOwner(of: path)
        if unsafe mkdir(path, 0o700) == 0 { return true }
        let reason = FileError(errno: errno)
        guard reason == .taken else { throw reason }
        return false
    }

    /// Refuses to create root's folder in another user's folder, which would lock that user out of it.
    ///
    /// - Throws: `.refused(.wrongOwner)`.
    package static func requireOwner(of path: String) throws(FileError) {
        guard geteuid() == 0 else { return }
        let parent = try FileStatus(of: parent(of: path), in: AT_FDCWD, followingLinks: true)
        guard parent.isOwn || parent.keepsNamesApart else { throw .refused(.wrongOwner) }
    }

    /// Checks whether `make`, and then creating a file in the folder, would be refused; creates nothing.
    ///
    /// - Throws: `.absent` if the parent is missing too, `.refused`, `.system`.
    package static func requirePlace(in path: String) throws(FileError) {
        var place = path
        do throws(FileError) { _ = try OpenFolder(path) } catch {
            guard error == .absent else { throw error }
            place = parent(of: path)
            guard try FileStatus(of: place, in: AT_FDCWD, followingLinks: true).isFolder else {
                throw .refused(.notAFolder)
            }
            try requireOwner(of: path)
        }
        guard unsafe access(place, W_OK | X_OK) == 0 else { throw FileError(errno: errno) }
    }

    /// Makes the file list of any folder survive power loss.
    package static func synchronize(_ path: String) throws(FileError) {
        try Descriptor(opening: path, followingLinks: true, Demands(.folder, isOwn: false)).synchronize()
    }

    /// Returns the folder part of `path`; that of the root is the root.
    package static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Waits for the folder's lock, which is released with this value.
    ///
    /// - Throws: `.busy` when the lock is not free within this many milliseconds.
    package borrowing func lock(within milliseconds: Int64) throws(FileError) { try folder.lock(within: milliseconds) }

    /// Removes other users' access.
    package borrowing func closeToOthers() throws(FileError) { try folder.closeToOthers() }

    /// Opens a file of the folder.
    package borrowing func open(
        _ name: String,
        for access: Descriptor.Access = .reading,
        _ demands: Demands
    ) throws(FileError) -> Descriptor {
        try Descriptor(opening: name, in: folder.number, for: access, demands)
    }

    /// Opens a file that only this user may read, and corrects its mode if others could read it too, or the user could
    /// not.
    ///
    /// - Throws: `.refused(.wrongMode)` if others could write it.
    package borrowing func openOwn(
        _ name: String,
        for access: Descriptor.Access = .reading,
        hasOneName: Bool = false
    ) throws(FileError) -> Descriptor {
        let found = try FileStatus(of: name, in: folder.number, followingLinks: false)
        try found.check(Demands(.file, hasOneName: hasOneName, others: .readOnly))
        if found.permissions != 0o600, unsafe fchmodat(folder.number, name, 0o600, 0) != 0 {
            throw FileError(errno: errno)
        }
        return try open(name, for: access, Demands(.file, hasOneName: hasOneName, others: .nothing))
    }

    /// Whether there is anything with that name, in any state.
    package borrowing func contains(_ name: String) throws(FileError) -> Bool {
        do throws(FileError) {
            _ = try FileStatus(of: name, in: folder.number, followingLinks: false)
            return true
        } catch {
            guard error == .absent else { throw error }
            return false
        }
    }

    /// Adds a file, through to the disk.
    ///
    /// - Throws: `.taken` when there is anything with that name; `.system`.
    package borrowing func add(_ bytes: RawSpan, as name: String) throws(FileError) {
        try writeDraft(bytes)
        do throws(FileError) { try move(draft, to: name) } catch {
            try? unlink(draft)
            throw error
        }
        try folder.synchronize()
    }

    /// Creates or replaces a file, through to the disk.
    package borrowing func replace(_ name: String, by bytes: RawSpan) throws(FileError) {
        try writeDraft(bytes)
        guard unsafe renameat(folder.number, draft, folder.number, name) == 0 else { throw FileError(errno: errno) }
        try folder.synchronize()
    }

    /// Does the same without flushing: power loss may lose both versions or truncate the file, but a killed process
    /// leaves one of them.
    package borrowing func replaceUnflushed(_ name: String, by bytes: RawSpan) throws(FileError) {
        try writeDraft(bytes, flushing: false)
        guard unsafe renameat(folder.number, draft, folder.number, name) == 0 else { throw FileError(errno: errno) }
    }

    /// Renames a file in this folder atomically; does not flush the folder.
    ///
    /// - Parameter replacing: whether it may replace an existing file.
    /// - Throws: `.taken` when there is anything with that name and it is not to be replaced; `.absent`; `.system`.
    package borrowing func move(_ name: String, to target: String, replacing: Bool = false) throws(FileError) {
        if !replacing {
            #if canImport(Darwin)
            let done = unsafe renameatx_np(folder.number, name, folder.number, target, UInt32(RENAME_EXCL))
            #else
            let done = unsafe renameat2(folder.number, name, folder.number, target, 1)  // RENAME_NOREPLACE
            #endif
            if done == 0 { return }
            let reason = errno
            // The file system does not support the call.
            guard [EINVAL, ENOSYS, ENOTSUP].contains(reason) else { throw FileError(errno: reason) }
            guard try !contains(target) else { throw .taken }
        }
        guard unsafe renameat(folder.number, name, folder.number, target) == 0 else { throw FileError(errno: errno) }
    }

    /// Removes a file, through to the disk; does nothing if it is absent.
    package borrowing func remove(_ name: String) throws(FileError) {
        try unlink(name)
        try folder.synchronize()
    }

    /// Returns the names of everything in the folder, unordered.
    package borrowing func names() throws(FileError) -> [String] {
        let number = unsafe openat(folder.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw FileError(errno: errno) }
        guard let stream = unsafe fdopendir(number) else {
            let reason = FileError(errno: errno)
            close(number)
            throw reason
        }
        defer { unsafe closedir(stream) }
        guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { throw .system(ENOSYS) }
        var names: [String] = []
        errno = 0
        while let entry = unsafe readdir(stream) {
            // By its address: an entry is shorter than the structure, and must not be copied whole.
            let name = unsafe (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
            names.append(unsafe String(cString: name))
            errno = 0
        }
        guard errno == 0 else { throw FileError(errno: errno) }
        return names.filter { $0 != "." && $0 != ".." }
    }

    /// Writes a new draft; an old one, left by a crash or planted, only loses its name.
    private borrowing func writeDraft(_ bytes: RawSpan, flushing: Bool = true) throws(FileError) {
        try unlink(draft)
        let new = try Descriptor(making: draft, in: folder.number)
        try new.write(bytes)
        if flushing { try new.synchronize() }
    }

    private borrowing func unlink(_ name: String) throws(FileError) {
        guard unsafe unlinkat(folder.number, name, 0) != 0 else { return }
        let reason = FileError(errno: errno)
        guard reason == .absent else { throw reason }
    }
}
