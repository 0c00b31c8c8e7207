import ThumbturnFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// A database file in a folder of its own, with every symbolic link above the folder resolved once.
///
/// Only this user may access either. Since the folder is checked first, no other user can replace a file between its
/// check and its use. No file of a database is ever opened here except to create it: closing any descriptor of a file
/// drops all POSIX locks that this process has on it, including those of SQLite's other connections.
struct DatabaseLocation {
    private let folder: String
    private let name: String

    private init(folder: String, name: String) { (self.folder, self.name) = (folder, name) }

    var path: String { folder + "/" + name }

    /// Finds the folder of `path`; creates it when `makesFolder` is set and it is missing.
    init(resolving path: String, makesFolder: Bool = false) throws(SQLiteError) {
        let parts = Self.split(path)
        guard !["", ".", ".."].contains(parts.name), !path.utf8.contains(0) else { throw .cannotOpen }
        name = parts.name
        if makesFolder {
            // Any other failure shows again below.
            var isNew = false
            do throws(FileError) { isNew = try OpenFolder.make(parts.folder) } catch {
                guard error != .refused(.wrongOwner) else { throw .unsafeFolder(.wrongOwner) }
            }
            if isNew { try Self.synchronize(Self.split(parts.folder).folder) }
        }
        // Before `realpath`, which would follow the link that must be refused.
        if let status = try Self.status(of: parts.folder), status.isSymbolicLink { throw .unsafeFolder(.symbolicLink) }
        guard let resolved = unsafe realpath(parts.folder, nil) else { throw .cannotOpen }
        defer { unsafe free(resolved) }
        folder = unsafe String(cString: resolved)
    }

    /// Checks that the folder is a folder of this user, closed to other users.
    func checkFolder() throws(SQLiteError) {
        do throws(FileError) { try FileStatus(of: folder).check(.privateFolder) } catch {
            guard case .refused(let flaw) = error, flaw != .notAFolder else { throw .cannotOpen }
            throw .unsafeFolder(flaw)
        }
    }

    /// Checks the database file and SQLite's files beside it, without opening any.
    ///
    /// A database of ours has no journal: `setJournalAside` handles a file with that name.
    func checkFiles() throws(SQLiteError) {
        for suffix in ["", "-wal", "-shm"] {
            guard let status = try Self.status(of: path + suffix) else {
                if suffix.isEmpty { throw .cannotOpen }
                continue
            }
            do throws(FileError) { try status.check(Demands(.file, hasOneName: true, others: .nothing)) } catch {
                guard case .refused(let flaw) = error else { throw .cannotOpen }
                throw .unsafeFile(flaw)
            }
        }
    }

    /// Creates an empty file for this user only.
    func createFile() throws(SQLiteError) {
        do throws(FileError) { _ = try Descriptor(making: path) } catch { throw Self.fault(error) }
    }

    /// Creates an empty log if there is none; if that fails, SQLite creates one.
    func makeLog() { _ = try? Descriptor(making: path + "-wal") }

    /// The location of the database while it is being created.
    var draft: DatabaseLocation { DatabaseLocation(folder: folder, name: name + ".new") }

    /// Removes the file, and the files that SQLite keeps beside it.
    func removeFiles() throws(SQLiteError) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            guard let status = try Self.status(of: path + suffix) else { continue }
            guard !status.isFolder else { throw .unsafeFile(.notARegularFile) }
            do throws(FileError) { try OpenFolder(folder).remove(name + suffix) } catch { throw Self.fault(error) }
        }
    }

    /// Moves the file to another location, which must be free or an empty file.
    ///
    /// - Throws: `.cannotOpen` when anything else is there.
    func move(to target: DatabaseLocation) throws(SQLiteError) {
        let isReplacing = try target.isThere
        do throws(FileError) {
            try OpenFolder(folder).move(name, to: target.name, replacing: isReplacing)
        } catch {
            throw error == .taken ? .cannotOpen : Self.fault(error)
        }
    }

    /// Renames a journal to a name that SQLite does not look for.
    ///
    /// It is never ours: an attacker may have planted it with the name of a file that SQLite would delete, or another
    /// program may have left it after working on the file. It is kept, because the user may need it.
    func setJournalAside() throws(SQLiteError) {
        guard try Self.status(of: path + "-journal") != nil else { return }
        do throws(FileError) {
            let opened = try OpenFolder(folder)
            var target = name + "-journal.not-ours"
            var number = 1
            while true {
                do throws(FileError) {
                    try opened.move(name + "-journal", to: target)
                    break
                } catch {
                    // Another process may have renamed it.
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
    func byteCount(ofFileWith suffix: String = "") throws(SQLiteError) -> Int64 {
        Int64(try Self.status(of: path + suffix)?.byteCount ?? 0)
    }

    /// Waits until no other process creates a database here, and excludes others while the returned value exists.
    ///
    /// - Returns: nil if the system can't lock a folder, as on NFS: then it does not wait.
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

    /// Whether there is anything with the file's name.
    var isThere: Bool { get throws(SQLiteError) { try Self.status(of: path) != nil } }

    /// Whether the log's file exists.
    var hasLog: Bool { get throws(SQLiteError) { try Self.status(of: path + "-wal") != nil } }

    /// Whether the system lets this user write the file and its folder.
    var isWritable: Bool { unsafe access(path, W_OK) == 0 && access(folder, W_OK) == 0 }

    /// Makes the folder's list of files survive power loss.
    func synchronizeFolder() throws(SQLiteError) { try Self.synchronize(folder) }

    private static func synchronize(_ folder: String) throws(SQLiteError) {
        let opened: Descriptor
        do { opened = try Descriptor(opening: folder, followingLinks: true, Demands(.folder, isOwn: false)) } catch {
            throw .cannotOpen
        }
        do { try opened.synchronize() } catch { throw .ioError(extended: 0) }
    }

    /// - Returns: nil only where there is nothing: a file that can't be looked at may hold a vault.
    private static func status(of path: String) throws(SQLiteError) -> FileStatus? {
        do throws(FileError) { return try FileStatus(of: path) } catch {
            guard error != .absent else { return nil }
            throw fault(error)
        }
    }

    /// Splits off the last component; removes the folder's trailing slashes, before which `lstat` would follow a link.
    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        var folder = path[..<slash]
        while folder.hasSuffix("/") { folder.removeLast() }
        return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
    }
}
