import ThumbturnCrypto
import ThumbturnDevice
public import ThumbturnRules
import ThumbturnSQLite

/// Why the vault did not do what was asked, with a stable code and a way on.
public struct VaultError: Error, Equatable, Sendable {
    /// What went wrong; equality looks at nothing else.
    public let code: ErrorCode
    /// How long the attempt schedule wants to wait; nil for every code but `attemptDelayed`.
    public let retryAfter: Milliseconds?
    /// Whether a recovery key opens the vault meanwhile; false for every code but `attemptDelayed`.
    public let recoveryKeyOpens: Bool
    /// More for a log: never input, names or key material.
    public let diagnostic: String?
    /// What storage suffers from, for who tells a person; the diagnostic of such an error is not for one.
    package let fault: StorageFault?

    /// Makes the error of a code, for what stands in for a vault.
    public init(_ code: ErrorCode) { self.init(code, nil) }

    package init(_ code: ErrorCode, _ diagnostic: String? = nil, fault: StorageFault? = nil) {
        self.code = code
        self.diagnostic = diagnostic
        self.fault = fault
        (retryAfter, recoveryKeyOpens) = (nil, false)
    }

    /// A delay of the attempt schedule.
    init(waiting span: Milliseconds, recoveryKeyOpens: Bool) {
        code = .attemptDelayed
        diagnostic = nil
        fault = nil
        (retryAfter, self.recoveryKeyOpens) = (span, recoveryKeyOpens)
    }

    /// Two errors are equal when their codes are.
    public static func == (left: VaultError, right: VaultError) -> Bool { left.code == right.code }
}

// What other rooms throw, in our words.
extension VaultError {
    init(_ error: SQLiteError) {
        let code: ErrorCode =
            switch error {
            case .busy: .busy
            // The index of the log could not grow (SQLITE_IOERR_SHMSIZE): that too is a full disk.
            case .full, .ioError(extended: 4_874): .diskFull
            case .notADatabase, .corrupt, .schemaMismatch, .constraint, .tooBig: .vaultDamaged
            case .newerFormat: .vaultNewer
            case .unsafeFile: .vaultUnsafe
            case .readOnly, .cannotOpen, .ioError, .other: .storageUnavailable
            }
        self.init(code, "\(error)", fault: StorageFault(error))
    }

    /// A system call that failed.
    init(_ call: String, errno number: Int32) {
        self.init(.storageUnavailable, "\(call): errno \(number)", fault: StorageFault(errno: number))
    }

    init(_ refusal: DeviceRefusal) {
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
    init(_ error: CryptoError) {
        switch error {
        case .authenticationFailed: self.init(.vaultTampered)
        case .malformed, .parametersOutOfRange: self.init(.vaultDamaged, "\(error)")
        case .outOfMemory, .backendFailed: self.init(.storageUnavailable, "crypto: \(error)")
        }
    }
}

/// Runs `body` and gives what it throws our words.
func translating<Result: ~Copyable>(_ body: () throws(CryptoError) -> Result) throws(VaultError) -> Result {
    do { return try body() } catch { throw VaultError(error) }
}

/// Runs `body` and gives what it throws our words.
func storing<Result: ~Copyable>(_ body: () throws(SQLiteError) -> Result) throws(VaultError) -> Result {
    do { return try body() } catch { throw VaultError(error) }
}
