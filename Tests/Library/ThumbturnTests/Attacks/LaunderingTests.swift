import Foundation
import Testing
import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// An editor of the file works beside the vault: before, between and after its calls.
@Suite struct LaunderingTests {
    /// A full session and an unreadable local slot: `lookAround` returns before the head is verified, and the next
    /// Commit authenticates whatever head stands there.
    @Test(.holds("P-107-01")) func `a session vouches for no head that was edited beside it`() async throws {
        let made = try await TestVault.make(biometrics: true)
        try await made.add("A")
        try await made.strong()
        let local = try made.slot(.localSecret)
        let ledger = try #require(try made.contents().ledger)
        // The editor, while the session is open (an app, or `wallet import` waiting at its prompt).
        try made.editHeadPolicy { policy in
            policy.strongFactorAfterIdle = nil
            policy.strongFactorMaxAge = nil
            policy.strongFactorAfterReboot = false
            policy.biometricFailureLimit = .max
        }
        try made.tamper { try $0.removeSlot(local.id) }
        let code = await refusal { try await made.add("B") }
        // The editor puts slot and ledger back.
        try made.tamper { store in
            try store.add(local)
            try store.setLedger(ledger)
        }
        let again = try await made.restarted()
        try made.advance(.days(30))
        _ = await refusal { try await again.touch() }
        #expect(code == .exportOnly)
        #expect(await !again.isOpen, "a laundered policy opened for a finger after 30 days")
    }

    /// The same makes a PIN that was changed away a listed, authentic way in.
    @Test(.holds("P-107-01")) func `a PIN that was changed away is not brought back through an open session`()
        async throws
    {
        let made = try await TestVault.make()
        let old = try made.slot(.localSecret)
        try await made.changePIN(keeping: old)
        try await made.add("A")
        let new = try made.slot(.localSecret)
        let ledger = try #require(try made.contents().ledger)
        let stored = try #require(try made.contents().head)
        var head = try Head(parsing: stored.body)
        head.slots = [
            Head.Slot(
                id: old.id,
                kind: .localSecret,
                digest: SHA256.digest(try old.bytes),
                assurance: .simulated
            )
        ]
        let body = head.bytes
        try made.editHead { $0 = body }
        try made.tamper { try $0.removeSlot(new.id) }
        #expect(await refusal { try await made.add("B") } == .exportOnly)
        try made.tamper { store in
            try store.add(old)
            try store.setLedger(ledger)
        }
        let again = try await made.restarted()
        try await again.expectFormerPINWaits(old)
    }

