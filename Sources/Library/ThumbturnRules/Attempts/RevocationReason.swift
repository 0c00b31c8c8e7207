/// Why a biometric slot was revoked.
///
/// Revocation is transient: reason recorded, artefacts deleted, disabled (C8).
@nonexhaustive
public enum RevocationReason: UInt8, Hashable, Sendable, CaseIterable {
    /// A finger or face was added or removed.
    case biometricsChanged = 1
    /// The app was reinstalled, or its data was copied from another device.
    case reinstalled = 2
    /// The account's password changed.
    case passwordChanged = 3
    /// The server was silent for too long, or its epoch went backward.
    case serverWordMissing = 4
    /// The owner turned biometrics off while the vault was locked: no screen shows it as a revocation.
    case disabledByOwner = 5
}

extension RevocationReason {
    /// The name as it appears in records and JSON.
    package var name: String {
        switch self {
        case .biometricsChanged: "biometricsChanged"
        case .reinstalled: "reinstalled"
        case .passwordChanged: "passwordChanged"
        case .serverWordMissing: "serverWordMissing"
        case .disabledByOwner: "disabledByOwner"
        }
    }
}
