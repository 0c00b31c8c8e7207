package import ThumbturnCrypto
package import ThumbturnFiles
package import ThumbturnRules
package import ThumbturnSQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

// The errors of other rooms, as `VaultError`.
extension VaultError {
    /// Creates the error for a database error.
    package init(_ error: SQLiteError) {
        let code: ErrorCode =
            switch error {
            case .busy: .busy
            // The log's index could not grow (SQLITE_IOERR_SHMSIZE): that is a full disk too.
            case .full, .ioError(extended: 4_874): .diskFull
            case .notADatabase, .corrupt, .schemaMismatch, .constraint, .tooBig: .vaultDamaged
            case .newerFormat: .vaultNewer
            case .unsafeFile, .unsafeFolder: .vaultUnsafe
            case .readOnly, .cannotOpen, .ioError, .other: .storageUnavailable
            }
        let underlying = error.resultCode.map { UnderlyingCode(.sqlite, $0) }
        self.init(code, "\(error)", fault: StorageFault(error), underlying: underlying)
    }

    /// Creates the error for a file system that can't store a vault.
    package init(_ need: FolderNeed) {
        self.init(.storageUnavailable, "file system: \(need)", fault: StorageFault(need))
    }

    /// Creates the error for a failed system call.
    package init(_ call: String, errno number: Int32) {
        self.init(
            .storageUnavailable,
            "\(call): errno \(number)",
            fault: StorageFault(errno: number),
            underlying: UnderlyingCode(.errno, number)
        )
    }

    /// Creates the error for a file that `call` could not use.
    package init(_ call: String, _ error: FileError) {
        let code: ErrorCode =
            switch error {
            case .refused: .vaultUnsafe
            case .busy: .busy
            case .system(ENOSPC), .system(EDQUOT): .diskFull
            case .absent, .taken, .tooLarge, .cutShort, .system: .storageUnavailable
            }
        let underlying = error.systemNumber.map { UnderlyingCode(.errno, $0) }
        self.init(code, "\(call): \(error)", fault: StorageFault(error), underlying: underlying)
    }

    /// Creates the error for a folder that can't be created, or is not private to this user.
    package init(folder error: FileError) {
        switch error {
        case .refused(.notAFolder): self.init(SQLiteError.cannotOpen)
        case .refused(let flaw): self.init(SQLiteError.unsafeFolder(flaw))
        case .absent, .taken, .tooLarge, .cutShort, .busy, .system: self.init("folder", error)
        }
    }

    /// Creates the error for a device's refusal.
    ///
    /// A refusal by an unlock prompt is not an error but an event for `UnlockMachine`.
    package init(_ refusal: DeviceRefusal, at call: DeviceCall) {
        let asked = if case .errand(let name) = call { name } else { "device" }
        self.init(refusal.code(at: call), "\(asked): \(refusal)", because: refusal)
    }

    /// Creates the error for a cryptographic failure while opening or creating part of the vault.
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
    /// The one table of device refusals: a call keeps the general meaning, unless it specifies another.
    fileprivate func code(at call: DeviceCall) -> ErrorCode {
        switch (call, meaning) {
        case (.errand, _): .storageUnavailable
        // Creating asks no person for anything, so no refusal comes from a person.
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

        // Each situation of seed 004 has its own code.
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

    /// The general meaning of a refusal.
    private var code: ErrorCode {
        switch meaning {
        case .absent, .damaged: .keyMissing
        case .weakerThanAsked: .protectionDropped
        case .cancelledByUser, .cancelledBySystem: .promptCancelled
        case .notRecognised, .lockedOut: .biometricsNotRecognised
        case .notEnrolled, .hardwareMissing, .readerFailed: .biometricsUnavailable
        case .revoked: .biometricsChanged
        case .wrongAuthorisation: .strongFactorRefused
        case .proofNotAccepted: .proofNotAccepted
        case .fallbackChosen, .unclassified: .strongFactorRequired
        case .unavailable: .storageUnavailable
        }
    }
}

/// Runs `body`, and translates its errors.
package func translating<Result: ~Copyable>(_ body: () throws(CryptoError) -> Result) throws(VaultError) -> Result {
    do { return try body() } catch { throw VaultError(error) }
}

/// Runs `body`, and translates its errors.
package func storing<Result: ~Copyable>(_ body: () throws(SQLiteError) -> Result) throws(VaultError) -> Result {
    do { return try body() } catch { throw VaultError(error) }
}
