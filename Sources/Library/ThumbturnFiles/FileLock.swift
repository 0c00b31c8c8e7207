/// A lock file: one open file at a time has the lock, in any process.
package final class FileLock: Sendable {
    private let file: Descriptor

    /// Opens the file; creates it if it is missing.
    ///
    /// A pipe could be locked too, and a file with two names could be another folder's lock, so both are refused.
    package init(_ path: String) throws(FileError) {
        file = try Descriptor(opening: path, for: .making, Demands(.file, hasOneName: true))
    }

    /// Acquires the lock if it is free.
    ///
    /// - Returns: whether it did.
    package func tryAcquire() throws(FileError) -> Bool { try file.tryLock() }

    /// Waits for the lock, blocking this thread.
    ///
    /// - Throws: `.busy` when the lock is not free within this many milliseconds.
    package func acquire(within milliseconds: Int64) throws(FileError) { try file.lock(within: milliseconds) }

    /// Releases the lock.
    package func release() { file.unlock() }
}
