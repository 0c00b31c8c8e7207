/// What is wrong with storage, where a code is too coarse to say what would mend it.
package enum StorageFault: Hashable, Sendable {
    /// Others may open a file, or the folder.
    case openFile, openFolder
    /// A file, or the folder, is another user's.
    case foreignFile, foreignFolder
    /// A link lies in the place of a file, or of the folder.
    case linkedFile, linkedFolder
    /// A file has a second name elsewhere.
    case secondName
    /// What lies in the place of a file is none.
    case noFile
    /// What lies in the place of the folder is none.
    case noFolder
    /// Nothing can be written there.
    case readOnly
    /// The system does not let this user in.
    case forbidden
    /// A file, or the folder, can't be opened.
    case notOpened
    /// This process, or the system, has too many files open.
    case tooManyFiles
    /// The file system has no locks that keep processes apart.
    case noLocks
    /// The file system has no memory that processes share.
    case noSharedMemory
    /// The system gives no more memory.
    case outOfMemory
    /// The disk reported an error.
    case diskFailed
    /// The code says all that a person can use.
    case unnamed
}
