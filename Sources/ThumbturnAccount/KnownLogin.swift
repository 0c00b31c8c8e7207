package import ThumbturnCrypto

/// What a device remembers of how the account's password was protected at its last login, to hold the next one against it.
package struct KnownLogin: Hashable, Sendable {
    /// The group of the last login.
    package let group: SRPGroup
    /// The memory of Argon2id, in KiB.
    package let memoryKiB: UInt32
    /// Its passes.
    package let passes: UInt32
    /// The SHA-256 of the salt.
    package let saltDigest: [UInt8]

    /// What another login asks for, beside a known one.
    package enum Comparison: Hashable, Sendable {
        /// The same.
        case same
        /// A smaller group, less memory, or fewer passes: whoever asks for it may want to guess.
        case weaker
        /// No weaker, but not the same, as after a change of the password.
        case otherSalt
    }

    /// Takes back what was kept.
    package init(group: SRPGroup, kdf: Argon2Parameters, saltDigest: [UInt8]) {
        (self.group, memoryKiB, passes) = (group, kdf.memoryKiB, kdf.passes)
        self.saltDigest = saltDigest
    }

    /// Notes what a login used.
    package init(group: SRPGroup, kdf: Argon2Parameters, salt: [UInt8]) {
        self.init(group: group, kdf: kdf, saltDigest: SHA256.digest(salt))
    }

    /// Holds what is asked for now against this.
    package func compared(with now: KnownLogin) -> Comparison {
        guard now.group.byteCount >= group.byteCount, now.memoryKiB >= memoryKiB, now.passes >= passes else {
            return .weaker
        }
        return now == self ? .same : .otherSalt
    }
}
