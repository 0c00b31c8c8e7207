internal import CSQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// The system's file access for SQLite, with two changes.
///
/// An existing log is opened without asking to create it. SQLite always asks to create one, and then the first flush of
/// the log also flushes the folder. Our log stays when a database is closed, so its folder entry is durable already:
/// that flush was one of seven in an unlock.
///
/// There is no journal, nor any file that one names: a database of ours never has one, so a file with that name, even
/// one planted this moment, is not played back, and nothing is deleted because of it.
@safe package enum LogKeepingFiles {
    /// The name under which it is registered with SQLite; nil if that failed.
    package static let name: String? = {
        guard let system = unsafe sqlite3_vfs_find(nil) else { return nil }
        let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        unsafe own.initialize(to: system.pointee)
        unsafe own.pointee.pNext = nil
        unsafe own.pointee.zName = UnsafePointer(strdup(registeredName))
        unsafe own.pointee.xOpen = { _, path, file, flags, outFlags in
            guard let system = unsafe sqlite3_vfs_find(nil), flags & journals == 0 else { return SQLITE_CANTOPEN }
            let isThere = unsafe flags & SQLITE_OPEN_WAL != 0 && path.map { unsafe access($0, F_OK) == 0 } == true
            let wanted = isThere ? flags & ~SQLITE_OPEN_CREATE : flags
            return unsafe system.pointee.xOpen(system, path, file, wanted, outFlags)
        }
        unsafe own.pointee.xAccess = { _, path, flags, answer in
            guard let system = unsafe sqlite3_vfs_find(nil) else { return SQLITE_IOERR }
            guard unsafe !ends(path, with: "-journal") else {
                unsafe answer?.pointee = 0
                return SQLITE_OK
            }
            return unsafe system.pointee.xAccess(system, path, flags, answer)
        }
        unsafe own.pointee.xDelete = { _, path, synchronizes in
            guard let system = unsafe sqlite3_vfs_find(nil), unsafe ends(path, with: "-wal") else {
                return SQLITE_IOERR
            }
            return unsafe system.pointee.xDelete(system, path, synchronizes)
        }
        // Never the default: it must not affect another library's databases.
        guard unsafe sqlite3_vfs_register(own, 0) == SQLITE_OK else { return nil }
        return registeredName
    }()

    private static let registeredName = "thumbturn-log"
}

/// The kinds of a journal: of one database, or the super-journal of several.
private let journals = SQLITE_OPEN_MAIN_JOURNAL | 0x4000

private func ends(_ path: UnsafePointer<CChar>?, with suffix: StaticString) -> Bool {
    guard let path = unsafe path else { return false }
    let start = unsafe strlen(path) - suffix.utf8CodeUnitCount
    guard start >= 0 else { return false }
    return unsafe memcmp(path + start, suffix.utf8Start, suffix.utf8CodeUnitCount) == 0
}
