import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

@Suite struct VaultRecoveryTests {
    @Test func `a recovery key that was typed back opens the vault, in any case and without its dashes`() async throws {
        let made = try await TestVault.make()
        let key = try await made.makeRecoveryKey()
        await made.vault.lock()
        let typed = key.lowercased().filter { $0 != "-" }
        try await made.vault.unlock(withRecoveryKey: SecretBytes(text: typed))
        #expect(await made.isOpen)
        #expect(made.log.events.compactMap(\.reason) == ["created", "confirmed", "recoveryKey"])
    }

    @Test func `a recovery key that was not typed back does not count`() async throws {
        let made = try await TestVault.make()
        let key = try await made.makeRecoveryKey(confirming: false)
        let told = try await made.look()
        #expect(told.slots.map(\.kind) == [.localSecret] && told.recoveryKeyAwaitsCheck)
        await made.vault.lock()
        #expect(await refusal { try await made.unlock(key) } == .recoveryMissing)
        for number in 1...4 { _ = await refusal { try await made.guess(number) } }
        #expect(await made.vault.snapshot.nextAttempt == .wait(.seconds(30)))
    }

    @Test func `an older key opens until the new one was typed back, and then no more`() async throws {
        let made = try await TestVault.make()
        let old = try await made.makeRecoveryKey()
        let new = try await made.makeRecoveryKey(confirming: false)
        await made.vault.lock()
        #expect(await refusal { try await made.unlock(new) } == .strongFactorRefused)
        try await made.unlock(old)
        #expect(await refusal { try await made.confirm(old) } == .strongFactorRefused)
        try await made.confirm(new)
        await made.vault.lock()
        #expect(await refusal { try await made.unlock(old) } == .strongFactorRefused)
        try await made.unlock(new)
        #expect(try made.slots().count { $0.kind == .recovery } == 1)
    }

    @Test func `only the last of several keys that were not typed back is kept`() async throws {
        let made = try await TestVault.make()
        let first = try await made.makeRecoveryKey(confirming: false)
        let second = try await made.makeRecoveryKey(confirming: false)
        #expect(await refusal { try await made.confirm(first) } == .strongFactorRefused)
        try await made.confirm(second)
        try await made.confirm(second)
        #expect(try made.slots().count == 2)
    }

    @Test(.holds("K-10")) func `a recovery key that was not typed back opens nothing, whatever is made of the file`()
        async throws
    {
        let made = try await TestVault.make()
        try await made.add("Savings")
        let key = try await made.makeRecoveryKey(confirming: false)
        #expect(try made.slots().map(\.kind) == [.localSecret])
        await made.vault.close()
        let file = made.path + "/vault.sqlite"
        let whole = try made.folder.read("vault/vault.sqlite")
        #expect(!whole.contains(run: Array("rec-slot".utf8)))
        let fault = failure { () throws(VaultError) in
            _ = try OpenedBackup(at: file, recoveryKey: SecretBytes(text: key))
        }
        #expect(fault?.code == .vaultDamaged, "no slot is in it")
        let stored = try #require(try made.contents().head)
        for bit in stride(from: 0, to: stored.body.count * 8, by: 7) {
            try made.editHead { body in
                body = stored.body
                body[bit / 8] ^= 1 << (bit % 8)
            }
            #expect(await refusal { try await made.reopened().unlock(key) } != nil, "bit \(bit)")
        }
    }

    @Test func `beside a key that counts one that waits opens neither vault nor backup, and goes into none`()
        async throws
    {
        let made = try await TestVault.make()
        try await made.add("Savings")
        let old = try await made.makeRecoveryKey()
        let new = try await made.makeRecoveryKey(confirming: false)
        let backup = made.folder.file("backup")
        try await made.vault.backUp(to: backup, try await made.strong())
        await made.vault.close()
        for file in [made.path + "/vault.sqlite", backup] {
            let code = failure { () throws(VaultError) in
                _ = try OpenedBackup(at: file, recoveryKey: SecretBytes(text: new))
            }?.code
            #expect(code == .strongFactorRefused, "\(file)")
            #expect(try OpenedBackup(at: file, recoveryKey: SecretBytes(text: old)).inventory.wallets.count == 1)
        }
        let restored = try await Vault.restore(
            from: backup,
            in: made.folder.file("restored"),
            device: made.device,
            recoveryKey: SecretBytes(text: old),
            newSecret: SecretBytes(text: TestVault.pin),
            configuration: TestVault.configuration()
        )
        #expect(await !restored.snapshot.recoveryKeyAwaitsCheck)
        let proof = Held(try await restored.unlock(with: SecretBytes(text: TestVault.pin)))
        let code = await refusal { try await restored.confirmRecoveryKey(SecretBytes(text: new), proof.take()) }
        #expect(code == .strongFactorRefused)
    }

    @Test(.holds("A61")) func `a proof that is too old confirms no key, and a new one does`() async throws {
        let made = try await TestVault.make()
        let key = try await made.makeRecoveryKey(confirming: false)
        let old = Held(try await made.strong())
        try made.advance(.seconds(61))
        let code = await refusal { try await made.vault.confirmRecoveryKey(SecretBytes(text: key), old.take()) }
        #expect(code == .authorizationExpired)
        try await made.confirm(key)
        #expect(try Set(made.slots().map(\.kind)) == [.localSecret, .recovery])
        #expect(try await !made.look().recoveryKeyAwaitsCheck)
    }

