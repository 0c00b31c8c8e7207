/// A file that keeps a lock: one open file at a time has it, of whichever process.
package final class FileLock: Sendable {
    private let file: Descriptor

    /// Opens the file, and makes it when it is missing.
    ///
    /// A pipe would lock too, and a file of two names would be another folder's lock.
    package init(_ path: String) throws(FileError) {
        file = try Descriptor(opening: path, for: .making, Demands(.file, hasOneName: true))
    }

    /// Takes the lock if nobody has it.
    ///
    /// - Returns: whether it did.
    package func tryAcquire() throws(FileError) -> Bool { try file.tryLock() }

    /// Waits for the lock, and keeps this thread.
    ///
    /// - Throws: `.busy` when others keep it for so many milliseconds.
    package func acquire(within milliseconds: Int64) throws(FileError) { try file.lock(within: milliseconds) }

    /// Lets go of the lock.
    package func release() { file.unlock() }
}
