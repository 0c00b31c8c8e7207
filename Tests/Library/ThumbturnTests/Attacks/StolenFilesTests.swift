import Testing
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn
@testable import ThumbturnCrypto

/// A thief has every file of the vault.
@Suite struct StolenFilesTests {
    @Test(.holds("A1")) func `without the device none of ten thousand PINs opens the slot, with it exactly one does`()
        async throws
    {
        let made = try await TestVault.make()
        let slot = try made.slot(.localSecret)
        let share = try await made.share(of: slot)
        let foreign = SecretBytes.random(byteCount: 32)
        // The last four digits of a PIN whose first two the thief already knows.
        var withoutDevice = 0
        var withDevice: [String] = []
        for number in 0..<10_000 {
            let pin = "49" + String("000\(number)".suffix(4))
            if try made.opens(slot, pin: pin, share: foreign) { withoutDevice += 1 }
            if try made.opens(slot, pin: pin, share: share) { withDevice.append(pin) }
        }
        #expect(withoutDevice == 0)
        #expect(withDevice == [TestVault.pin])
    }

    @Test(.holds("A1")) func `another device contributes something else`() async throws {
        let made = try await TestVault.make()
        let other = try await TestVault.make()
        let slot = try made.slot(.localSecret)
        let item = try #require(other.slot(.localSecret).item)
        let share = try await other.device.store.evaluate(item, input: slot.shareInput)
        #expect(try !made.opens(slot, pin: TestVault.pin, share: share))
    }