    @Test func `a key that waits is forgotten with the one that counts, and with a new master key`() async throws {
        for rekeys in [false, true] {
            let made = try await TestVault.make()
            let key = try await made.makeRecoveryKey(confirming: false)
            if rekeys {
                try await made.vault.rekey(
                    with: SecretBytes(text: TestVault.pin),
                    recoveryKey: nil,
                    try await made.strong()
                )
            } else {
                try await made.vault.removeRecoveryKey(try await made.strong())
            }
            #expect(try await !made.look().recoveryKeyAwaitsCheck)
            #expect(await refusal { try await made.confirm(key) } == .recoveryMissing)
        }
    }

    @Test func `a removed recovery key opens nothing`() async throws {
        let made = try await TestVault.make()
        let key = try await made.makeRecoveryKey()
        try await made.vault.removeRecoveryKey(try await made.strong())
        await made.vault.lock()
        #expect(await refusal { try await made.unlock(key) } == .recoveryMissing)
        try await made.strong()
        #expect(await refusal { try await made.vault.removeRecoveryKey(try await made.strong()) } == .recoveryMissing)
    }

    @Test func `what is no recovery key is malformed, and another vault's is refused`() async throws {
        let made = try await TestVault.make()
        _ = try await made.makeRecoveryKey()
        let other = try await TestVault.make().makeRecoveryKey()
        await made.vault.lock()
        #expect(await refusal { try await made.unlock("not a key") } == .recoveryKeyMalformed)
        #expect(await refusal { try await made.unlock(String(other.dropLast())) } == .recoveryKeyMalformed)
        #expect(await refusal { try await made.unlock(other) } == .strongFactorRefused)
        #expect(try await made.look().failedAttempts == 0, "what can't be guessed is not counted")
    }

    @Test(.holds("A56")) func `ten wrong PINs suspend the PIN, and the recovery key opens at once and forgives`()
        async throws
    {
        let made = try await TestVault.make()
        let key = try await made.makeRecoveryKey()
        await made.vault.lock()
        for number in 1...10 {
            #expect(await refusal { try await made.guess(number) } == .strongFactorRefused)
            try made.waitADay()
        }
        #expect(await refusal { try await made.strong() } == .localSecretSuspended)
        try await made.unlock(key)
        await made.vault.lock()
        try await made.strong()
    }

    enum Edit: CaseIterable { case head, noRows, otherBox, otherSalt }

    @Test(.holds("A20"), arguments: Edit.allCases)
    func `a recovery key that a changed head lists, or whose rows are gone or others, suspends no PIN`(edit: Edit)
        async throws
    {
        let made = try await TestVault.make()
        _ = try await made.makeRecoveryKey()
        let recovery = try made.slot(.recovery)
        await made.vault.lock()
        switch edit {
        case .head: try made.editHeadPolicy { $0.biometricFailureLimit += 1 }
        case .noRows: try made.tamper { try $0.removeSlot(recovery.id) }
        case .otherBox, .otherSalt:
            // Under the same id, in both rows, and with a digest that fits.
            let bytes = try recovery.bytes
            var forged = bytes
            if edit == .otherBox {
                forged[forged.count - 1] ^= 1
            } else {
                let salt = try #require(bytes.indices.first { bytes[$0...].starts(with: recovery.salt) })
                forged[salt] ^= 1
            }
            let record = try SlotRecord(parsing: forged)
            try made.tamper { store in
                try store.removeSlot(recovery.id)
                try store.add(record)
            }
        }
        for number in 1...10 {
            #expect(await refusal { try await made.guess(number) } == .strongFactorRefused)
            try made.waitADay()
        }
        try await made.strong()
        #expect(await made.vault.snapshot.state == .unlocked(.exportOnly))
    }

