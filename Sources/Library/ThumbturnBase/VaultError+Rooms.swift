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

    /// A file system that no vault can lie on.
    package init(_ need: FolderNeed) {
        self.init(.storageUnavailable, "file system: \(need)", fault: StorageFault(need))
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

    /// A folder that can't be made, or used as one of this user alone.
    package init(folder error: FileError) {
        switch error {
        case .refused(.notAFolder): self.init(SQLiteError.cannotOpen)
        case .refused(let flaw): self.init(SQLiteError.unsafeFolder(flaw))
        case .absent, .taken, .tooLarge, .cutShort, .busy, .system: self.init("folder", error)
        }
    }

    /// What a device refuses to do.
    ///
    /// What the prompt of an unlock refuses is no error but an event, and `UnlockMachine` says what becomes of it.
    package init(_ refusal: DeviceRefusal, at call: DeviceCall) {
        let asked = if case .errand(let name) = call { name } else { "device" }
        self.init(refusal.code(at: call), "\(asked): \(refusal)")
    }

    /// What crypto refuses while something of the vault is opened or made.
    package init(_ error: CryptoError) {
        switch error {
        case .authenticationFailed: self.init(.vaultTampered)
        case .malformed, .parametersOutOfRange: self.init(.vaultDamaged, "\(error)")
        case .outOfMemory: self.init(.storageUnavailable, "crypto: \(error)", fault: .outOfMemory)
        case .backendFailed: self.init(.storageUnavailable, "crypto: \(error)")
        }
    }
}

extension DeviceRefusal {
    /// The one table of what a device refuses: a call keeps the general meaning, unless it names another.
    fileprivate func code(at call: DeviceCall) -> ErrorCode {
        switch (call, self) {
        case (.errand, _): .storageUnavailable
        // Nobody is asked for anything there, so no refusal is of a person.
        case (.makeDeviceSecret, .weakerThanAsked): .protectionDropped
        case (.makeDeviceSecret, .lockedOut): .attemptDelayed
        case (.makeDeviceSecret, _): .storageUnavailable

        case (.useDeviceSecret, .lockedOut): .attemptDelayed
        case (.useDeviceSecret, .absent), (.useDeviceSecret, .damaged): .keyMissing
        case (.useDeviceSecret, _): .storageUnavailable

        case (.storeBiometricSecret, .weakerThanAsked), (.storeSystemSecret, .weakerThanAsked): .protectionDropped
        case (.storeBiometricSecret, _): .biometricsNotStored
        case (.storeSystemSecret, .notEnrolled): .passcodeMissing
        case (.storeSystemSecret, _): .storageUnavailable

        case (.eraseLegacy, _): .legacyNotErased

        // Each situation of seed 004 keeps a code of its own.
        case (.storeCredentials, .absent), (.storeCredentials, .revoked), (.storeCredentials, .unavailable),
            (.storeCredentials, .damaged), (.storeCredentials, .wrongAuthorisation), (.storeCredentials, .unclassified):
            .credentialsNotStored
        case (.readCredentials, .wrongAuthorisation), (.readCredentials, .weakerThanAsked),
            (.readCredentials, .damaged), (.readCredentials, .unclassified):
            .credentialsNotRead
        case (.readCredentials, .absent), (.readCredentials, .revoked): .biometricsChanged
        case (.readCredentials, .lockedOut), (.storeCredentials, .lockedOut),
            (.readCredentials, .notEnrolled), (.storeCredentials, .notEnrolled),
            (.readCredentials, .hardwareMissing), (.storeCredentials, .hardwareMissing),
            (.readCredentials, .readerFailed), (.storeCredentials, .readerFailed):
            .credentialsUnavailable
        case (.readCredentials, .fallbackChosen), (.storeCredentials, .fallbackChosen): .promptCancelled
        case (.readCredentials, _), (.storeCredentials, _): code
        }
    }

    /// What a refusal means where nothing else is said.
    private var code: ErrorCode {
        switch self {
        case .absent, .damaged: .keyMissing
        case .weakerThanAsked: .protectionDropped
        case .cancelledByUser, .cancelledBySystem: .promptCancelled
        case .notRecognised, .lockedOut: .biometricsNotRecognised
        case .notEnrolled, .hardwareMissing, .readerFailed: .biometricsUnavailable
        case .revoked: .biometricsChanged
        case .wrongAuthorisation: .strongFactorRefused
        case .fallbackChosen, .unclassified: .strongFactorRequired
        case .unavailable: .storageUnavailable
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
