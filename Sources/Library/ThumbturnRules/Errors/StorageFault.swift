/// The storage problem, when a code is too coarse to tell how to fix it.
package enum StorageFault: Hashable, Sendable {
    /// Other users may open a file, or the folder.
    case openFile, openFolder
    /// A file, or the folder, belongs to another user.
    case foreignFile, foreignFolder
    /// A symbolic link is in the place of a file, or of the folder.
    case linkedFile, linkedFolder
    /// A file has a second hard link.
    case secondName
    /// The path of a file leads to something that is no file.
    case noFile
    /// The path of the folder leads to something that is no folder.
    case noFolder
    /// The file system is read-only.
    case readOnly
    /// The system denies this user access.
    case forbidden
    /// A file, or the folder, can't be opened.
    case notOpened
    /// This process, or the system, has too many files open.
    case tooManyFiles
    /// The file system has no locks between processes.
    case noLocks
    /// The file system has no shared memory between processes.
    case noSharedMemory
    /// The system is out of memory.
    case outOfMemory
    /// The disk reported an error.
    case diskFailed
    /// The code already says everything that helps a person.
    case unnamed
}
