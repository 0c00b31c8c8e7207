internal import CSQLite

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The system's files as SQLite reaches them, but for one thing: a log that is there is opened as one that is there.
///
/// SQLite always asks for a new one, and where it does, the first flush of the log flushes the folder too. Ours stays when a
/// database is closed, so that its folder has known it for long: that flush was one of seven in an unlock.
@safe package enum LogKeepingFiles {
    /// What SQLite knows them by; nil where it took no other.
    package static let name: String? = {
        guard let system = unsafe sqlite3_vfs_find(nil) else { return nil }
        let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        unsafe own.initialize(to: system.pointee)
        unsafe own.pointee.pNext = nil
        unsafe own.pointee.zName = UnsafePointer(strdup(registeredName))
        unsafe own.pointee.xOpen = { _, path, file, flags, outFlags in
            guard let system = unsafe sqlite3_vfs_find(nil) else { return SQLITE_CANTOPEN }
            let isThere = unsafe flags & SQLITE_OPEN_WAL != 0 && path.map { unsafe access($0, F_OK) == 0 } == true
            let wanted = isThere ? flags & ~SQLITE_OPEN_CREATE : flags
            return unsafe system.pointee.xOpen(system, path, file, wanted, outFlags)
        }
        // Never the default: another library's databases are no business of ours.
        guard unsafe sqlite3_vfs_register(own, 0) == SQLITE_OK else { return nil }
        return registeredName
    }()

    private static let registeredName = "thumbturn-log"
}
