package import Thumbturn
package import ThumbturnCrypto

/// What a login asks for, beside the last one.
package enum LoginComparison: Hashable, Sendable {
    /// The same.
    case same
    /// A smaller group, less memory, or fewer passes: whoever asks for it may want to guess.
    case weaker
    /// No weaker, but not the same, as after a change of the password.
    case otherSalt
}

extension VaultAccount.Login {
    /// Notes what a login used.
    package init(group: SRPGroup, cost: Argon2Parameters, salt: [UInt8]) {
        self.init(group: group, cost: cost, saltDigest: SHA256.digest(salt))
    }

    /// Holds what is asked for now against this.
    package func compared(with now: Self) -> LoginComparison {
        guard now.group.byteCount >= group.byteCount, now.cost.memoryKiB >= cost.memoryKiB,
            now.cost.passes >= cost.passes
        else { return .weaker }
        return now == self ? .same : .otherSalt
    }
}
