import Testing
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn
@testable import ThumbturnAccount
@testable import ThumbturnCrypto

/// All that nobody but the owner's devices may have, made again from password, service and device, as whoever has all three
/// could.
struct AccountSecrets {
    private(set) var all: [String: [UInt8]] = [:]

    /// What follows from the password: by a login of our own, over the same way.
    ///
    /// - Parameter name: what these are called.
    mutating func add(_ name: String, _ password: String, over transport: AccountTransport) async throws {
        let client = AccountClient(try #require(AccountName("ada")), over: transport)
        let login = try await client.login(password)
        let made = try AccountPassword(
            SecretBytes(text: password),
            salt: login.envelopeKey.salt,
            kdf: login.envelopeKey.kdf
        )
        all["\(name) password"] = Array(password.utf8)
        all["\(name) text for SRP"] = made.srpText.withBytes { $0.exposed }
        all["\(name) bytes for SRP"] = TextCode.hexadecimal.decode(all["\(name) text for SRP"] ?? [])
        all["\(name) envelope key"] = login.envelopeKey.bytes.withBytes { $0.exposed }
        all["\(name) K"] = login.session.login.key.withBytes { $0.exposed }
        let envelope = try client.open(login)
        for (index, key) in envelope.keys.names.enumerated() {
            all["\(name) account key \(index)"] = envelope.bytes(of: key)
        }
    }

    /// What opens a vault, and what is in it.
    mutating func add(_ name: String, of made: EnrolledDevice, _ password: String, over transport: AccountTransport)
        async throws
    {
        let store = try VaultStore(openingIn: made.path, vfs: nil)
        defer { store.close() }
        let slots = try store.contents().slots.map { try SlotRecord(parsing: $0.record) }
        let slot = try #require(slots.first { $0.kind == .password })
        let client = AccountClient(try #require(AccountName("ada")), over: transport)
        let envelope = try await client.open(client.login(password))
        let named = try #require(slot.accountKey)
        guard let key = envelope.keys.key(named) else { throw VaultError(.accountKeyMissing) }
        let share = try await made.simulated.device.store.evaluate(#require(slot.item), input: slot.shareInput)
        all["\(name) device share"] = share.withBytes { $0.exposed }
        let wrapping = KeyEncryptionKey(secret: key, deviceShare: share, salt: slot.salt, purpose: slot.purpose)
        all["\(name) key of the PASSWORD slot"] = wrapping.bytes.withBytes { $0.exposed }
        let master = try wrapping.unwrap(slot.box, associatedData: slot.header)
        all["\(name) master key"] = master.bytes.withBytes { $0.exposed }
    }
}
