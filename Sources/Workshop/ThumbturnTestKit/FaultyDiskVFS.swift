internal import CSQLite

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension FaultyDisk {
    /// Enters the disk in SQLite's list of VFSs, for as long as the returned object lives.
    func register() -> AnyObject { FaultyDiskRegistration(of: self) }
}

/// The C side of a `FaultyDisk`: its entry in SQLite's list of VFSs while this object lives.
///
/// The memory of each file that SQLite opens is: `sqlite3_file` · retained `FaultyFile` · the system's file. The
/// `FaultyFile` keeps the disk alive while any connection uses it.
@safe private final class FaultyDiskRegistration {
    private let vfs: UnsafeMutablePointer<sqlite3_vfs>
    private let methods: UnsafeMutablePointer<sqlite3_io_methods>
    private let name: UnsafeMutablePointer<CChar>

    init(of disk: FaultyDisk) {
        let characters = disk.vfsName.utf8CString
        unsafe name = .allocate(capacity: characters.count)
        for (index, character) in characters.enumerated() { unsafe (name + index).initialize(to: character) }
        unsafe methods = .allocate(capacity: 1)
        unsafe methods.initialize(to: Self.makeMethods())
        unsafe vfs = .allocate(capacity: 1)
        // Copy the system's functions for full paths, randomness, time and the rest.
        unsafe vfs.initialize(to: disk.base.pointee)
        unsafe vfs.pointee.pNext = nil
        unsafe vfs.pointee.zName = UnsafePointer(name)
        unsafe vfs.pointee.szOsFile = Int32(FaultyFile.headerByteCount) + disk.base.pointee.szOsFile
        unsafe vfs.pointee.pAppData = Unmanaged.passUnretained(disk).toOpaque()
        unsafe vfs.pointee.xOpen = openFile
        unsafe vfs.pointee.xDelete = deleteFile
        unsafe disk.methods = UnsafePointer(methods)
        unsafe sqlite3_vfs_register(vfs, 0)
    }

    deinit {
        unsafe sqlite3_vfs_unregister(vfs)
        unsafe vfs.deallocate()
        unsafe methods.deallocate()
        unsafe name.deallocate()
    }

    /// Version 2, which has shared memory for the log but no memory-mapped reads: those would bypass the disk.
    private static func makeMethods() -> sqlite3_io_methods {
        var methods = sqlite3_io_methods()
        methods.iVersion = 2
        unsafe methods.xClose = closeFile
        unsafe methods.xRead = readFile
        unsafe methods.xWrite = writeFile
        unsafe methods.xTruncate = truncateFile
        unsafe methods.xSync = syncFile
        unsafe methods.xFileSize = { unsafe system($0).methods.xFileSize(system($0).file, $1) }
        unsafe methods.xLock = { unsafe system($0).methods.xLock(system($0).file, $1) }
        unsafe methods.xUnlock = { unsafe system($0).methods.xUnlock(system($0).file, $1) }
        unsafe methods.xCheckReservedLock = { unsafe system($0).methods.xCheckReservedLock(system($0).file, $1) }
        unsafe methods.xFileControl = { unsafe system($0).methods.xFileControl(system($0).file, $1, $2) }
        unsafe methods.xSectorSize = { unsafe system($0).methods.xSectorSize(system($0).file) }
        unsafe methods.xDeviceCharacteristics = {
            // Batches of atomic writes would bypass the disk.
            unsafe system($0).methods.xDeviceCharacteristics(system($0).file) & ~SQLITE_IOCAP_BATCH_ATOMIC
        }
        unsafe methods.xShmMap = { unsafe system($0).methods.xShmMap(system($0).file, $1, $2, $3, $4) }
        unsafe methods.xShmLock = { unsafe system($0).methods.xShmLock(system($0).file, $1, $2, $3) }
        unsafe methods.xShmBarrier = { unsafe system($0).methods.xShmBarrier(system($0).file) }
        unsafe methods.xShmUnmap = { unsafe system($0).methods.xShmUnmap(system($0).file, $1) }
        return methods
    }
}

/// SQLite's extended result codes `SQLITE_IOERR_…`, macros that Swift cannot import.
private enum IOFailure {
    static let read = SQLITE_IOERR | 1 << 8
    static let write = SQLITE_IOERR | 3 << 8
    static let sync = SQLITE_IOERR | 4 << 8
    static let truncate = SQLITE_IOERR | 6 << 8
    static let delete = SQLITE_IOERR | 10 << 8
}

/// An open file; a temporary one has no path and no faults.
private final class FaultyFile {
    static let headerByteCount = 2 * MemoryLayout<UInt>.stride

    let disk: FaultyDisk
    let path: String?
    let name: String

    init(disk: FaultyDisk, path: String?) {
        self.disk = disk
        self.path = path
        name = path.map(lastComponent) ?? "temporary"
    }

    static func of(_ file: UnsafeMutablePointer<sqlite3_file>?) -> FaultyFile {
        unsafe context(of: file).takeUnretainedValue()
    }

    static func context(of file: UnsafeMutablePointer<sqlite3_file>?) -> Unmanaged<FaultyFile> {
        guard let slot = unsafe UnsafeRawPointer(file)?.advanced(by: MemoryLayout<sqlite3_file>.stride) else {
            preconditionFailure("SQLite passed no file")
        }
        return unsafe Unmanaged.fromOpaque(slot.load(as: UnsafeRawPointer.self))
    }
}

/// Returns the system's file inside ours, and its methods.
private func system(
    _ file: UnsafeMutablePointer<sqlite3_file>?
) -> (file: UnsafeMutablePointer<sqlite3_file>, methods: sqlite3_io_methods) {
    guard let raw = UnsafeMutableRawPointer(file) else { preconditionFailure("SQLite passed no file") }
    let inner = unsafe (raw + FaultyFile.headerByteCount).assumingMemoryBound(to: sqlite3_file.self)
    return unsafe (inner, inner.pointee.pMethods.pointee)
}

