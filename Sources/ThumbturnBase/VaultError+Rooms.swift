package import ThumbturnCrypto
package import ThumbturnFiles
package import ThumbturnRules
package import ThumbturnSQLite

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// What other rooms throw, in our words.
extension VaultError {
    /// What a database suffers from.
    package init(_ error: SQLiteError) {
        let code: ErrorCode =
            switch error {
            case .busy: .busy
            // The index of the log could not grow (SQLITE_IOERR_SHMSIZE): that too is a full disk.
            case .full, .ioError(extended: 4_874): .diskFull
            case .notADatabase, .corrupt, .schemaMismatch, .constraint, .tooBig: .vaultDamaged
            case .newerFormat: .vaultNewer
            case .unsafeFile, .unsafeFolder: .vaultUnsafe
            case .readOnly, .cannotOpen, .ioError, .other: .storageUnavailable
            }
        self.init(code, "\(error)", fault: StorageFault(error))
    }

    /// A system call that failed.
    package init(_ call: String, errno number: Int32) {
        self.init(.storageUnavailable, "\(call): errno \(number)", fault: StorageFault(errno: number))
    }

    /// A file that could not be used as `call` wanted.
    package init(_ call: String, _ error: FileError) {
        let code: ErrorCode =
            switch error {
            case .refused: .vaultUnsafe
            case .busy: .busy
            case .system(ENOSPC), .system(EDQUOT): .diskFull
            case .absent, .taken, .tooLarge, .cutShort, .system: .storageUnavailable
            }
        self.init(code, "\(call): \(error)", fault: StorageFault(error))
    }

    /// What a device refuses.
    package init(_ refusal: DeviceRefusal) {
        let code: ErrorCode =
            switch refusal {
            case .absent: .keyMissing
            case .weakerThanAsked: .protectionDropped
            case .cancelledByUser, .cancelledBySystem: .promptCancelled
            case .notRecognised, .lockedOut: .biometricsNotRecognised
            case .notEnrolled, .hardwareMissing: .biometricsUnavailable
            case .revoked: .biometricsChanged
            case .wrongAuthorisation: .strongFactorRefused
            case .fallbackChosen, .unclassified: .strongFactorRequired
            case .unavailable: .storageUnavailable
            }
        self.init(code, "device: \(refusal)")
    }

    /// What crypto refuses while something of the vault is opened or made.
    package init(_ error: CryptoError) {
        switch error {
        case .authenticationFailed: self.init(.vaultTampered)
        case .malformed, .parametersOutOfRange: self.init(.vaultDamaged, "\(error)")
        case .outOfMemory, .backendFailed: self.init(.storageUnavailable, "crypto: \(error)")
        }
    }
}

/// Runs `body` and gives what it throws our words.
package func translating<Result: ~Copyable>(_ body: () throws(CryptoError) -> Result) throws(VaultError) -> Result {
    do { return try body() } catch { throw VaultError(error) }
}

/// Runs `body` and gives what it throws our words.
package func storing<Result: ~Copyable>(_ body: () throws(SQLiteError) -> Result) throws(VaultError) -> Result {
    do { return try body() } catch { throw VaultError(error) }
}
