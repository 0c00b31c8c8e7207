import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// A vault gets a new master key.
@Suite struct VaultRekeyTests {
    private static let newPIN = "840275"

    @Test(.holds("A21")) func `every wallet opens as before, under a new key, and no row of the former one is left`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        for number in 1...3 { try await made.add("Wallet \(number)", "secret \(number)") }
        let (before, rows, slots) = (try await made.vault.wallets(), try made.wallets(), try made.slots())
        let own = try #require(try made.slot(.localSecret).item)
        try await made.rekey()
        #expect(await made.state == .locked)
        #expect(made.log.count(.vaultRekeyed) == 1 && made.log.alarms.isEmpty)

        try await made.strong()
        #expect(try await made.vault.wallets() == before)
        for (number, wallet) in before.enumerated() {
            #expect(try await made.secret(of: wallet.id) == "secret \(number + 1)")
        }
        #expect(await made.vault.snapshot.isAuthentic == true)
        let (newRows, newSlots) = (try made.wallets(), try made.slots())
        #expect(Set(newSlots.map(\.key)).count == 1 && newSlots[0].key != slots[0].key)
        #expect(Set(newSlots.map(\.id)).isDisjoint(with: slots.map(\.id)))
        #expect(newRows.count == 3 && zip(newRows, rows).allSatisfy { $0.secret != $1.secret && $0.label != $1.label })
        #expect(try await made.simulated.describe(own) == nil)
        #expect(try made.contents().leftovers.isEmpty)
        try await made.add("Later")
    }

    @Test(.holds("A21", "A7"))
    func `a copy from before opens with the former recovery key alone, and that key opens nothing here`()
        async throws
    {
        let made = try await TestVault.make()
        try await made.add("Savings", "a secret")
        let former = try await made.makeRecoveryKey()
        await made.vault.close()
        let copy = try made.folder.read("vault/vault.sqlite")
        let changed = try await made.reopened()
        let new = try await changed.rekey(pin: Self.newPIN)
        #expect(await refusal { try await changed.unlock(former) } == .strongFactorRefused)
        try await changed.unlock(try #require(new))
        #expect(await changed.isOpen)
        await changed.vault.lock()
        #expect(await refusal { try await changed.strong() } == .strongFactorRefused)
        try await changed.vault.unlock(with: SecretBytes(text: Self.newPIN))
        await changed.vault.close()

        try made.folder.write(copy, to: "vault/vault.sqlite")
        let again = try await made.reopened()
        try made.waitADay()
        #expect(await refusal { try await again.strong() } == .keyMissing)
        #expect(await refusal { try await again.unlock(try #require(new)) } == .strongFactorRefused)
        try await again.unlock(former)
        #expect(await again.state == .unlocked(.exportOnly))
    }

    @Test(.holds("A21"))
    func `where there is a recovery key, no new master key counts before a new one was typed back`()
        async throws
    {
        let made = try await TestVault.make()
        let former = try await made.makeRecoveryKey()
        let head = try made.contents().head
        #expect(await refusal { try await made.rekey(withRecoveryKey: false) } == .recoveryKeyRequired)
        let new = NewRecoveryKey()
        #expect(await refusal { try new.confirmed(by: SecretBytes(text: former)) } == .strongFactorRefused)
        #expect(await refusal { try new.confirmed(by: SecretBytes(text: "0000")) } == .recoveryKeyMalformed)
        #expect(try made.contents().head == head)
        #expect(await made.isOpen)
    }

    @Test(.holds("A28")) func `biometrics stay on where nobody was enrolled since, and are off where somebody was`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        let item = try #require(try made.slot(.biometric).item)
        try await made.rekey()
        #expect(made.simulated.promptsShown == 0)
        try await made.strong()
        await made.vault.lock()
        try await made.touch()
        #expect(try made.slot(.biometric).item != item)

        let other = try await TestVault.make(biometrics: true)
        let proof = try await other.strong()
        try other.simulated.simulate(.enroll)
        try await other.vault.rekey(with: SecretBytes(text: TestVault.pin), recoveryKey: nil, proof)
        try await other.strong()
        #expect(await other.vault.snapshot.biometrics == .disabled)
        #expect(try other.slots().map(\.kind) == [.localSecret])
    }

    @Test(.holds("A28")) func `whoever is enrolled while the vault is sealed anew does not come in with the new key`()
        async throws
    {
        for call in ["makeDeviceSecret", "save", "describe"] {
            let (simulated, trap) = (SimulatedDevice(), Trap())
            let watched = WatchedDevice(simulated) { seen in
                if await trap.springs(at: "\(seen)") { try? simulated.simulate(.enroll) }
            }
            let made = try await TestVault.make(biometrics: true, on: simulated, seenAs: watched.device)
            try await made.add("Savings", "a secret")
            let proof = Held(try await made.strong())
            await trap.set(at: call)
            try await made.vault.rekey(with: SecretBytes(text: TestVault.pin), recoveryKey: nil, proof.take())
            #expect(await trap.call == nil, "\(call) was never called")
            let plain = try await made.restarted()
            #expect(await plain.secretOpensNothing(), "\(call)")
            try await plain.strong()
        }
    }

    @Test(.holds("A21")) func `a wallet whose row went since it was last looked at is missed, and nothing was changed`()
        async throws
    {
        let made = try await TestVault.make()
        for number in 1...2 { try await made.add("Wallet \(number)", "secret \(number)") }
        let proof = Held(try await made.strong())
        _ = try await made.vault.wallets()
        let head = try made.contents().head
        let lost = try made.wallets()[0]
        try made.tamper { try $0.removeWallet(lost.id) }
        let code = await refusal {
            try await made.vault.rekey(with: SecretBytes(text: TestVault.pin), recoveryKey: nil, proof.take())
        }
        #expect(code == .vaultTampered)
        #expect(await made.state == .unlocked(.exportOnly))
        #expect(try made.contents().head == head)
    }

    @Test(.holds("A21", "V-05"))
    func `what the owner saw damaged or missing is given up, and the vault is whole again`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        for number in 1...4 { try await made.add("Wallet \(number)", "secret \(number)") }
        let kept = try await made.vault.wallets()
        var row = try #require(try made.wallets().first { $0.id == kept[0].id })
        row.secret[70] ^= 1
        try made.replace(row)
        let again = try await made.reopened()
        try await again.strong()
        let seen = try await again.vault.inventory()
        #expect(seen.damaged.map(\.id) == [kept[0].id] && seen.missingCount == 0)
        #expect(await refusal { try await again.rekey() } == .vaultTampered)

        try made.tamper { try $0.removeWallet(kept[1].id) }
        let head = try made.contents().head
        #expect(await refusal { try await again.rekey(keeping: seen) } == .vaultTampered, "one is missing since")
        #expect(try made.contents().head == head)
        try await again.strong()
        let now = try await again.vault.inventory()
        #expect(now.missingCount == 1)
        try await again.rekey(keeping: now)
        try await again.strong()
        #expect(await again.isOpen)
        #expect(try await again.vault.wallets() == Array(kept[2...]))
        #expect(try await again.secret(of: kept[3].id) == "secret 4")
        #expect(try made.wallets().count == 2)
        try await again.add("Later")
    }

    @Test(.holds("A7")) func `an older copy that was put back gets no new key`() async throws {
        let made = try await TestVault.make()
        try await made.add("Savings", "a secret")
        await made.vault.close()
        let older = try made.folder.read("vault/vault.sqlite")
        let later = try await made.reopened()
        try await later.strong()
        try await later.add("Second", "another")
        await later.vault.close()
        try made.folder.write(older, to: "vault/vault.sqlite")
        let copy = try await made.reopened()
        try made.waitADay()
        try await copy.strong()
        let seen = try await copy.vault.inventory()
        #expect(await refusal { try await copy.rekey(keeping: seen) } == .exportOnly)
        #expect(await refusal { try await copy.rekey() } == .exportOnly)
    }

    @Test(.holds("A21")) func `where slots were changed there is no new key, whatever the owner gives up`() async throws
    {
        let made = try await TestVault.make(biometrics: true)
        try await made.add("Savings", "a secret")
        let again = try await made.reopened()
        let seen = try await again.seen()
        let finger = try made.slot(.biometric)
        try made.tamper { try $0.removeSlot(finger.id) }
        let head = try made.contents().head
        #expect(await refusal { try await again.rekey(keeping: seen) } == .vaultTampered)
        #expect(try made.contents().head == head)
    }

    @Test(.holds("A21")) func `a wallet that opened when its owner looked is not exchanged for another one`()
        async throws
    {
        let made = try await TestVault.make()
        for number in 1...3 { try await made.add("Wallet \(number)", "secret \(number)") }
        let rows = try made.wallets()
        let deleted = rows[2]
        try await made.vault.deleteWallet(deleted.id, try await made.strong())
        var (junk, damaged) = (deleted, rows[0])
        junk = WalletRecord(id: .make(), tag: .make(), label: [1], secret: [2])
        damaged.secret[70] ^= 1
        try made.replace(damaged)
        try made.tamper { try $0.add(junk) }
        try made.tamper { try $0.eraseDeleted() }  // else a search by form finds what it was
        let again = try await made.reopened()
        let seen = try await again.seen()
        #expect(seen.wallets.map(\.id) == [rows[1].id])
        #expect(Set(seen.damaged.map(\.id)) == [rows[0].id, junk.id])
        let head = try made.contents().head
        // One that its owner deleted comes in its place: the number is the same.
        try made.tamper { store in
            try store.removeWallet(rows[1].id)
            try store.add(deleted)
        }
        try made.tamper { try $0.eraseDeleted() }
        #expect(await refusal { try await again.rekey(keeping: seen) } == .vaultTampered)
        #expect(await refusal { try await again.rekey() } == .vaultTampered)
        // Or none, and the row that was added is taken for it.
        try made.tamper { try $0.removeWallet(deleted.id) }
        try made.tamper { try $0.eraseDeleted() }
        #expect(await refusal { try await again.rekey(keeping: seen) } == .vaultTampered)
        #expect(try made.contents().head == head)
        try made.tamper { try $0.add(rows[1]) }
        try await again.rekey(keeping: seen)
        try await again.strong()
        #expect(try await again.vault.wallets() == seen.wallets)
    }

    @Test(.holds("A21")) func `a wallet without its label is kept under its id, and the vault stays whole with it`()
        async throws
    {
        let made = try await TestVault.make()
        try await made.add("Savings", "a secret")
        var row = try made.wallets()[0]
        row.label[20] ^= 1
        try made.replace(row)
        let again = try await made.reopened()
        try await again.rekey(keeping: again.seen())
        let alarms = again.log.count(.vaultTampered)
        try await again.strong()
        let inventory = try await again.vault.inventory()
        #expect(inventory.isAuthentic && inventory.wallets.map(\.name.text) == [row.id.text])
        #expect(inventory.wallets[0].createdAt == again.device.clock().wall)
        #expect(await again.isOpen)
        #expect(again.log.count(.vaultTampered) == alarms)
    }

    @Test(.holds("P-107-01")) func `where the policy lets a recovery key only export, that gives no new key either`()
        async throws
    {
        let made = try await TestVault.make(policy: .localPD107)
        try await made.add("Savings", "a secret")
        let key = try await made.makeRecoveryKey()
        var row = try made.wallets()[0]
        row.label[20] ^= 1
        try made.replace(row)
        let again = try await made.reopened()
        let proof = try await again.vault.unlock(withRecoveryKey: SecretBytes(text: key))
        let seen = try await again.vault.inventory()
        let new = NewRecoveryKey()
        let typed = try new.confirmed(by: SecretBytes(text: new.show { $0.exposedText }))
        let secret = SecretBytes(text: Self.newPIN)
        do {
            try await again.vault.rekey(with: secret, recoveryKey: typed, keeping: seen, proof)
            Issue.record("a recovery key that only exports gave a new key")
        } catch {
            #expect(error.code == .exportOnly)
        }
    }

    @Test(.holds("A38")) func `the session of another process locks, and nobody is said to have tampered`() async throws
    {
        let one = try await TestVault.make()
        try await one.add("Savings", "a secret")
        let two = try await one.reopened()
        try await two.strong()
        try await one.rekey()
        #expect(await refusal { try await two.vault.wallets() } == .locked)
        #expect(two.log.alarms.isEmpty)
        try await two.strong()
        #expect(try await two.vault.wallets().map(\.name.text) == ["Savings"])
    }

    @Test(.holds("A21")) func `a fault anywhere leaves the former key, and what it opens`() async throws {
        for step in 1... {
            let made = try await TestVault.make(biometrics: true)
            try await made.add("Savings", "a secret")
            let proof = Held(try await made.strong())
            let (head, calls) = (try made.contents().head, Counter())
            made.simulated.interceptor = { _ throws(DeviceRefusal) in
                if calls.next() == step { throw .unavailable }
                return .proceed
            }
            let code = await refusal {
                try await made.vault.rekey(with: SecretBytes(text: Self.newPIN), recoveryKey: nil, proof.take())
            }
            made.simulated.interceptor = nil
            let stands = try made.contents().head != head
            #expect(stands ? code == nil || code == .formerSecretRemains : code != nil, "step \(step)")
            #expect(await made.vault.snapshot.isAuthentic != false, "step \(step)")
            let again = try await made.restarted()
            let other = await refusal {
                try await again.vault.unlock(with: SecretBytes(text: stands ? TestVault.pin : Self.newPIN))
            }
            #expect(other == .strongFactorRefused, "step \(step)")
            try await again.vault.unlock(with: SecretBytes(text: stands ? Self.newPIN : TestVault.pin))
            #expect(try await again.vault.wallets().map(\.name.text) == ["Savings"], "step \(step)")
            await again.vault.close()
            if calls.next() <= step { break }
        }
    }

    @Test func `a weak PIN, a stale proof and a changed wallet row each refuse it, and nothing was changed`()
        async throws
    {
        let made = try await TestVault.make()
        try await made.add("Savings", "a secret")
        let head = try made.contents().head
        #expect(await refusal { try await made.rekey(pin: "000000") } == .secretTooCommon)
        let proof = Held(try await made.strong())
        try made.advance(.minutes(2))
        let code = await refusal {
            try await made.vault.rekey(with: SecretBytes(text: Self.newPIN), recoveryKey: nil, proof.take())
        }
        #expect(code == .authorizationExpired)
        var row = try made.wallets()[0]
        row.label[20] ^= 1
        try made.replace(row)
        let reopened = try await made.reopened()
        #expect(await refusal { try await reopened.rekey(pin: Self.newPIN) } == .vaultTampered)
        #expect(try made.contents().head == head)
    }
}

