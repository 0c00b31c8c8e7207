import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// A thief has every file of the vault.
@Suite struct StolenFilesTests {
    @Test func `A1: without the device none of ten thousand PINs opens the slot, with it exactly one does`()
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

    @Test func `A1: another device contributes something else`() async throws {
        let made = try await TestVault.make()
        let other = try await TestVault.make()
        let slot = try made.slot(.localSecret)
        let item = try #require(other.slot(.localSecret).item)
        let share = try await other.device.store.evaluate(item, input: slot.shareInput)
        #expect(try !made.opens(slot, pin: TestVault.pin, share: share))
    }

    @Test func `A2: nothing stored but the slot's box depends on the PIN`() async throws {
        let made = try await TestVault.make()
        let before = try made.slot(.localSecret)
        let head = try Head(parsing: #require(made.contents().head).body)
        try await made.vault.changeLocalSecret(to: SecretBytes(text: "840275"), try await made.strong())
        let after = try made.slot(.localSecret)
        let changed = try Head(parsing: #require(made.contents().head).body)
        // The new record differs in what is random or counted, all of it drawn before the PIN is looked at …
        #expect(after.vault == before.vault && after.key == before.key)
        #expect(after.item != before.item && after.ledgerItem == before.ledgerItem)
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

    @Test func `A2: one guess is one slow derivation, and a refused one none`() async throws {
        let made = try await TestVault.make()
        await made.vault.lock()
        var guesses = 0
        for number in 1...9 {
            if await refusal({ try await made.guess(number) }) == .strongFactorRefused { guesses += 1 }
        }
        // The box is tried once for each event, and nothing else asks the derivation's only caller.
        #expect(guesses == 4 && made.log.count(.passwordFailure) == 4)
    }

    @Test func `A3: two vaults with one PIN have no salt, no id and no run of sixteen bytes in common`() async throws {
        let one = try await TestVault.make()
        let two = try await TestVault.make()
        let (first, second) = (try one.slot(.localSecret), try two.slot(.localSecret))
        #expect(first.salt != second.salt && first.id != second.id && first.vault != second.vault)
        for start in 0..<(first.box.count - 16) {
            #expect(!second.box.contains(run: Array(first.box[start..<(start + 16)])))
        }
    }

    @Test func `A3: the salt is new at each change, also to the same PIN`() async throws {
        let made = try await TestVault.make()
        var salts: Set<[UInt8]> = [try made.slot(.localSecret).salt]
        for _ in 1...5 {
            try await made.vault.changeLocalSecret(to: SecretBytes(text: TestVault.pin), try await made.strong())
            salts.insert(try made.slot(.localSecret).salt)
        }
        #expect(salts.count == 6)
    }

    @Test func `INV-107-05, B-10: after everything was done once, no file holds a secret`() async throws {
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

    @Test
    func `C1, INV-107-02, INV-107-03: the biometric item opens its own slot's envelope, and is no key of a wallet`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        let slot = try made.slot(.biometric)
        let item = try #require(slot.item)
        try made.simulated.simulate(.finger(.match))
        let released = try await made.simulated.read(item, prompt: TestVault.words)
        let secret = SlotSecret.biometric(try RandomSecret(loading: released.copy()))
        let opened = try slot.open(with: secret) != nil
        #expect(opened)
        // Without the envelope the released bytes are worth nothing: they are not the master key.
        let other = try await TestVault.make(biometrics: true).slot(.biometric)
        let opensOther = try other.open(with: secret) != nil
        #expect(!opensOther)
    }

    @Test func `C20: no change of PIN, finger or recovery key touches a wallet's row or the master key`() async throws {
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

    @Test func `C2: the biometric item is bound to the present set, the device secret to the device alone`()
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