    @Test(.holds("A20")) func `beside a ledger that names another head, or none, no recovery key suspends the PIN`()
        async throws
    {
        let made = try await TestVault.make()
        _ = try await made.makeRecoveryKey()
        await made.vault.lock()
        try made.editHeadPolicy { $0.biometricFailureLimit += 1 }
        let contents = try made.contents()
        let state = try LockedState(reading: contents, on: made.device.kind)
        var ledger = try Ledger(parsing: #require(contents.ledger).body)
        ledger.attempts = AttemptRecord(failures: AttemptSchedule.suspensionLimit, banked: .hours(24))
        let now = made.device.clock()
        for head in [ledger.head, nil] {
            ledger.head = head
            #expect(state.holding(ledger).headStanding == .putBack)
            #expect(state.holding(ledger).attemptDecision(at: now) == .allowed)
        }
    }

    @Test(.holds("C15", "K-10"))
    func `a forgotten PIN is replaced with the recovery key, and biometrics are off afterwards`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        let wallet = try await made.add("Savings")
        let key = try await made.makeRecoveryKey()
        let before = try made.slot(.localSecret)
        await made.vault.lock()
        try await made.vault.recover(with: SecretBytes(text: key), newSecret: SecretBytes(text: "840275"))
        #expect(await made.isOpen)
        let again = try await made.restarted()
        #expect(await refusal { try await again.strong() } == .strongFactorRefused)
        try await again.vault.unlock(with: SecretBytes(text: "840275"))
        #expect(try await again.secret(of: wallet.id) == "a secret of many words")
        #expect(
            try await again.look().slots.map(\.kind).sorted { $0.rawValue < $1.rawValue } == [.localSecret, .recovery]
        )
        let item = try #require(before.item)
        #expect(try await made.simulated.describe(item) == nil, "the old device secret is gone")
        #expect(try made.slot(.localSecret).item != item)
    }

    @Test(.holds("A26"))
    func `restored elsewhere the PIN says keyMissing, nothing is minted, and the recovery key makes a new PIN`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        let wallet = try await made.add("Savings")
        let key = try await made.makeRecoveryKey()
        try made.simulated.simulate(.restoreElsewhere)
        let saves = made.simulated.counts.saves
        let again = try await made.restarted()
        #expect(await again.vault.snapshot.condition == .keyMissing)
        #expect(await refusal { try await again.strong() } == .keyMissing)
        #expect(await refusal { try await again.touch() } == .keyMissing)
        #expect(made.simulated.counts.saves == saves && made.simulated.counts.deletes == 0)
        try await again.vault.recover(with: SecretBytes(text: key), newSecret: SecretBytes(text: "840275"))
        let third = try await again.restarted()
        #expect(await third.vault.snapshot.condition == .ready)
        try await third.vault.unlock(with: SecretBytes(text: "840275"))
        #expect(try await third.secret(of: wallet.id) == "a secret of many words")
        #expect(await refusal { try await third.unlock(key) } == nil)
        #expect(try third.contents().leftovers.isEmpty)
    }

    @Test(.holds("A26")) func `where the key is missing the recovery key alone reads and exports`() async throws {
        let made = try await TestVault.make()
        let wallet = try await made.add("Savings")
        let key = try await made.makeRecoveryKey()
        try made.simulated.simulate(.restoreElsewhere)
        let again = try await made.restarted()
        let authorization = try await again.vault.unlock(withRecoveryKey: SecretBytes(text: key))
        let text = try await again.vault.exportWallet(wallet.id, authorization) { _, bytes in bytes.exposedText }
        #expect(text == "a secret of many words")
    }

    @Test(.holds("A22"))
    func `a device that fails anywhere in a recovery leaves the old PIN or the new one, and the recovery key`()
        async throws
    {
        var step = 0
        var hasFailed = true
        while hasFailed {
            step += 1
            let made = try await TestVault.make()
            let key = try await made.makeRecoveryKey()
            await made.vault.lock()
            let calls = Counter()
            made.simulated.interceptor = { [step] call throws(DeviceRefusal) in
                if calls.next() == step { throw .unavailable }
                return .proceed
            }
            let code = await refusal {
                try await made.vault.recover(with: SecretBytes(text: key), newSecret: SecretBytes(text: "840275"))
            }
            hasFailed = calls.count >= step
            made.simulated.interceptor = nil
            let again = try await made.restarted()
            let old = await refusal { try await again.strong() }
            await again.vault.lock()
            let new = await refusal { try await again.vault.unlock(with: SecretBytes(text: "840275")) }
            #expect((old == nil) != (new == nil), "step \(step)")
            if code == nil { #expect(new == nil, "step \(step)") }
            await again.vault.lock()
            try await again.unlock(key)
        }
        #expect(step > 8)
    }

    @Test(.holds("K-10", "S-03")) func `whatever a call asks for, no commit takes the last slot that its owner holds`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        _ = try await made.makeRecoveryKey()
        let before = try made.contents()
        #expect(await refusal { try await made.vault.remove([.localSecret, .recovery]) } == .consentMissing)
        #expect(await refusal { try await made.vault.remove(Set(SlotKind.allCases)) } == .consentMissing)
        #expect(try made.contents().slots.count == 3 && made.contents().head == before.head)
        // The control: one of the two is enough.
        try await made.vault.remove([.localSecret])
        #expect(try Set(made.slots().map(\.kind)) == [.biometric, .recovery])
    }
}

extension TestVault {
    func unlock(_ recoveryKey: String) async throws {
        try await vault.unlock(withRecoveryKey: SecretBytes(text: recoveryKey))
    }

    func confirm(_ recoveryKey: String) async throws {
        try await vault.confirmRecoveryKey(SecretBytes(text: recoveryKey), try await strong())
    }
}

extension Vault {
    /// Takes slots away, as no call of the library does.
    fileprivate func remove(_ kinds: Set<SlotKind>) async throws(VaultError) {
        try await turn { (turn) async throws(VaultError) in
            let session = try openSession(in: turn)
            var change = try change(by: session)
            for slot in state.slots where kinds.contains(slot.kind) { change.remove(slot) }
            try await commit(change, for: session, in: turn)
        }
    }
}
