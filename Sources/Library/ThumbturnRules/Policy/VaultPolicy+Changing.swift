// What becomes of a policy that is changed: what is stricter counts at once, what is laxer waits for the next strong unlock.
extension VaultPolicy {
    /// The longest span that a rule may name: sums of a few stay far from the ends of the range.
    private static let longest = Milliseconds.days(36_500)
    /// A session that ends sooner is of no use, not even to change this again.
    private static let shortestSession = Milliseconds.seconds(10)

    /// In each rule the stricter of the two.
    ///
    /// Whose secret stands behind the biometrics is no matter of degree: that stays.
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

    /// Whether a vault can keep its spans: from nothing to a century.
    package var isStorable: Bool {
        [locksAfterIdle, strongFactorAfterIdle, strongFactorMaxAge, maxOfflineAge]
            .allSatisfy { $0.map((.zero...Self.longest).contains) ?? true }
    }

    /// Whether a vault that has this policy may get the other one.
    ///
    /// The strong factor is a way in and not a rule. What only a service makes sense of goes with an account alone. What is as
    /// it was is no reason to refuse the rest.
    package func mayBecome(_ other: VaultPolicy) -> Bool {
        let isOfAccount = strongFactor == .accountPassword
        return other.strongFactor == strongFactor && other.isStorable
            && (other.locksAfterIdle >= Self.shortestSession || other.locksAfterIdle == locksAfterIdle)
            && (isOfAccount || other.maxOfflineAge == nil || other.maxOfflineAge == maxOfflineAge)
            && (isOfAccount || !other.allowsOfflinePassword || allowsOfflinePassword)
    }

    /// The shorter of two spans; nil is none at all.
    private static func shorter(_ one: Milliseconds?, _ other: Milliseconds?) -> Milliseconds? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    /// The higher of two demands; nil is none at all.
    private static func higher(_ one: Assurance?, _ other: Assurance?) -> Assurance? {
        guard let one, let other else { return one ?? other }
        return max(one, other)
    }
}