    /// The old head beside the present ledger and the PIN's slot, which no change took along: nothing else is older.
    @Test(.holds("A7")) func `an old head beside the present ledger is a rollback`() async throws {
        let made = try await TestVault.make(biometrics: true)
        let (head, finger) = (try #require(try made.contents().head), try made.slot(.biometric))
        try await made.vault.disableBiometrics(try await made.strong())
        try made.tamper { store in
            try store.setHead(head)
            try store.add(finger)
        }
        let again = try await made.restarted()
        #expect(again.log.kinds.isEmpty, "the ledger is the one that was written last")
        #expect(await refusal { try await again.touch() } == .strongFactorRequired)
        try await again.strong()
        #expect(await again.state == .unlocked(.exportOnly))
        #expect(await refusal { try await again.add("B") } == .olderCopy)
        #expect(again.log.kinds == [.passwordFallback, .olderCopyFound])
    }

    /// The same with the slot of a PIN that was changed away, which the ledger does not name.
    @Test(.holds("A7")) func `an old head and slot beside the present ledger are a rollback`() async throws {
        let made = try await TestVault.make()
        let head = try #require(try made.contents().head)
        let old = try made.slot(.localSecret)
        try await made.changePIN(keeping: old)
        let new = try made.slot(.localSecret)
        try made.replace(new, with: old)
        try made.tamper { try $0.setHead(head) }
        let again = try await made.restarted()
        try await again.expectFormerPINWaits(old)
    }

    /// Copies of the folder share one anchor, and of all that move it from one place, one does.
    @Test(.holds("A12")) func `copies of the folder share one count`() async throws {
        let made = try await TestVault.make()
        await made.vault.close()
        let image = try FolderImage(of: made.path)
        let copies = 8
        var refused = 0
        for round in 0..<3 {
            let barrier = Barrier(copies)
            refused += try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<copies {
                    let path = made.folder.file("copy\(number)")
                    if round == 0 { try image.restore(to: path) }
                    group.addTask {
                        let device = WatchedDevice(made.simulated) { call in
                            // Later most of them wait for a day, and move nothing.
                            if round == 0, case .anchorMove = call { await barrier.arrive() }
                        }
                        // Of copies that make their ledgers anew at once one does, and the others say that it is ahead.
                        guard
                            let vault = try? await Vault.open(
                                in: path,
                                device: device.device,
                                configuration: TestVault.configuration()
                            )
                        else { return 0 }
                        let code = await refusal {
                            try await vault.unlock(with: SecretBytes(text: "\(730_000 + 100 * round + number)"))
                        }
                        await vault.close()
                        return code == .strongFactorRefused ? 1 : 0
                    }
                }
                return try await group.reduce(0, +)
            }
            if round == 0 { #expect(refused == 1) }
        }
        let vault = try await Vault.open(
            in: made.folder.file("copy0"),
            device: made.device,
            configuration: TestVault.configuration()
        )
        #expect(refused <= Int(await vault.snapshot.failedAttempts))
    }

    /// The same by unlinking the lock file between two openings of the one folder.
    @Test(.holds("A12")) func `unlinking the lock file gives no guess`() async throws {
        let made = try await TestVault.make()
        await made.vault.close()
        let race = Race()
        let device = WatchedDevice(made.simulated) { call in
            if case .anchorMove = call { await race.reach() }
        }
        let first = try await made.reopened(seenAs: device.device)
        try FileManager.default.removeItem(atPath: made.path + "/lock")
        let second = try await made.reopened()
        // The second guesses between the first one's row and its move of the anchor, and so it is the second's alone.
        await race.start(at: 1) { _ = await refusal { try await second.guess(2) } }
        #expect(await refusal { try await first.guess(1) } == .busy)
        #expect(await race.stop().wasRun)
        #expect(second.log.count(.passwordFailure) == 1 && first.log.count(.passwordFailure) == 0)
        #expect(try await made.reopened().vault.snapshot.failedAttempts == 1)
    }

    /// A refund after a failed raise makes a second ledger of the sequence that the next real guess will get.
    @Test(.holds("A8", "A19")) func `a row that counts less is not believed after a guess`() async throws {
        let made = try await TestVault.make()
        await made.vault.lock()
        var refused = 0
        for number in 0..<20 {
            let before = try #require(try made.contents().ledger)
            try made.simulated.simulate(.fault(.anchorMoveFails))
            #expect(await refusal { try await made.guess() } == .storageUnavailable)
            let refunded = try #require(try made.contents().ledger)
            try made.tamper { try $0.setLedger(before) }
            let code = await refusal { try await made.guess(number) }
            guard code == .strongFactorRefused else { break }
            refused += 1
            try made.tamper { try $0.setLedger(refunded) }
        }
        _ = try await made.restarted()
        #expect(refused <= 4)
    }

    /// A foreign file names another vault's device secret as a leftover; opening it deletes the secret.
    @Test(.holds("A25")) func `a planted file deletes no vault's device secret`() async throws {
        let made = try await TestVault.make()
        await made.vault.close()
        let item = try #require(try made.slot(.localSecret).item)
        let evil = try VaultStore(creatingIn: made.folder.file("evil"), vfs: nil)
        try evil.addLeftover(item)
        evil.close()
        _ = await refusal { try await Vault.open(in: made.folder.file("evil"), device: made.device) }
        _ = try made.simulated.itemNames()
        let again = try await made.reopened()
        let opened = await refusal { try await again.strong() }
        #expect(opened == nil, "the victim's device secret is gone")
    }

    /// The same by the owner's own hand: a reset of one vault, whose file names what another one needs.
    @Test(.holds("A25", "K-10")) func `a reset deletes no other vault's device secret`() async throws {
        let victim = try await TestVault.make()
        await victim.vault.close()
        let item = try #require(try victim.slot(.localSecret).item)
        let edited = try await TestVault.make(on: victim.simulated)
        try edited.tamper { try $0.addLeftover(item) }
        try await edited.vault.reset(ResetConfirmation(typed: ResetConfirmation.phrase))
        let opened = await refusal { try await victim.reopened().strong() }
        #expect(opened == nil, "the victim's device secret is gone")
    }

    /// The same with the vault's own file, edited and put back.
    @Test(.holds("A25", "K-10")) func `an edit that is undone has cost nothing`() async throws {
        let made = try await TestVault.make()
        await made.vault.close()
        let item = try #require(try made.slot(.localSecret).item)
        let copy = try made.folder.read("vault/vault.sqlite")
        try made.editHead { $0[1] ^= 1 }
        try made.tamper { try $0.addLeftover(item) }
        _ = await refusal { try await made.reopened() }
        try made.removeLog()
        try made.folder.write(copy, to: "vault/vault.sqlite")
        let opened = await refusal { try await made.reopened().strong() }
        #expect(opened == nil)
    }

    @Test(.holds("A41")) func `no flipped bit of the head shuts the PIN out`() async throws {
        let made = try await TestVault.make()
        _ = try await made.makeRecoveryKey()
        try await made.add("A")
        let head = try #require(try made.contents().head)
        var shut: [String: [String]] = [:]
        for index in head.body.indices {
            for bit in 0..<8 {
                try made.editHead { $0[index] ^= 1 << UInt8(bit) }
                let code = await refusal {
                    let again = try await made.reopened()
                    defer { Task { await again.vault.close() } }
                    try await again.strong()
                    _ = try await again.vault.wallets()
                }
                if let code { shut[code.text, default: []].append("\(index).\(bit)") }
                try made.tamper { try $0.setHead(head) }
            }
        }
        #expect(shut.isEmpty)
    }

    /// Another process holds the lock when a prompt ends, and the owner locked meanwhile: neither the failed finger nor the last
    /// use can be written then.
    @Test(.holds("INV-107-08", "C7"), arguments: [false, true])
    func `a mismatch is counted though another process holds the lock`(isPulled: Bool) async throws {
        let simulated = SimulatedDevice()
        let vault = Shared<Vault?>(nil)
        let held = HeldLock()
        let watched = WatchedDevice(simulated) { call in
            guard case .read = call, let vault = vault.value else { return }
            await held.take(vault.folder)
            await vault.lock()
        }
        let made = try await TestVault.make(biometrics: true, on: simulated, seenAs: watched.device)
        let before = try made.lastUse()
        try made.advance(.minutes(2))
        _ = try await made.vault.wallets()
        vault.value = made.vault
        if isPulled { try simulated.simulate(.fault(.readerBroken)) }
        #expect(await refusal { try await made.touch(.mismatch) } == .busy)
        vault.value = nil
        await held.drop()
        #expect(made.log.tolerated.contains(.busy), "the last use is told, and not written")
        #expect(try made.lastUse() == before)
        let failures = try await made.look().failedBiometricAttempts
        #expect(failures == 1)
    }

    /// A backup whose owner authenticated a head of the last generation.
    @Test(.holds("A41")) func `a backup of the last generation is refused without a trap`() async throws {
        await #expect(processExitsWith: .success) {
            let made = try await TestVault.make()
            let key = try await made.makeRecoveryKey()
            let path = made.folder.file("backup")
            try await made.vault.backUp(to: path, try await made.strong())
            let store = try VaultStore(openingIn: made.folder.path, named: "backup", vfs: nil)
            try store.setHead(await made.vault.lastGeneration())
            store.close()
            let restored = made.folder.file("restored")
            let code = await refusal {
                try await Vault.restore(
                    from: path,
                    in: restored,
                    device: made.device,
                    recoveryKey: SecretBytes(text: key),
                    newSecret: SecretBytes(text: TestVault.pin),
                    configuration: TestVault.configuration()
                )
            }
            #expect(code == .vaultDamaged)
            #expect(await refusal { try await Vault.open(in: restored, device: made.device) } == .vaultMissing)
        }
    }
}

