#if canImport(Glibc)
import Glibc
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// What a vault needs from its file system; a network disk may lack both.
package enum FolderNeed: Hashable, Sendable {
    /// Locks of a file, and of a range of one, which exclude other processes.
    case locks
    /// A file's memory shared between processes.
    case sharedMemory

    /// Finds out what a folder's file system lacks, with a temporary file; nil if it lacks nothing, or no file can be
    /// created.
    package static func missing(in folder: String) -> FolderNeed? {
        let path = folder + "/.thumbturn-probe"
        // A leftover of a crash, or another process's probe.
        _ = unsafe unlink(path)
        guard let file = try? Descriptor(making: path) else { return nil }
        defer { _ = unsafe unlink(path) }
        return missing(of: file)
    }

    private static func missing(of file: borrowing Descriptor) -> FolderNeed? {
        do throws(FileError) { _ = try file.tryLock() } catch { return .locks }
        guard file.hasRecordLocks else { return .locks }
        let count = 4_096
        guard (try? file.write([UInt8](repeating: 0, count: count))) != nil else { return nil }
        let memory = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, file.number, 0)
        // `MAP_FAILED`, which Android's module lacks.
        guard unsafe memory != UnsafeMutableRawPointer(bitPattern: -1) else { return .sharedMemory }
        _ = unsafe munmap(memory, count)
        return nil
    }

    /// Whether the file system can't lock ranges of a file; `path` is an existing file that no process has locked.
    package static func lacksLocks(_ path: String) -> Bool {
        guard let file = try? Descriptor(opening: path, for: .writing, .plainFile) else { return false }
        return !file.hasRecordLocks
    }
}

extension Descriptor {
    /// Whether ranges of it can be locked; only queries, so that no process has to wait.
    fileprivate var hasRecordLocks: Bool {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_len = 1
        return unsafe fcntl(number, F_GETLK, &lock) == 0
    }
}
