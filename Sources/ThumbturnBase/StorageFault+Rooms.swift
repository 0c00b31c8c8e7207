import ThumbturnFiles
import ThumbturnRules
import ThumbturnSQLite

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// What is wrong with storage, by what the rooms below say of it.
extension StorageFault {
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
