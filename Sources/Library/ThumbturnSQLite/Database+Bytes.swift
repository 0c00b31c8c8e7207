internal import CSQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

// Reads the files through the connection's own descriptors: opening and closing another one would release the
// connection's locks (POSIX).
extension Database {
    /// Returns the length of the database's file, without its log.
    package func byteCount() throws(SQLiteError) -> Int { Int(try databaseFile().byteCount()) }

    /// Returns the length that the file has once everything in the log was moved into it.
    package func wholeByteCount() throws(SQLiteError) -> Int {
        Int(try number("PRAGMA page_count") * Self.pageByteCount)
    }

    /// Whether no part of the file is free to be overwritten: no free page, and no byte past the last page.
    package func hasNoFreePages() throws(SQLiteError) -> Bool {
        guard try number("PRAGMA freelist_count") == 0 else { return false }
        return try byteCount() <= wholeByteCount()
    }

    /// The pages from which a write takes new ones: those listed as free, then those behind the last.
    package struct Room {
        fileprivate let free: Int64
        fileprivate let count: Int64
        fileprivate let isLonger: Bool
    }

    /// Measures the room before a write.
    package func room() throws(SQLiteError) -> Room {
        let count = try number("PRAGMA page_count")
        let free = try number("PRAGMA freelist_count")
        return Room(free: free, count: count, isLonger: Int64(try byteCount()) > count * Self.pageByteCount)
    }

    /// Whether what was written since took no page that something else uses: a damaged list may call one free.
    ///
    /// Reads the whole file, but only if a page was listed as free before, and the list has changed.
    package func tookNoUsedPage(since former: Room) throws(SQLiteError) -> Bool {
        let now = try room()
        if now.count > former.count, former.isLonger { return false }
        guard former.free > 0, now.free != former.free else { return true }
        do throws(SQLiteError) { return try rows("PRAGMA quick_check").first?.text(0) == "ok" } catch
            where error.isDamage
        {
            return false
        }
    }

    /// Returns bytes of the file, for rows that SQLite no longer reaches; fewer at the end of the file.
    package func bytes(at offset: Int, count: Int) throws(SQLiteError) -> [UInt8] {
        let file = try databaseFile()
        let rest = min(Int64(count), try file.byteCount() - Int64(offset))
        return rest > 0 ? try file.read(Int(rest), at: Int64(offset)) : []
    }

    private func databaseFile() throws(SQLiteError) -> File {
        guard let file = try file(SQLITE_FCNTL_FILE_POINTER) else { throw .cannotOpen }
        return file
    }

    func file(_ which: Int32) throws(SQLiteError) -> File? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = unsafe withUnsafeMutablePointer(to: &file) { file in
            unsafe sqlite3_file_control(handle, "main", which, file)
        }
        guard code == SQLITE_OK else { throw SQLiteError(code: code) }
        guard let file = unsafe file, let methods = unsafe file.pointee.pMethods else { return nil }
        return unsafe File(file: file, methods: methods.pointee)
    }

    @safe struct File {
        // Safe: it is used at once, while its connection is open.
        fileprivate let file: UnsafeMutablePointer<sqlite3_file>
        fileprivate let methods: sqlite3_io_methods

        func byteCount() throws(SQLiteError) -> Int64 {
            var length: Int64 = 0
            try check(unsafe methods.xFileSize(file, &length))
            return length
        }

        func read(_ count: Int, at offset: Int64) throws(SQLiteError) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            try check(unsafe methods.xRead(file, &bytes, Int32(count), offset))
            return bytes
        }

        func write(_ bytes: [UInt8], at offset: Int64) throws(SQLiteError) {
            try check(unsafe methods.xWrite(file, bytes, Int32(bytes.count), offset))
        }

        func synchronize() throws(SQLiteError) { try check(unsafe methods.xSync(file, SQLITE_SYNC_FULL)) }

        private func check(_ code: Int32) throws(SQLiteError) {
            let reason = errno
            guard code == SQLITE_OK else { throw SQLiteError(code: code, errno: reason) }
        }
    }
}
