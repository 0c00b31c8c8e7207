internal import CSQLite
package import ThumbturnFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// Why a database call failed; says nothing about the data.
package enum SQLiteError: Error, Equatable, Sendable {
    /// Another connection held the database for longer than the busy timeout. Nothing changed; try again.
    case busy
    /// The disk is full.
    case full
    /// The file cannot be written.
    case readOnly
    /// The file or its folder cannot be opened; from `Database(creating:)` also: there is already something there.
    case cannotOpen
    /// The file is not a database, or belongs to another program.
    case notADatabase
    /// The file is damaged, or a value has another type than its column should hold.
    case corrupt
    /// A row broke a constraint of the schema.
    case constraint
    /// The disk failed. `extended` is SQLite's extended result code, for diagnostics.
    case ioError(extended: Int32)
    /// The tables are not exactly those of the format.
    case schemaMismatch
    /// The file was written by a newer version, whose `user_version` it carries.
    case newerFormat(Int32)
    /// The file could be read or replaced by others.
    case unsafeFile(FileFlaw)
    /// The folder could be read or changed by others.
    case unsafeFolder(FileFlaw)
    /// A value or row is longer than `Database.maximumValueByteCount`.
    case tooBig
    /// Any other primary result code of SQLite.
    case other(Int32)

    /// Whether the data read is damaged: a row that claims to be longer than any of ours is damaged too.
    package var isDamage: Bool { self == .corrupt || self == .tooBig }

    /// SQLite's result code, extended where it was kept; nil if the error is our own finding.
    package var resultCode: Int32? {
        switch self {
        case .busy: SQLITE_BUSY
        case .full: SQLITE_FULL
        case .readOnly: SQLITE_READONLY
        case .cannotOpen: SQLITE_CANTOPEN
        case .notADatabase: SQLITE_NOTADB
        case .corrupt: SQLITE_CORRUPT
        case .constraint: SQLITE_CONSTRAINT
        case .tooBig: SQLITE_TOOBIG
        case .ioError(let code), .other(let code): code
        case .schemaMismatch, .newerFormat, .unsafeFile, .unsafeFolder: nil
        }
    }

    /// Classifies an extended result code of SQLite other than success.
    ///
    /// - Parameter number: the `errno` behind a disk failure: SQLite does not recognise an exhausted quota as a full
    ///   disk.
    init(code: Int32, errno number: Int32 = 0) {
        self =
            switch code & 0xff {
            case SQLITE_IOERR where number == EDQUOT || number == ENOSPC: .full
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_FULL: .full
            case SQLITE_READONLY: .readOnly
            case SQLITE_CANTOPEN: .cannotOpen
            case SQLITE_NOTADB: .notADatabase
            case SQLITE_CORRUPT: .corrupt
            case SQLITE_CONSTRAINT: .constraint
            case SQLITE_IOERR: .ioError(extended: code)
            case SQLITE_TOOBIG: .tooBig
            case let primary: .other(primary)
            }
    }
}
