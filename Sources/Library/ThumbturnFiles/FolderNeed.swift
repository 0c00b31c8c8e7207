#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What a vault needs of the file system that it lies on; a network disk may have neither.
package enum FolderNeed: Hashable, Sendable {
    /// Locks of a file, and of a part of one, which keep processes apart.
    case locks
    /// Memory of a file that processes share.
    case sharedMemory

    /// What the file system of a folder lacks, asked with a file that is made and removed; nil where it lacks nothing, and where
    /// none can be made.
    package static func missing(in folder: String) -> FolderNeed? {
        let path = folder + "/.thumbturn-probe"
        // One that a crash left, or another process makes just now.
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
        guard unsafe memory != MAP_FAILED else { return .sharedMemory }
        _ = unsafe munmap(memory, count)
        return nil
    }

    /// Whether parts of a file can't be locked on its file system; asked of a file that is there, on which nobody has any.
    package static func lacksLocks(_ path: String) -> Bool {
        guard let file = try? Descriptor(opening: path, for: .writing, .plainFile) else { return false }
        return !file.hasRecordLocks
    }
}

extension Descriptor {
    /// Whether parts of it can be locked: asked only, so that nobody waits for the answer.
    fileprivate var hasRecordLocks: Bool {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_len = 1
        return unsafe fcntl(number, F_GETLK, &lock) == 0
    }
}
