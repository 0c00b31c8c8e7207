import ThumbturnFiles
import ThumbturnRules
import ThumbturnSQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

// Storage faults, derived from the errors of the rooms below.
extension StorageFault {
    init(errno number: Int32) {
        self =
            switch number {
            case EACCES, EPERM: .forbidden
            case ENOTDIR: .noFolder
            case EROFS: .readOnly
            case EMFILE, ENFILE: .tooManyFiles
            case EIO: .diskFailed
            case ENOLCK: .noLocks
            case ENOMEM: .outOfMemory
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
            // SQLITE_IOERR_RDLOCK, SQLITE_IOERR_LOCK, SQLITE_IOERR_CHECKRESERVEDLOCK, SQLITE_IOERR_SHMLOCK
            case .ioError(extended: 2_314), .ioError(extended: 3_850), .ioError(extended: 3_594),
                .ioError(extended: 5_130):
                .noLocks
            case .ioError(extended: 5_386): .noSharedMemory  // SQLITE_IOERR_SHMMAP
            case .ioError(extended: 3_082), .other(7): .outOfMemory  // SQLITE_IOERR_NOMEM, SQLITE_NOMEM
            case .ioError: .diskFailed
            case .busy, .full, .notADatabase, .corrupt, .constraint, .schemaMismatch, .newerFormat, .tooBig, .other:
                .unnamed
            }
    }

    init(_ need: FolderNeed) {
        self =
            switch need {
            case .locks: .noLocks
            case .sharedMemory: .noSharedMemory
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
