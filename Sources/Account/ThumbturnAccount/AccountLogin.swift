package import Thumbturn
package import ThumbturnCrypto
package import ThumbturnRules

/// The results of a login, after the service proved itself.
package struct AccountLogin: ~Copyable, Sendable {
    /// The session for further calls, valid for 15 minutes; changes to the account require one less than 5 minutes old.
    package let session: ServerSession
    /// The key of `envelope`.
    package let envelopeKey: EnvelopeKey
    /// The envelope stored by the service; `nil` if there is none.
    package let envelope: [UInt8]?
    /// The user id, which represents the name in every record.
    package let userID: Identifier
    /// The service's name, which devices sign and envelopes are bound to, independent of the address that was dialled.
    package let service: String
    /// The number of password changes.
    package let policyEpoch: UInt64
    /// When the password was last changed, since 1970.
    package let passwordChangedAt: Milliseconds
    /// How the password was protected at this login, to be remembered.
    package let protection: VaultAccount.Login
}

extension VaultAccount.Login {
    /// Records what a login used.
    package init(group: SRPGroup, cost: Argon2Parameters, salt: [UInt8]) {
        self.init(group: group, cost: cost, saltDigest: SHA256.digest(salt))
    }

    /// Returns whether this has a smaller group, less memory or fewer passes than another login; an attacker may demand
    /// that to guess the password.
    package func isWeaker(than known: Self) -> Bool {
        group.byteCount < known.group.byteCount || cost.memoryKiB < known.cost.memoryKiB
            || cost.passes < known.cost.passes
    }
}
