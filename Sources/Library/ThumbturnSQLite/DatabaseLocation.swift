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

    private init(folder: String, name: String) { (self.folder, self.name) = (folder, name) }

    var path: String { folder + "/" + name }

    /// Finds the folder of `path`, and makes it when `makesFolder` and it is missing.
    init(resolving path: String, makesFolder: Bool = false) throws(SQLiteError) {
        let parts = Self.split(path)
        guard !["", ".", ".."].contains(parts.name), !path.utf8.contains(0) else { throw .cannotOpen }
        name = parts.name
        if makesFolder {
            // Any other failure is met again below.
            var isNew = false
            do throws(FileError) { isNew = try OpenFolder.make(parts.folder) } catch {
                guard error != .refused(.wrongOwner) else { throw .unsafeFolder(.wrongOwner) }
            }
            if isNew { try Self.synchronize(Self.split(parts.folder).folder) }
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
    ///
    /// A database of ours has no journal: `setJournalAside` sees to what has its name.
    func checkFiles() throws(SQLiteError) {
        for suffix in ["", "-wal", "-shm"] {
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

    /// Makes an empty file for this user only.
    func createFile() throws(SQLiteError) {
        do throws(FileError) { _ = try Descriptor(making: path) } catch { throw Self.fault(error) }
    }

    /// Makes an empty log, where there is none; without it SQLite makes one.
    func makeLog() { _ = try? Descriptor(making: path + "-wal") }

    /// Where the database lies while it is being made.
    var draft: DatabaseLocation { DatabaseLocation(folder: folder, name: name + ".new") }

    /// Removes whatever has the name of the file, or of one that SQLite keeps beside it.
    func removeFiles() throws(SQLiteError) {
        do throws(FileError) {
            let opened = try OpenFolder(folder)
            for suffix in ["", "-wal", "-shm", "-journal"] {
                guard let status = Self.status(of: path + suffix) else { continue }
                guard !status.isFolder else { throw .refused(.notARegularFile) }
                try opened.remove(name + suffix)
            }
        } catch {
            throw Self.fault(error)
        }
    }

    /// Gives the file the name of another place, where nothing is or an empty file.
    ///
    /// - Throws: `.cannotOpen` when anything else is there.
    func move(to target: DatabaseLocation) throws(SQLiteError) {
        do throws(FileError) {
            try OpenFolder(folder).move(name, to: target.name, replacing: target.isThere)
        } catch {
            throw error == .taken ? .cannotOpen : Self.fault(error)
        }
    }

    /// Gives what lies in the place of a journal another name, under which SQLite does not look for it.
    ///
    /// Whatever it is, it is not ours: it may have been planted, with the name of a file in it that SQLite would delete, or be
    /// left of another program's work on the file. It is kept, for it may tell its owner something.
    func setJournalAside() throws(SQLiteError) {
        guard Self.status(of: path + "-journal") != nil else { return }
        do throws(FileError) {
            let opened = try OpenFolder(folder)
            var target = name + "-journal.not-ours"
            var number = 1
            while true {
                do throws(FileError) {
                    try opened.move(name + "-journal", to: target)
                    break
                } catch {
                    // Another process may have done it.
                    if error == .absent { break }
                    guard error == .taken, number < 1_000 else { throw error }
                }
                number += 1
                target = name + "-journal.not-ours-\(number)"
            }
        } catch {
            throw Self.fault(error)
        }
    }

    private static func fault(_ error: FileError) -> SQLiteError {
        if case .refused(let flaw) = error { return .unsafeFile(flaw) }
        switch error.number {
        case ENOSPC, EDQUOT: return .full
        case EROFS: return .readOnly
        case EIO: return .ioError(extended: 0)
        default: return .cannotOpen
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

    /// Whether anything has the file's name.
    var isThere: Bool { Self.status(of: path) != nil }

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
