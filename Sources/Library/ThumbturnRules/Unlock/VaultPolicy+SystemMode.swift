/// The facts that decide whether system authentication can be enabled.
package struct SystemModeFacts: Hashable, Sendable {
    /// The vault's current unlock mode.
    package var mode = UnlockMode.local
    /// Whether the feature flag offers system authentication to this user (S-01).
    package var isOffered: Bool
    /// Whether a former app's wallet is still waiting for its PIN (K-08).
    package var isHalfMigrated = false
    /// Whether there is a confirmed recovery key.
    package var hasRecoveryKey: Bool
    /// False when the device is known to have no passcode.
    package var mayHavePasscode: Bool
    /// What guards a secret behind the device's own authentication.
    package var assurance: Assurance

    /// Creates the facts for a vault in local mode.
    package init(isOffered: Bool, hasRecoveryKey: Bool, mayHavePasscode: Bool, assurance: Assurance) {
        self.isOffered = isOffered
        self.hasRecoveryKey = hasRecoveryKey
        self.mayHavePasscode = mayHavePasscode
        self.assurance = assurance
    }
}

extension VaultPolicy {
    /// Whether the device's own authentication may replace this policy's strong factor; never an account's (P-107-01).
    package var allowsSystemMode: Bool { strongFactor == .localSecret && maxOfflineAge == nil }

    /// Returns why system authentication can't be enabled; nil when it can (S-04).
    ///
    /// The recovery key is required because afterwards the system can take every other way in away, unless the app
    /// declared that the owner holds the words elsewhere.
    package func obstacleToSystemMode(_ facts: SystemModeFacts) -> ErrorCode? {
        if facts.mode == .system { return .systemModeOnly }
        guard allowsSystemMode, facts.isOffered else { return .systemModeNotOffered }
        if facts.isHalfMigrated { return .migrationIncomplete }
        guard facts.hasRecoveryKey || allowsSystemModeWithoutRecovery else { return .recoveryKeyRequired }
        guard facts.mayHavePasscode else { return .passcodeMissing }
        return facts.assurance < minimumAssurance ? .assuranceTooLow : nil
    }
}
