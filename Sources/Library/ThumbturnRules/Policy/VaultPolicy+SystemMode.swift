/// What has to be known before system authentication is enabled.
package struct SystemModeFacts: Hashable, Sendable {
    /// The way in that the vault asks for now.
    package var mode = UnlockMode.local
    /// Whether the feature flag offers system authentication to this user (S-01).
    package var isOffered: Bool
    /// Whether a former app's wallet has still to be taken over with its PIN (K-08).
    package var isHalfMigrated = false
    /// Whether there is a recovery key that was typed back.
    package var hasRecoveryKey: Bool
    /// False where the device is known to have no passcode.
    package var mayHavePasscode: Bool
    /// What guards a secret behind the device's own authentication.
    package var assurance: Assurance

    /// Gathers what is known of a vault in local mode.
    package init(isOffered: Bool, hasRecoveryKey: Bool, mayHavePasscode: Bool, assurance: Assurance) {
        self.isOffered = isOffered
        self.hasRecoveryKey = hasRecoveryKey
        self.mayHavePasscode = mayHavePasscode
        self.assurance = assurance
    }
}

extension VaultPolicy {
    /// Whether the device's own authentication may stand in for this policy's strong factor; an account's never (P-107-01).
    package var allowsSystemMode: Bool { strongFactor == .localSecret && maxOfflineAge == nil }

    /// Why system authentication can't be enabled; nil when nothing speaks against it (S-04).
    ///
    /// The recovery key comes first because afterwards every other way in is the system's to take away.
    package func obstacleToSystemMode(_ facts: SystemModeFacts) -> ErrorCode? {
        if facts.mode == .system { return .systemModeOnly }
        guard allowsSystemMode, facts.isOffered else { return .systemModeNotOffered }
        if facts.isHalfMigrated { return .migrationIncomplete }
        guard facts.hasRecoveryKey else { return .recoveryKeyRequired }
        guard facts.mayHavePasscode else { return .passcodeMissing }
        return facts.assurance < minimumAssurance ? .assuranceTooLow : nil
    }
}
