import ThumbturnBase
package import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// What a device needs to open an account's vault without its service: salt and cost for the password, and the
/// envelope.
package struct OfflineLogin: Hashable, Sendable {
    /// 16 bytes.
    package let salt: [UInt8]
    package let cost: Argon2Parameters
    /// The envelope in the service's format.
    package let envelope: [UInt8]

    package init(salt: [UInt8], cost: Argon2Parameters, envelope: [UInt8]) {
        (self.salt, self.cost, self.envelope) = (salt, cost, envelope)
    }

    fileprivate static let mostEnvelopeBytes = 4_096

    fileprivate var plaintext: [UInt8] {
        get throws(CryptoError) {
            var writer = ByteWriter()
            writer.writeFixed(salt)
            writer.writeUInt32(cost.memoryKiB)
            writer.writeUInt32(cost.passes)
            try writer.writeBytes(envelope, maximum: Self.mostEnvelopeBytes)
            return writer.bytes
        }
    }

    fileprivate init(_ plaintext: [UInt8]) throws(CryptoError) {
        var reader = ByteReader(plaintext)
        salt = try reader.readFixed(SlotRecord.saltByteCount)
        cost = Argon2Parameters(memoryKiB: try reader.readUInt32(), passes: try reader.readUInt32())
        envelope = try reader.readBytes(maximum: Self.mostEnvelopeBytes)
        try reader.finish()
    }
}

// Stored only if the policy allows it, sealed under the device secret of the slot that it opens: it is useless in a
// copy of the file, and beside a slot that was resealed.
extension Vault {
    /// Returns the login stored for this slot, if any.
    func offlineLogin(for slot: SlotRecord) async throws(VaultError) -> OfflineLogin? {
        // Ignore a stored login that may be rolled back: after a newer epoch, when the service is silent or has revoked
        // this device. A head that the ledger does not name could set its own limit for that silence.
        guard state.headStanding == .named, state.head.policy.allowsOfflinePassword,
            state.policyEpoch == state.head.policyEpoch,
            !state.head.policy.isUnheard(state.context(at: now)),
            let box = try store.offlineLogin(),
            let opened = try await open(box, .offlineLogin(state.head.policyEpoch), slot)
        else { return nil }
        return opened.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe try? OfflineLogin(Array($0)) } }
    }

    /// Stores a login's data, if the policy allows it and it is not stored yet.
    func keepOfflineLogin(_ login: OfflineLogin?, for slot: SlotRecord) async throws(VaultError) {
        guard state.head.policy.allowsOfflinePassword, let login, try await offlineLogin(for: slot) != login else {
            return
        }
        let plaintext = try translating { () throws(CryptoError) in try login.plaintext }
        let secret = unsafe SecretBytes(copying: ContiguousArray(plaintext).span.bytes)
        guard let box = try await seal(secret, .offlineLogin(state.head.policyEpoch), slot) else { return }
        try store.setOfflineLogin(box)
    }

    /// Deletes the offline login because the account was closed; a failure to delete it does not undo that.
    package func endOfflineLogin() async {
        await tolerating { () async throws(VaultError) in
            try await turn { () async throws(VaultError) in try forgetOfflineLogin() }
        }
    }

    /// Deletes the offline login: the password may have changed, or the service has been silent for too long
    /// (F-107-09).
    func forgetOfflineLogin() throws(VaultError) {
        guard state.head.account != nil, try store.offlineLogin() != nil else { return }
        try store.removeOfflineLogin()
        try store.eraseDeleted()
    }
}
