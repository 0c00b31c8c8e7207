// How a policy changes: stricter parts apply at once, more lenient ones wait for the next strong unlock.
extension VaultPolicy {
    /// The longest span that a rule may have: sums of a few stay far from overflow.
    private static let longest = Milliseconds.days(36_500)
    /// A shorter session would be useless, even for changing this again.
    private static let shortestSession = Milliseconds.seconds(10)

    /// Returns the stricter of the two for each rule.
    ///
    /// The strong factor has no order of strictness, so it stays.
    package func stricter(with other: VaultPolicy) -> VaultPolicy {
        var policy = self
        policy.locksAfterIdle = min(locksAfterIdle, other.locksAfterIdle)
        policy.locksInBackground = locksInBackground || other.locksInBackground
        policy.strongFactorAfterIdle = Self.shorter(strongFactorAfterIdle, other.strongFactorAfterIdle)
        policy.strongFactorMaxAge = Self.shorter(strongFactorMaxAge, other.strongFactorMaxAge)
        policy.strongFactorAfterReboot = strongFactorAfterReboot || other.strongFactorAfterReboot
        policy.biometricFailureLimit = min(biometricFailureLimit, other.biometricFailureLimit)
        policy.requiresSecretToDisable = requiresSecretToDisable || other.requiresSecretToDisable
        policy.minimumAssurance = max(minimumAssurance, other.minimumAssurance)
        policy.minimumSecretAssurance = Self.higher(minimumSecretAssurance, other.minimumSecretAssurance)
        policy.maxOfflineAge = Self.shorter(maxOfflineAge, other.maxOfflineAge)
        policy.recoveryOpensFully = recoveryOpensFully && other.recoveryOpensFully
        policy.allowsOfflinePassword = allowsOfflinePassword && other.allowsOfflinePassword
        policy.allowsSystemModeFromBiometrics = allowsSystemModeFromBiometrics && other.allowsSystemModeFromBiometrics
        return policy
    }

    /// Whether a vault can store its spans: from nothing to a century.
    package var isStorable: Bool {
        [locksAfterIdle, strongFactorAfterIdle, strongFactorMaxAge, maxOfflineAge]
            .allSatisfy { $0.map((.zero...Self.longest).contains) ?? true }
    }

    /// Returns whether a vault with this policy may change to the other one.
    ///
    /// The strong factor can't change here: it is a way in, not a rule. Settings that need a service require an
    /// account. An unchanged setting never refuses the change.
    package func mayBecome(_ other: VaultPolicy) -> Bool {
        let isOfAccount = strongFactor == .accountPassword
        return other.strongFactor == strongFactor && other.isStorable
            && (other.locksAfterIdle >= Self.shortestSession || other.locksAfterIdle == locksAfterIdle)
            && (isOfAccount || other.maxOfflineAge == nil || other.maxOfflineAge == maxOfflineAge)
            && (isOfAccount || !other.allowsOfflinePassword || allowsOfflinePassword)
    }

    /// Returns the shorter of two spans; nil means no limit.
    private static func shorter(_ one: Milliseconds?, _ other: Milliseconds?) -> Milliseconds? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    /// Returns the higher of two requirements; nil means none.
    private static func higher(_ one: Assurance?, _ other: Assurance?) -> Assurance? {
        guard let one, let other else { return one ?? other }
        return max(one, other)
    }
}
