#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An open folder, whose files (0600) appear whole or not at all.
///
/// Files are named in the open folder, so that nobody can exchange it between two calls. Of those who write at the same
/// time, all hold its lock, or another that keeps them apart: they write their drafts under one name.
package struct OpenFolder: ~Copyable, Sendable {
    private let folder: Descriptor
    /// A file before it has its name; what a crash left of one goes with the next.
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

    /// Makes a folder for this user alone, in a parent that is there.
    ///
    /// - Returns: whether it was made: whether nothing was there.
    @discardableResult
    package static func make(_ path: String) throws(FileError) -> Bool {
        if unsafe mkdir(path, 0o700) == 0 { return true }
        let reason = FileError(errno: errno)
        guard reason == .taken else { throw reason }
        return false
    }

    /// Makes the list of a folder's files survive power loss, wherever it lies.
    package static func synchronize(_ path: String) throws(FileError) {
        try Descriptor(opening: path, followingLinks: true, Demands(.folder, isOwn: false)).synchronize()
    }

    /// The folder that `path` is in, by its name; the root is in itself.
    package static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Waits for the folder's lock, which ends with this value.
    ///
    /// - Throws: `.busy` when others keep it for so many milliseconds.
    package borrowing func lock(within milliseconds: Int64) throws(FileError) {
        try folder.lock(within: milliseconds)
    }

    /// Closes it to everybody but this user.
    package borrowing func closeToOthers() throws(FileError) { try folder.closeToOthers() }

    /// Opens a file of the folder.
    package borrowing func open(
        _ name: String,
        for access: Descriptor.Access = .reading,
        _ demands: Demands
    ) throws(FileError) -> Descriptor {
        try Descriptor(opening: name, in: folder.number, for: access, demands)
    }

    /// Whether anything has that name, in any state.
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
    /// - Throws: `.taken` when anything has that name; `.system`.
    package borrowing func add(_ bytes: RawSpan, as name: String) throws(FileError) {
        try writeDraft(bytes)
        // A link, unlike a rename, is refused where the name is taken. Until the draft's name is gone, the file has two.
        let reason = unsafe linkat(folder.number, draft, folder.number, name, 0) == 0 ? nil : FileError(errno: errno)
        _ = unsafe unlinkat(folder.number, draft, 0)
        if let reason { throw reason }
        try folder.synchronize()
    }

    /// Puts a file in the place of another, or where there was none, through to the disk.
    package borrowing func replace(_ name: String, by bytes: RawSpan) throws(FileError) {
        try writeDraft(bytes)
        guard unsafe renameat(folder.number, draft, folder.number, name) == 0 else { throw FileError(errno: errno) }
        try folder.synchronize()
    }

    /// Removes a file, through to the disk; one that is absent is removed already.
    package borrowing func remove(_ name: String) throws(FileError) {
        try unlink(name)
        try folder.synchronize()
    }

    /// The names of all that lies in the folder, in no order.
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

    /// What a crash left of a draft, or somebody planted there, loses its name and nothing else.
    private borrowing func writeDraft(_ bytes: RawSpan) throws(FileError) {
        try unlink(draft)
        let new = try Descriptor(making: draft, in: folder.number)
        try new.write(bytes)
        try new.synchronize()
    }

    private borrowing func unlink(_ name: String) throws(FileError) {
        guard unsafe unlinkat(folder.number, name, 0) != 0 else { return }
        let reason = FileError(errno: errno)
        guard reason == .absent else { throw reason }
    }
}
