#if canImport(Glibc)
import Glibc
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// Why a file or a folder was not opened, read or written.
package enum FileError: Error, Hashable, Sendable {
    /// There is nothing at the path.
    case absent
    /// The name is taken.
    case taken
    /// The file or folder may not be used.
    case refused(FileFlaw)
    /// The file is longer than allowed.
    case tooLarge
    /// The file ended before all of it was read.
    case cutShort
    /// Another process kept the lock for too long.
    case busy
    /// A system call failed, with its `errno`.
    case system(Int32)

    /// Classifies the `errno` of a call that names a file and follows no link.
    init(errno number: Int32) {
        self =
            switch number {
            case ENOENT: .absent
            case EEXIST: .taken
            case ELOOP: .refused(.symbolicLink)
            default: .system(number)
            }
    }

    /// The `errno` that describes it best.
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

extension FileError {
    /// The `errno` that the system returned; nil if the error is our own finding.
    package var systemNumber: Int32? {
        switch self {
        case .absent, .taken, .refused(.symbolicLink): number
        case .system(let number): number
        case .refused, .tooLarge, .cutShort, .busy: nil
        }
    }
}

/// What is wrong with a file or a folder.
package enum FileFlaw: Hashable, Sendable {
    /// It is a symbolic link.
    case symbolicLink
    /// It should be a regular file, and is not.
    case notARegularFile
    /// It should be a folder, and is not.
    case notAFolder
    /// It has a second name elsewhere.
    case hardLinked
    /// It belongs to another user.
    case wrongOwner
    /// Its mode gives access to other users.
    case wrongMode
}