    @Test(.holds("A2")) func `nothing stored but the slot's box depends on the PIN`() async throws {
        let made = try await TestVault.make()
        let before = try made.slot(.localSecret)
        let head = try Head(parsing: #require(made.contents().head).body)
        try await made.vault.changeLocalSecret(to: SecretBytes(text: "840275"), try await made.strong())
        let after = try made.slot(.localSecret)
        let changed = try Head(parsing: #require(made.contents().head).body)
        // The new record differs in what is random or counted, all of it drawn before the PIN is looked at …
        #expect(after.vault == before.vault && after.key == before.key)
        #expect(after.item != before.item)
        #expect(after.argon2 == before.argon2 && after.createdAt == before.createdAt && after.kind == before.kind)
        #expect(after.id != before.id && after.salt != before.salt && after.generation == before.generation + 1)
        // … and the head in its generation and in the digest of that record.
        var expected = head
        expected.generation = changed.generation
        expected.slots = changed.slots
        #expect(expected == changed && changed.slots.count == 1)
        #expect(changed.slots[0].digest == SHA256.digest(try after.bytes))
        #expect(try made.wallets().isEmpty)
        #expect(try Ledger(parsing: #require(made.contents().ledger).body).attempts == AttemptRecord())
    }

    @Test(.holds("A3")) func `two vaults with one PIN have no salt, no id and no run of sixteen bytes in common`()
        async throws
    {
        let one = try await TestVault.make()
        let two = try await TestVault.make()
        let (first, second) = (try one.slot(.localSecret), try two.slot(.localSecret))
        #expect(first.salt != second.salt && first.id != second.id && first.vault != second.vault)
        for start in 0..<(first.box.count - 16) {
            #expect(!second.box.contains(run: Array(first.box[start..<(start + 16)])))
        }
    }

    @Test(.holds("A3")) func `the salt is new at each change, also to the same PIN`() async throws {
        let made = try await TestVault.make()
        var salts: Set<[UInt8]> = [try made.slot(.localSecret).salt]
        for _ in 1...5 {
            try await made.vault.changeLocalSecret(to: SecretBytes(text: TestVault.pin), try await made.strong())
            salts.insert(try made.slot(.localSecret).salt)
        }
        #expect(salts.count == 6)
    }

    @Test(.holds("INV-107-05", "B-10")) func `after everything was done once, no file holds a secret`() async throws {
        let made = try await TestVault.make(biometrics: true)
        let key = try await made.makeRecoveryKey()
        let wallet = try await made.add("Savings", "SENTINEL-SECRET")
        try await made.vault.changeLocalSecret(to: SecretBytes(text: "SENTINEL-PASSWORD"), try await made.strong())
        await made.vault.lock()
        try await made.touch()
        _ = try await made.secret(of: wallet.id)
        _ = await refusal { try await made.vault.unlock(with: SecretBytes(text: "SENTINEL-WRONG")) }
        try made.expectNoTrace(of: [TestVault.pin, "SENTINEL", key, key.replacing("-", with: "")])
    }

    @Test(.holds("C1", "INV-107-03"))
    func `what a finger releases opens its own slot's envelope, and is none of the vault's keys`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        try await made.add("Savings")
        let (slot, wallet) = (try made.slot(.biometric), try #require(try made.wallets().first))
        let bytes = try await made.released(by: slot)
        let opened = try #require(try slot.opens(with: bytes))
        #expect(try await made.isMasterKey(opened))

        // Without the envelope the bytes are worth nothing: no other slot opens …
        let other = try await TestVault.make(biometrics: true).slot(.biometric)
        #expect(try other.opens(with: bytes) == nil)
        // … they are not the master key, so that nothing is derived from them …
        #expect(try await !made.isMasterKey(bytes))
        #expect(throws: VaultError.self) { try Self.secret(in: wallet, of: slot.vault, under: bytes) }
        #expect(try Self.secret(in: wallet, of: slot.vault, under: opened) == "a secret of many words")
        // … and none of the keys that are derived from it.
        let key = try MasterKey(bytes: opened)
        let salt = Array(wallet.secret[WalletRecord.headerByteCount..<66])
        let header = WalletRecord.prefix(in: slot.vault) + wallet.id.bytes
        let derived = [
            key.labelKey(of: slot.vault).withBytes { $0.exposed },
            key.manifestKey(of: slot.vault).withBytes { $0.exposed },
            key.derive("wallet-key", context: header, salt: salt).withBytes { $0.exposed },
        ]
        #expect(Set(derived).count == 3 && !derived.contains(bytes))
    }

    @Test(.holds("INV-107-02")) func `each enabling draws other bytes for the finger, and the key is the one it was`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        let (slot, first) = (try made.slot(.biometric), try await made.released(by: made.slot(.biometric)))
        let key = try #require(try slot.opens(with: first))
        try await made.vault.disableBiometrics(try await made.strong())
        try made.simulated.simulate(.enroll)
        try await made.enableBiometrics()
        let second = try await made.released(by: made.slot(.biometric))
        #expect(first != second)
        #expect(try made.slot(.biometric).opens(with: first) == nil)
        #expect(try made.slot(.biometric).opens(with: second) == key)
        #expect(try await made.isMasterKey(key))
    }

    /// What a wallet's row holds to whoever takes these bytes for the master key.
    private static func secret(in wallet: WalletRecord, of vault: Identifier, under bytes: [UInt8]) throws -> String {
        try MasterKey(bytes: bytes).open(wallet.secret, kind: .opaque, wallet: wallet.id, vault: vault)
            .withBytes { $0.exposedText }
    }

    @Test(.holds("C20")) func `no change of PIN, finger or recovery key touches a wallet's row or the master key`()
        async throws
    {
        let made = try await TestVault.make()
        for number in 1...3 { try await made.add("Wallet \(number)") }
        let rows = try made.wallets()
        let key = try made.slot(.localSecret).key
        try await made.enableBiometrics()
        let recovery = try await made.makeRecoveryKey()
        try await made.vault.changeLocalSecret(to: SecretBytes(text: "840275"), try await made.strong())
        try await made.vault.recover(with: SecretBytes(text: recovery), newSecret: SecretBytes(text: TestVault.pin))
        try await made.vault.removeRecoveryKey(try await made.strong())
        #expect(try made.wallets() == rows)
        #expect(try made.slots().allSatisfy { $0.key == key })
    }

    @Test(.holds("C2")) func `the biometric item is bound to the present set, the device secret to the device alone`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        for (kind, access) in [(SlotKind.biometric, AccessControl.currentBiometrySet), (.localSecret, .deviceOnly)] {
            let item = try #require(try made.slot(kind).item)
            let description = try await made.simulated.describe(item)
            #expect(description == ItemDescription(access: access, staysOnDevice: true))
        }
    }
}

extension MasterKey {
    /// Takes bytes for a master key, as a thief would.
    fileprivate init(bytes: [UInt8]) throws(CryptoError) {
        try self.init(unwrapped: SecretBytes(bytes))
    }
}

extension SecretBytes {
    fileprivate init(_ bytes: [UInt8]) {
        unsafe self.init(byteCount: bytes.count) { buffer in unsafe buffer.copyBytes(from: bytes) }
    }
}

extension SlotRecord {
    /// The master key that a released secret takes out of this slot, in the open; nil where it opens nothing.
    fileprivate func opens(with released: [UInt8]) throws -> [UInt8]? {
        guard let key = try open(with: .biometric(RandomSecret(loading: SecretBytes(released)))) else { return nil }
        return key.bytes.withBytes { $0.exposed }
    }
}

extension TestVault {
    /// Whether these bytes are what the PIN's slot holds.
    fileprivate func isMasterKey(_ bytes: [UInt8]) async throws -> Bool {
        let slot = try slot(.localSecret)
        let share = try await share(of: slot)
        let stretched = try slot.stretch(SecretBytes(text: Self.pin), limits: Self.configuration().argon2)
        let secret = LocalSecret(stretched: stretched, deviceShare: share)
        guard let key = try slot.open(with: .local(secret)) else { return false }
        return key.bytes.withBytes { $0.exposed } == bytes
    }
}