extension TestVault {
    /// Changes the PIN on a device that keeps what it adds to the former one, so that this keeps nobody out.
    fileprivate func changePIN(keeping former: SlotRecord) async throws {
        simulated.interceptor = { call throws(DeviceRefusal) in
            if case .delete(let item) = call, former.items.contains(item) { throw .unavailable }
            return .proceed
        }
        let code = await refusal {
            try await vault.changeLocalSecret(to: SecretBytes(text: "840275"), try await strong())
        }
        simulated.interceptor = nil
        #expect(code == .formerSecretRemains)
        try tamper { store in for item in former.items { try store.removeLeftover(item) } }
    }

    /// Expects of a vault with a PIN's slot that was changed away, whose device secret is still there, that its ledger is not
    /// believed, and that its PIN opens nothing for a day and no full session after it.
    fileprivate func expectFormerPINWaits(_ former: SlotRecord) async throws {
        #expect(log.kinds == [.ledgerUnreliable])
        let item = try #require(former.item)
        #expect(try await simulated.describe(item) != nil)
        let early = await fault { try await strong() }
        #expect(early?.code == .attemptDelayed && early?.retryAfter == .hours(24))
        try waitADay()
        try await strong()
        #expect(await state == .unlocked(.exportOnly))
    }
}

extension Vault {
    fileprivate func lastGeneration() async throws -> VaultStore.TaggedRow {
        try await turn { (turn) async throws(VaultError) -> VaultStore.TaggedRow in
            let session = try openSession(in: turn)
            var head = try verifiedHead(for: session).head
            head.generation = .max
            head.slots.removeAll { $0.kind != .recovery }
            return try session.tagged(head)
        }
    }
}

private actor Barrier {
    private var missing: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { missing = count }

    func arrive() async {
        guard missing > 0 else { return }
        missing -= 1
        if missing == 0 {
            for one in waiting { one.resume() }
            waiting = []
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }
}

private actor HeldLock {
    private var lock: ProcessLock?

    func take(_ path: String) async {
        guard lock == nil, let new = try? ProcessLock(in: path) else { return }
        try? await new.acquire()
        lock = new
    }

    func drop() { lock = nil }
}
