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
    /// More for a log: never input, names or key material.
    public let diagnostic: String?

    init(_ code: ErrorCode, _ diagnostic: String? = nil, retryAfter: Milliseconds? = nil) {
        self.code = code
        self.diagnostic = diagnostic
        self.retryAfter = retryAfter
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
        self.init(code, "\(error)")
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
