/// The kind of an authentication event.
///
/// The first six are mandatory by seed 002; the rest complete the record.
@nonexhaustive
public enum AuditEventKind: UInt8, Hashable, Sendable, CaseIterable {
    /// Biometrics were enabled.
    case biometricEnabled = 1
    /// Biometrics were disabled; the record says why.
    case biometricDisabled = 2
    /// A finger or face opened the vault.
    case biometricSuccess = 3
    /// A prompt ended without a match.
    case biometricFailure = 4
    /// The enrolled set changed and the slot was revoked.
    case biometricRevokedBySystemChange = 5
    /// The PIN, password or recovery key opened the vault.
    case passwordFallback = 6
    /// A PIN, password or recovery key was wrong.
    case passwordFailure = 7
    /// A vault was created.
    case vaultCreated = 8
    /// The PIN or password was changed.
    case localSecretChanged = 9
    /// A recovery slot was added, confirmed or removed.
    case recoveryChanged = 10
    /// A wallet's secret left the vault.
    case walletExported = 11
    /// A wallet was deleted.
    case walletDeleted = 12
    /// The ledger did not match its anchor, or could not be believed.
    case ledgerUnreliable = 13
    /// The vault opened, but what it authenticates was changed.
    case vaultTampered = 14
    /// Everything was erased.
    case vaultReset = 15
    /// The system's authentication became the way in.
    case systemEnabled = 16
    /// A PIN or password replaced the system's authentication.
    case systemDisabled = 17
    /// The system's authentication opened the vault.
    case systemSuccess = 18
    /// The system's prompt ended without recognising the owner.
    case systemFailure = 19
    /// A former app's wallet was migrated by biometrics; the PIN has to complete that.
    case migrationBegan = 20
    /// A former app's wallet was migrated completely.
    case migrationCompleted = 21
    /// The former app's data was erased.
    case legacyErased = 22
    /// The vault opened, but it is an older copy.
    case olderCopyFound = 23
    /// The owner accepted an older copy as the vault.
    case olderCopyAccepted = 24
    /// The vault has a new master key (A21).
    case vaultRekeyed = 25
    /// The owner changed the vault's policy, or a waiting change took effect; the record says which.
    case policyChanged = 26
    /// A chain of records began; the record says why, and where the one before it ended.
    case trailBegun = 27

    /// The name as it appears in the audit record.
    public var name: String {
        switch self {
        case .biometricEnabled: "BIOMETRIC_ENABLED"
        case .biometricDisabled: "BIOMETRIC_DISABLED"
        case .biometricSuccess: "BIOMETRIC_AUTH_SUCCESS"
        case .biometricFailure: "BIOMETRIC_AUTH_FAILURE"
        case .biometricRevokedBySystemChange: "BIOMETRIC_REVOKED_SYSTEM_CHANGE"
        case .passwordFallback: "PASSWORD_AUTH_FALLBACK"
        case .passwordFailure: "PASSWORD_AUTH_FAILURE"
        case .vaultCreated: "VAULT_CREATED"
        case .localSecretChanged: "LOCAL_SECRET_CHANGED"
        case .recoveryChanged: "RECOVERY_CHANGED"
        case .walletExported: "WALLET_EXPORTED"
        case .walletDeleted: "WALLET_DELETED"
        case .ledgerUnreliable: "LEDGER_UNRELIABLE"
        case .vaultTampered: "VAULT_TAMPERED"
        case .vaultReset: "VAULT_RESET"
        case .systemEnabled: "SYSTEM_AUTH_ENABLED"
        case .systemDisabled: "SYSTEM_AUTH_DISABLED"
        case .systemSuccess: "SYSTEM_AUTH_SUCCESS"
        case .systemFailure: "SYSTEM_AUTH_FAILURE"
        case .migrationBegan: "MIGRATION_BEGAN"
        case .migrationCompleted: "MIGRATION_COMPLETED"
        case .legacyErased: "LEGACY_ERASED"
        case .olderCopyFound: "OLDER_COPY_FOUND"
        case .olderCopyAccepted: "OLDER_COPY_ACCEPTED"
        case .vaultRekeyed: "VAULT_REKEYED"
        case .policyChanged: "POLICY_CHANGED"
        case .trailBegun: "TRAIL_BEGUN"
        }
    }
}
