#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Why a file or a folder was not opened, read or written.
package enum FileError: Error, Hashable, Sendable {
    /// Nothing is there.
    case absent
    /// The name is taken.
    case taken
    /// What is there may not be used.
    case refused(FileFlaw)
    /// The file is longer than it may be.
    case tooLarge
    /// The file ended before all of it was read.
    case cutShort
    /// Somebody kept the lock for too long.
    case busy
    /// A call of the system failed, with its `errno`.
    case system(Int32)

    /// Sorts the `errno` of a call that names a file and follows no link.
    init(errno number: Int32) {
        self =
            switch number {
            case ENOENT: .absent
            case EEXIST: .taken
            case ELOOP: .refused(.symbolicLink)
            default: .system(number)
            }
    }

    /// The `errno` that says the most of it.
    package var number: Int32 {
        switch self {
        case .absent: ENOENT
        case .taken: EEXIST
        case .refused(.symbolicLink): ELOOP
        case .refused(.notAFolder): ENOTDIR
        case .refused: EPERM
        case .tooLarge: EFBIG
        case .cutShort: EIO
        case .busy: EAGAIN
        case .system(let number): number
        }
    }
}

/// What is wrong with a file, or a folder, that is to be used.
package enum FileFlaw: Hashable, Sendable {
    /// A link lies in its place.
    case symbolicLink
    /// What lies in the place of a file is none.
    case notARegularFile
    /// What lies in the place of a folder is none.
    case notAFolder
    /// It has a second name elsewhere.
    case hardLinked
    /// It is another user's.
    case wrongOwner
    /// Its mode lets others in.
    case wrongMode
}
