package import Thumbturn
package import ThumbturnCrypto
package import ThumbturnRules

/// What a login gave, after the service proved itself.
package struct AccountLogin: ~Copyable, Sendable {
    /// For the calls that follow, 15 minutes long; those that change the account take one under 5 minutes old.
    package let session: ServerSession
    /// Opens `envelope`.
    package let envelopeKey: EnvelopeKey
    /// The envelope as the service keeps it; nil where it keeps none.
    package let envelope: [UInt8]?
    /// What stands for the name in every record.
    package let userID: Identifier
    /// The service's name: what devices sign and envelopes are bound to, at whatever address it was dialled.
    package let service: String
    /// How often the password was changed.
    package let policyEpoch: UInt64
    /// When it was changed last, since 1970.
    package let passwordChangedAt: Milliseconds
    /// How the password was protected at this login, to be remembered.
    package let protection: VaultAccount.Login
}

extension VaultAccount.Login {
    /// Notes what a login used.
    package init(group: SRPGroup, cost: Argon2Parameters, salt: [UInt8]) {
        self.init(group: group, cost: cost, saltDigest: SHA256.digest(salt))
    }

    /// Whether this is a smaller group, less memory, or fewer passes than at another login: whoever asks for that may want to
    /// guess.
    package func isWeaker(than known: Self) -> Bool {
        group.byteCount < known.group.byteCount || cost.memoryKiB < known.cost.memoryKiB
            || cost.passes < known.cost.passes
    }
}
