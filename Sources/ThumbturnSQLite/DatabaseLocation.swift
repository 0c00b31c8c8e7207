import ThumbturnFiles

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A database file in a folder of its own, with every symbolic link above the folder resolved once.
///
/// Only this user may reach either. Since the folder is checked first, nobody else can exchange a file between its
/// check and its use. No file of a database is ever opened here except to create it: closing any descriptor of a file
/// drops all POSIX locks that this process has on it, those of SQLite's other connections included.
struct DatabaseLocation {
    private let folder: String
    private let name: String

    var path: String { folder + "/" + name }

    /// Finds the folder of `path`, and makes it when `makesFolder` and it is missing.
    init(resolving path: String, makesFolder: Bool = false) throws(SQLiteError) {
        let parts = Self.split(path)
        guard !["", ".", ".."].contains(parts.name), !path.utf8.contains(0) else { throw .cannotOpen }
        name = parts.name
        if makesFolder, (try? OpenFolder.make(parts.folder)) == true {
            try Self.synchronize(Self.split(parts.folder).folder)
        }
        // Before `realpath`, which would follow the very link that must not be there.
        if let status = Self.status(of: parts.folder), status.isSymbolicLink { throw .unsafeFolder(.symbolicLink) }
        guard let resolved = unsafe realpath(parts.folder, nil) else { throw .cannotOpen }
        defer { unsafe free(resolved) }
        folder = unsafe String(cString: resolved)
    }

    /// Checks that the folder is a folder of this user, closed to everybody else.
    func checkFolder() throws(SQLiteError) {
        do throws(FileError) { try FileStatus(of: folder).check(.privateFolder) } catch {
            guard case .refused(let flaw) = error, flaw != .notAFolder else { throw .cannotOpen }
            throw .unsafeFolder(flaw)
        }
    }

    /// Checks the database file, and those that SQLite keeps beside it, without opening any.
    func checkFiles() throws(SQLiteError) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            guard let status = Self.status(of: path + suffix) else {
                if suffix.isEmpty { throw .cannotOpen }
                continue
            }
            do throws(FileError) { try status.check(Demands(.file, hasOneName: true, others: .nothing)) } catch {
                guard case .refused(let flaw) = error else { throw .cannotOpen }
                throw .unsafeFile(flaw)
            }
        }
    }

    /// Makes an empty file for this user only, unless something is already there.
    func createFile() throws(SQLiteError) {
        do throws(FileError) { _ = try Descriptor(making: path) } catch {
            switch error.number {
            case EEXIST: return
            case ENOSPC, EDQUOT: throw .full
            case EROFS: throw .readOnly
            default: throw .cannotOpen
            }
        }
    }

    /// The length in bytes of the file whose name ends in `suffix`; 0 when there is none.
    func byteCount(ofFileWith suffix: String = "") -> Int64 {
        Int64(Self.status(of: path + suffix)?.byteCount ?? 0)
    }

    /// Waits until nobody else makes a database here, and keeps others from it as long as what is returned lives.
    ///
    /// - Returns: nil where the system locks no folder, as on NFS: then nobody is waited for.
    func lockMaking() throws(SQLiteError) -> OpenFolder? {
        do throws(FileError) {
            let folder = try OpenFolder(folder)
            try folder.lock(within: 5_000)
            return folder
        } catch {
            guard error != .busy else { throw .busy }
            return nil
        }
    }

    /// Whether the log's file is there.
    var hasLog: Bool { Self.status(of: path + "-wal") != nil }

    /// Whether the system would let this user write the file and its folder.
    var isWritable: Bool { unsafe access(path, W_OK) == 0 && access(folder, W_OK) == 0 }

    /// Makes the folder's list of files survive power loss.
    func synchronizeFolder() throws(SQLiteError) {
        try Self.synchronize(folder)
    }

    private static func synchronize(_ folder: String) throws(SQLiteError) {
        let opened: Descriptor
        do { opened = try Descriptor(opening: folder, followingLinks: true, Demands(.folder, isOwn: false)) } catch {
            throw .cannotOpen
        }
        do { try opened.synchronize() } catch { throw .ioError(extended: 0) }
    }

    private static func status(of path: String) -> FileStatus? { try? FileStatus(of: path) }

    /// Splits off the last component; trailing slashes of the folder go, because `lstat` would follow a link before one.
    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        var folder = path[..<slash]
        while folder.hasSuffix("/") { folder.removeLast() }
        return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
    }
}
