import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import Thumbturn

/// A flipped bit must not cost coins: what was changed opens for export only, and only what was changed is lost.
@Suite struct TamperedVaultTests {
    @Test func `a changed head leaves a session that lists, reads and exports, and does nothing else`() async throws {
        let made = try await Self.withWallets()
        try made.editHead { $0[$0.count - 1] ^= 1 }
        let again = try await made.restarted()
        let authorization = try await again.strong()
        let slot = authorization.slot
        #expect(slot == .localSecret)
        #expect(await again.state == .unlocked(.exportOnly))
        #expect(await again.vault.snapshot.isAuthentic == false)
        #expect(again.log.kinds == [.passwordFallback, .vaultTampered])
        let wallets = try await again.vault.wallets()
        #expect(wallets.map(\.name.text) == ["A", "B", "C"])
        for wallet in wallets {
            #expect(try await again.export(wallet.id) == "secret of \(wallet.name.text)")
            #expect(try await again.secret(of: wallet.id) == "secret of \(wallet.name.text)")
        }
        let first = wallets[0].id
        let calls: [(String, () async throws -> Void)] = [
            ("add", { try await again.add("D") }),
            ("rename", { try await again.vault.renameWallet(first, to: WalletName("Z")) }),
            ("delete", { try await again.vault.deleteWallet(first, try await again.strong()) }),
            ("enable", { try await again.enableBiometrics() }),
            ("disable", { try await again.vault.disableBiometrics(try await again.strong()) }),
            ("recovery", { _ = try await again.makeRecoveryKey() }),
            ("remove", { try await again.vault.removeRecoveryKey(try await again.strong()) }),
            ("backup", { try await again.vault.backUp(to: again.backup, try await again.strong()) }),
            (
                "change",
                {
                    try await again.vault.changeLocalSecret(to: SecretBytes(text: "840275"), try await again.strong())
                }
            ),
        ]
        for (name, call) in calls { #expect(await refusal(call) == .exportOnly, "\(name)") }
    }

    @Test(arguments: [false, true])
    func `a changed head does not say how long its session stays open`(isOpen: Bool) async throws {
        let made = try await Self.withWallets()
        let again = isOpen ? made : try await made.restarted()
        try made.editHead { body in
            guard var head = try? Head(parsing: body) else { return }
            head.policy.locksAfterIdle = .days(365)
            body = head.bytes
        }
        if isOpen { _ = try await again.look() } else { try await again.strong() }
        #expect(await again.state == .unlocked(.exportOnly))
        try again.advance(.minutes(5))
        await again.vault.lockIfIdle()
        #expect(await again.state == .unlocked(.exportOnly))
        try again.advance(Milliseconds(1))
        await again.vault.lockIfIdle()
        #expect(await again.state == .locked)
        try await again.strong()
        await again.vault.enterBackground()
        #expect(await !again.vault.holdsKey, "no editor turns off what locks in the background")
    }

    @Test(arguments: [false, true])
    func `an account that is edited into the head is asked nothing, and the PIN is tried and counted as before`(
        listsPassword: Bool
    ) async throws {
        let made = try await Self.withWallets()
        try made.editHead { body in
            guard var head = try? Head(parsing: body) else { return }
            let key = ItemName(vault: head.vault, purpose: .deviceKey, unique: .make())
            head.account = TestAccount().identity(AccountDevice(id: .make(), key: key, publicKey: []))
            if listsPassword {
                head.slots = head.slots.map { slot in
                    Head.Slot(
                        id: slot.id,
                        kind: .password,
                        digest: slot.digest,
                        assurance: slot.assurance
                    )
                }
            }
            body = head.bytes
        }
        await made.vault.close()
        let asked = Counter()
        let opened = try await Vault.open(FoundVault(in: made.path), device: made.device) { _ in
            _ = asked.next()
            return .epoch(0)
        }
        #expect(await opened.account == nil && asked.count == 0)
        #expect(await refusal { try await opened.requiredAccount } == .accountMismatch)
        await opened.close()
        let again = try await made.reopened()
        for number in 0..<4 { #expect(await refusal { try await again.guess(number) } == .strongFactorRefused) }
        #expect(await again.vault.snapshot.nextAttempt != .allowed)
        try again.advance(.hours(24))
        try await again.strong()
        #expect(await again.state == .unlocked(.exportOnly))
        #expect(await again.vault.snapshot.isAuthentic == false)
        for wallet in try await again.vault.wallets() {
            #expect(try await again.export(wallet.id) == "secret of \(wallet.name.text)")
        }
    }

    @Test func `a session that a policy lets only export keeps that policy, until the head is changed`() async throws {
        let made = try await TestVault.make(policy: .localPD107)
        let key = try await made.makeRecoveryKey()
        let again = try await made.restarted()
        try await again.vault.unlock(withRecoveryKey: SecretBytes(text: key))
        try again.advance(.minutes(30))
        _ = try await again.look()
        #expect(await again.state == .unlocked(.exportOnly))
        try again.editHead { body in
            guard var head = try? Head(parsing: body) else { return }
            head.policy.biometricFailureLimit += 1
            body = head.bytes
        }
        _ = try await again.look()
        await again.vault.lockIfIdle()
        #expect(await again.state == .locked)
    }

    @Test func `a good code writes no new head over a changed one`() async throws {
        let made = try await Self.withWallets()
        try made.editHead { $0[$0.count - 1] ^= 1 }
        let head = try made.contents().head
        let again = try await made.restarted()
        try await again.strong()
        await again.vault.lock()
        #expect(try made.contents().head == head)
        try await again.strong()
        #expect(await again.state == .unlocked(.exportOnly))
    }

    @Test func `any flipped byte of the head costs the full session and no wallet`() async throws {
        let made = try await Self.withWallets()
        let head = try #require(try made.contents().head)
        for index in (0..<head.body.count) {
            try made.editHead { $0[index] ^= 0x10 }
            let code = await refusal {
                let again = try await made.reopened()
                try await again.strong()
                #expect(await again.state == .unlocked(.exportOnly), "byte \(index)")
                for wallet in try await again.vault.wallets() {
                    #expect(try await again.export(wallet.id) == "secret of \(wallet.name.text)", "byte \(index)")
                }
                await again.vault.close()
            }
            // A head that names another device or another vault is refused as what it says it is.
            let isName = (1..<17).contains(index) || index == 33
            #expect(code == nil || isName, "byte \(index): \(code?.text ?? "")")
            try made.tamper { try $0.setHead(head) }
        }
        #expect(try await made.vault.wallets().count == 3)
    }

    @Test
    func `a flipped bit in a wallet's row costs at most that wallet, and found in a session ends it as a full one`()
        async throws
    {
        let made = try await Self.withWallets()
        let records = try made.wallets()
        for record in records {
            for isLabel in [true, false] {
                var edited = record
                if isLabel { edited.label[20] ^= 1 } else { edited.secret[70] ^= 1 }
                try made.replace(edited)
                let again = try await made.reopened()
                try await again.strong()
                #expect(await again.isOpen, "the index is verified on first use")
                #expect(await refusal { try await again.vault.wallets() } == .vaultTampered)
                #expect(await again.state == .unlocked(.exportOnly))
                let wallets = try await again.vault.wallets()
                #expect(wallets.count == 3)
                for wallet in wallets where wallet.id != record.id {
                    #expect(try await again.export(wallet.id) == "secret of \(wallet.name.text)")
                }
                if isLabel {
                    #expect(wallets.contains { $0.id == record.id && $0.name.text == record.id.text })
                    #expect(try await again.export(record.id).hasPrefix("secret of "))
                } else {
                    #expect(await refusal { try await again.export(record.id) } == .vaultTampered)
                }
                await again.vault.close()
                try made.replace(record)
            }
        }
    }

    @Test(.holds("A7")) func `a row of a wallet put back to an older state is noticed, and so is one added or removed`()
        async throws
    {
        let made = try await Self.withWallets()
        let old = try made.wallets()
        let wallet = try #require(try await made.vault.wallets().first)
        try await made.vault.renameWallet(wallet.id, to: WalletName("Renamed"))
        let new = try made.wallets()
        let before = try #require(old.first { $0.id == wallet.id })
        try made.replace(before)
        #expect(await Self.verdict(on: made) == .vaultTampered)
        try made.replace(#require(new.first { $0.id == wallet.id }))
        #expect(await Self.verdict(on: made) == nil)
        try made.tamper { try $0.removeWallet(wallet.id) }
        #expect(await Self.verdict(on: made) == .vaultTampered)
        try made.replace(#require(new.first { $0.id == wallet.id }))
        try made.tamper {
            try $0.add(WalletRecord(id: .make(), tag: before.tag, label: before.label, secret: before.secret))
        }
        #expect(await Self.verdict(on: made) == .vaultTampered)
    }

    @Test func `a policy that was edited to be longer or laxer never gives a finger a session`() async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        try made.editHeadPolicy { policy in
            policy.strongFactorAfterIdle = nil
            policy.strongFactorMaxAge = nil
            policy.strongFactorAfterReboot = false
            policy.biometricFailureLimit = .max
        }
        let again = try await made.restarted()
        try made.advance(.days(30))
        // The ledger names another head, so the prompt is not even shown.
        #expect(await refusal { try await again.touch() } == .ledgerUnreliable)
        #expect(await !again.vault.holdsKey)
        try await again.strong()
        #expect(again.log.kinds == [.passwordFallback, .vaultTampered])
        #expect(await again.state == .unlocked(.exportOnly))
    }

    @Test(.holds("A6"), arguments: [SlotKind.recovery, .biometric])
    func `a slot that was changed is found by every other way in, which opens for export alone`(
        kind: SlotKind
    ) async throws {
        let made = try await TestVault.make(biometrics: true)
        _ = try await made.makeRecoveryKey()
        let slot = try made.slot(kind)
        // Both of its rows, and in a place that nothing but the head's digest covers while it is shut.
        try made.replace(slot, with: slot.changed { $0[$0.count - 1] ^= 1 })
        let again = try await made.restarted()
        try await again.strong()
        #expect(await again.state == .unlocked(.exportOnly))
        #expect(again.log.count(.vaultTampered) == 1)
    }

    @Test(.holds("P-107-01")) func `rules that were read from an edited head do not outlive it`() async throws {
        let made = try await TestVault.make(policy: .localPD107)
        let key = try await made.makeRecoveryKey()
        let head = try #require(try made.contents().head)
        try made.editHeadPolicy { $0.recoveryOpensFully = true }
        let again = try await made.restarted()
        try made.tamper { try $0.setHead(head) }
        try await again.unlock(key)
        #expect(await again.state == .unlocked(.exportOnly))
    }

    @Test(.holds("A7")) func `an older head that was put back rules no session by its own, laxer policy`() async throws
    {
        var lax = TestVault.policy
        lax.locksAfterIdle = .minutes(30)
        let made = try await TestVault.make(policy: lax)
        await made.vault.close()
        let image = try FolderImage(of: made.path)
        let later = try await made.reopened()
        try await later.vault.setPolicy(later.strong()) { $0.locksInBackground = true }
        await later.vault.close()
        try image.restore(to: made.path)
        let old = try await made.reopened()
        try made.waitADay()
        try await old.strong()
        #expect(await old.state == .unlocked(.exportOnly))
        try made.advance(.minutes(6))
        await old.vault.lockIfIdle()
        #expect(await !old.vault.hasSession)
        try await old.strong()
        await old.vault.enterBackground()
        #expect(await !old.vault.hasSession)
        // Where its owner takes it for the vault, so is its policy.
        try await old.acceptOlderCopy()
        await old.vault.enterBackground()
        try made.advance(.minutes(6))
        await old.vault.lockIfIdle()
        #expect(await old.isOpen)
    }

    @Test func `a head changed while a session is open ends it as a full one at the next call`() async throws {
        let made = try await Self.withWallets()
        try made.editHeadPolicy { $0.locksAfterIdle = .days(365) }
        #expect(await refusal { try await made.add("D") } == .exportOnly)
        #expect(made.log.kinds.last == .vaultTampered)
        #expect(try await made.vault.wallets().count == 3)
    }

    @Test(.holds("A7")) func `a wallet's row that is put back while a session is open gives out nothing`() async throws
    {
        let made = try await Self.withWallets()
        let wallet = try #require(try await made.vault.wallets().first)
        let former = try #require(try made.wallets().first { $0.id == wallet.id })
        try await made.vault.renameWallet(wallet.id, to: WalletName("Z"))
        _ = try await made.vault.wallets()
        try made.replace(former)
        #expect(await refusal { try await made.secret(of: wallet.id) } == .vaultTampered)
    }

    @Test func `without a head, and without an index, the PIN still opens what opens`() async throws {
        let made = try await Self.withWallets()
        try made.editHead { $0 = [1, 2, 3] }
        let again = try await made.restarted()
        try await again.strong()
        #expect(await again.state == .unlocked(.exportOnly))
        for wallet in try await again.vault.wallets() {
            #expect(try await again.export(wallet.id) == "secret of \(wallet.name.text)")
        }
    }

    private static func withWallets() async throws -> TestVault {
        let made = try await TestVault.make()
        for name in ["A", "B", "C"] { try await made.add(name, "secret of \(name)") }
        return made
    }

    private static func verdict(on made: TestVault) async -> ErrorCode? {
        await refusal {
            let again = try await made.reopened()
            try await again.strong()
            _ = try await again.vault.wallets()
        }
    }
}

extension TestVault {
    /// Changes the head's bytes and leaves its MAC.
    func editHead(_ edit: (inout [UInt8]) -> Void) throws {
        try tamper { store in
            let head = try #require(try store.contents().head)
            var body = head.body
            edit(&body)
            try store.setHead(VaultStore.TaggedRow(body: body, mac: head.mac))
        }
    }

    func editHeadPolicy(_ edit: (inout VaultPolicy) -> Void) throws {
        let stored = try #require(try contents().head)
        var head = try Head(parsing: stored.body)
        edit(&head.policy)
        let body = head.bytes
        try editHead { $0 = body }
    }
}