/// Springs once, at the first call of a name after it was set.
private actor Trap {
    private(set) var call: String?

    func set(at call: String) { self.call = call }

    func springs(at seen: String) -> Bool {
        guard let call, seen.hasPrefix(call) else { return false }
        self.call = nil
        return true
    }
}

extension TestVault {
    /// What the owner sees of the wallets.
    fileprivate func seen() async throws -> WalletInventory {
        try await strong()
        return try await vault.inventory()
    }

    /// Unlocks and gives the vault a new key; with a new recovery key where there is one.
    @discardableResult
    fileprivate func rekey(
        pin: String = TestVault.pin,
        withRecoveryKey: Bool = true,
        keeping seen: WalletInventory? = nil
    ) async throws -> String? {
        let proof = try await strong()
        guard withRecoveryKey, try slots().contains(where: { $0.kind == .recovery }) else {
            try await vault.rekey(with: SecretBytes(text: pin), recoveryKey: nil, keeping: seen, proof)
            return nil
        }
        let new = NewRecoveryKey()
        let text = try new.show { $0.exposedText }
        try await vault.rekey(
            with: SecretBytes(text: pin),
            recoveryKey: new.confirmed(by: SecretBytes(text: text)),
            keeping: seen,
            proof
        )
        return text
    }
}
