import ThumbturnFiles
import ThumbturnSQLite

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

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
    /// The disk reported an error.
    case diskFailed
    /// The code says all that a person can use.
    case unnamed

    init(errno number: Int32) {
        self =
            switch number {
            case EACCES, EPERM: .forbidden
            case ENOTDIR: .noFolder
            case EROFS: .readOnly
            case EMFILE, ENFILE: .tooManyFiles
            case EIO: .diskFailed
            default: .unnamed
            }
    }

    init(_ error: SQLiteError) {
        self =
            switch error {
            case .unsafeFile(let flaw): Self(flaw)
            case .unsafeFolder(let flaw): Self(ofFolder: flaw)
            case .readOnly: .readOnly
            case .cannotOpen: .notOpened
            case .ioError: .diskFailed
            case .busy, .full, .notADatabase, .corrupt, .constraint, .schemaMismatch, .newerFormat, .tooBig, .other:
                .unnamed
            }
    }

    init(_ error: FileError) {
        self =
            switch error {
            case .refused(let flaw): Self(flaw)
            case .absent, .taken, .tooLarge, .cutShort, .busy, .system: Self(errno: error.number)
            }
    }

    private init(_ flaw: FileFlaw) {
        self =
            switch flaw {
            case .symbolicLink: .linkedFile
            case .notARegularFile: .noFile
            case .notAFolder: .noFolder
            case .hardLinked: .secondName
            case .wrongOwner: .foreignFile
            case .wrongMode: .openFile
            }
    }

    private init(ofFolder flaw: FileFlaw) {
        self =
            switch flaw {
            case .symbolicLink: .linkedFolder
            case .notARegularFile, .notAFolder: .noFolder
            case .hardLinked: .unnamed
            case .wrongOwner: .foreignFolder
            case .wrongMode: .openFolder
            }
    }
}
