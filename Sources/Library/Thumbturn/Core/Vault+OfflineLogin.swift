import ThumbturnBase
package import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// What a device needs to open an account's vault without its service: how the password is stretched, and the envelope.
package struct OfflineLogin: Hashable, Sendable {
    /// 16 bytes.
    package let salt: [UInt8]
    package let cost: Argon2Parameters
    /// As the service keeps it.
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

// It is kept only where the policy says so, sealed under the device secret of the very slot that it opens: in a copy of the
// file it says nothing, and beside a slot that was sealed anew it opens nothing.
extension Vault {
    /// What was kept for this slot; nil where nothing is.
    func offlineLogin(for slot: SlotRecord) async throws(VaultError) -> OfflineLogin? {
        // Beside a newer epoch, or a service that is silent or spoke against this device, nothing is believed that was put
        // back. A head that the ledger does not name could say for itself how long that silence may be.
        guard state.headStanding == .named, state.head.policy.allowsOfflinePassword,
            state.policyEpoch == state.head.policyEpoch,
            !state.head.policy.isUnheard(state.context(at: now)),
            let box = try store.offlineLogin(),
            let opened = try await open(box, .offlineLogin(state.head.policyEpoch), slot)
        else { return nil }
        return opened.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe try? OfflineLogin(Array($0)) } }
    }

    /// Keeps what a login brought, where the policy says so and it is not kept already.
    func keepOfflineLogin(_ login: OfflineLogin?, for slot: SlotRecord) async throws(VaultError) {
        guard state.head.policy.allowsOfflinePassword, let login, try await offlineLogin(for: slot) != login else {
            return
        }
        let plaintext = try translating { () throws(CryptoError) in try login.plaintext }
        let secret = unsafe SecretBytes(copying: ContiguousArray(plaintext).span.bytes)
        guard let box = try await seal(secret, .offlineLogin(state.head.policyEpoch), slot) else { return }
        try store.setOfflineLogin(box)
    }

    /// Forgets it for good: the account was closed, which no failure to forget undoes.
    package func endOfflineLogin() async {
        await tolerating { () async throws(VaultError) in
            try await turn { () async throws(VaultError) in try forgetOfflineLogin() }
        }
    }

    /// Forgets it: the password may be another one, or the service has been silent for too long (F-107-09).
    func forgetOfflineLogin() throws(VaultError) {
        guard state.head.account != nil, try store.offlineLogin() != nil else { return }
        try store.removeOfflineLogin()
        try store.eraseDeleted()
    }
}