private func disk(of vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> FaultyDisk {
    guard let data = unsafe vfs?.pointee.pAppData else { preconditionFailure("SQLite passed no VFS") }
    return unsafe Unmanaged<FaultyDisk>.fromOpaque(data).takeUnretainedValue()
}

private func lastComponent(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

private func openFile(
    _ vfs: UnsafeMutablePointer<sqlite3_vfs>?,
    _ zName: UnsafePointer<CChar>?,
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
) -> Int32 {
    let disk = unsafe disk(of: vfs)
    let path = unsafe zName.map { unsafe String(cString: $0) }
    guard let file = unsafe file else { return SQLITE_MISUSE }
    unsafe file.pointee.pMethods = nil
    let raw = UnsafeMutableRawPointer(file)
    let inner = unsafe (raw + FaultyFile.headerByteCount).assumingMemoryBound(to: sqlite3_file.self)

    func open() -> Int32 { unsafe disk.base.pointee.xOpen(disk.base, zName, inner, flags, outFlags) }
    var result: Int32
    if let path, flags & SQLITE_OPEN_CREATE != 0 {
        var didOpen = false
        result = disk.perform("open \(lastComponent(of: path))", failingWith: SQLITE_CANTOPEN) {
            let isNew = unsafe access(path, F_OK) != 0
            let result = open()
            didOpen = result == SQLITE_OK
            if didOpen, isNew { disk.remember(.created, at: path) }
            return result
        }
        if didOpen, result != SQLITE_OK { _ = unsafe inner.pointee.pMethods.pointee.xClose(inner) }
    } else {
        result = disk.isDead ? SQLITE_CANTOPEN : open()
    }
    guard result == SQLITE_OK else { return result }
    let context = unsafe Unmanaged.passRetained(FaultyFile(disk: disk, path: path)).toOpaque()
    unsafe (raw + MemoryLayout<sqlite3_file>.stride).storeBytes(of: context, as: UnsafeMutableRawPointer.self)
    unsafe file.pointee.pMethods = disk.methods
    return SQLITE_OK
}

private func deleteFile(
    _ vfs: UnsafeMutablePointer<sqlite3_vfs>?,
    _ zName: UnsafePointer<CChar>?,
    _ syncsFolder: Int32
) -> Int32 {
    let disk = unsafe disk(of: vfs)
    guard let path = unsafe zName.map({ unsafe String(cString: $0) }) else { return SQLITE_MISUSE }
    return disk.perform("delete \(lastComponent(of: path))", failingWith: IOFailure.delete) {
        let old = UnsyncedChanges.contents(of: path)
        let result = unsafe disk.base.pointee.xDelete(disk.base, zName, 0)
        guard result == SQLITE_OK else { return result }
        disk.remember(.deleted(old: old ?? []), at: path)
        if syncsFolder != 0 { disk.rememberFolderSync(of: path) }
        return result
    }
}

private func closeFile(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
    let result = unsafe system(file).methods.xClose(system(file).file)
    unsafe FaultyFile.context(of: file).release()
    return result
}

private func readFile(
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ buffer: UnsafeMutableRawPointer?,
    _ count: Int32,
    _ offset: Int64
) -> Int32 {
    guard unsafe !FaultyFile.of(file).disk.isDead else { return IOFailure.read }
    return unsafe system(file).methods.xRead(system(file).file, buffer, count, offset)
}

private func writeFile(
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ buffer: UnsafeRawPointer?,
    _ count: Int32,
    _ offset: Int64
) -> Int32 {
    let known = unsafe FaultyFile.of(file)
    return known.disk.perform("write \(known.name)", isWrite: true, failingWith: IOFailure.write) {
        unsafe rememberOverwriting(file, known, offset: Int(offset), count: Int(count))
        return unsafe system(file).methods.xWrite(system(file).file, buffer, count, offset)
    }
}

private func truncateFile(_ file: UnsafeMutablePointer<sqlite3_file>?, _ length: Int64) -> Int32 {
    let known = unsafe FaultyFile.of(file)
    return known.disk.perform("truncate \(known.name)", failingWith: IOFailure.truncate) {
        unsafe rememberOverwriting(file, known, offset: Int(length), count: nil)
        return unsafe system(file).methods.xTruncate(system(file).file, length)
    }
}

private func syncFile(_ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32) -> Int32 {
    let known = unsafe FaultyFile.of(file)
    return known.disk.perform("sync \(known.name)", failingWith: IOFailure.sync) {
        if let path = known.path { known.disk.rememberSync(of: path) }
        return SQLITE_OK
    }
}

/// Records what a write of `count` bytes, or a truncation (`nil`), is about to destroy.
///
/// It reads through SQLite's own descriptor: opening and closing another one would release this process's locks on the
/// file.
private func rememberOverwriting(
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ known: FaultyFile,
    offset: Int,
    count: Int?
) {
    guard let path = known.path else { return }
    let inner = unsafe system(file)
    var length: Int64 = 0
    precondition(unsafe inner.methods.xFileSize(inner.file, &length) == SQLITE_OK)
    let count = count ?? max(0, Int(length) - offset)
    var old = [UInt8](repeating: 0, count: min(count, max(0, Int(length) - offset)))
    if !old.isEmpty {
        precondition(unsafe inner.methods.xRead(inner.file, &old, Int32(old.count), Int64(offset)) == SQLITE_OK)
    }
    known.disk.remember(.overwritten(offset: offset, count: count, old: old, length: Int(length)), at: path)
}
