import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// Somebody puts files back, writes notes, knows the passcode, or makes the device fail, around system mode.
@Suite struct SystemModeAttackTests {
    @Test(.holds("A7")) func `the file of before, with its PIN, opens nothing once system mode stands`() async throws {
        let made = try await TestVault.make(biometrics: true)
        try await made.add("Savings")
        let key = try await made.makeRecoveryKey()
        await made.vault.close()
        let copy = try FolderImage(of: made.path)
        let changed = try await made.reopened()
        try await changed.enableSystem()
        await changed.vault.close()
        let later = try FolderImage(of: made.path)

        try copy.restore(to: made.path)
        let old = try await made.reopened()
        #expect(await old.vault.snapshot.condition == .keyMissing)
        #expect(await refusal { try await old.strong() } == .keyMissing)
        #expect(await refusal { try await old.touch() } == .keyMissing)
        #expect(await refusal { try await old.system() } == .keyMissing)
        #expect(await !old.vault.holdsKey)
        try await old.vault.unlock(withRecoveryKey: SecretBytes(text: key))
        await old.vault.close()

        // The key of the present state was not touched meanwhile.
        try later.restore(to: made.path)
        let present = try await made.reopened()
        try await present.vault.unlockWithSystem(TestVault.words)
        #expect(await present.isOpen)
    }

    @Test(.holds("A7")) func `the file of system mode opens nothing once a new PIN stands, whoever knows the passcode`()
        async throws
    {
        let (made, _, _) = try await TestVault.inSystemMode()
        await made.vault.close()
        let copy = try FolderImage(of: made.path)
        let changed = try await made.reopened()
        try await changed.disableSystem()
        await changed.vault.close()
        try copy.restore(to: made.path)
        let old = try await made.reopened()
        #expect(await old.vault.snapshot.mode == .system)
        #expect(await refusal { try await old.system(.passcode) } == .keyMissing)
        #expect(await !old.vault.holdsKey)
    }

    @Test(.holds("A7"))
    func `where the device could not delete yet, the PIN of before waits a day beside a file put back`()
        async throws
    {
        let made = try await TestVault.make()
        _ = try await made.makeRecoveryKey()
        await made.vault.close()
        let copy = try FolderImage(of: made.path)
        let changed = try await made.reopened()
        let authorization = Held(try await changed.strong())
        try made.simulated.simulate(.fault(.deleteFails))
        try await changed.vault.enableSystemAuthentication(
            try TestVault.offer,
            changed.consent(to: .enabling),
            authorization.take()
        )
        #expect(try made.held == ["device-secret", "system", "anchor"])
        await changed.vault.close()
        let later = try FolderImage(of: made.path)
        try copy.restore(to: made.path)
        let old = try await made.reopened()
        #expect(await fault { try await old.strong() }?.retryAfter == .hours(24))
        await old.vault.close()
        // The next look at the present state makes up for it.
        try later.restore(to: made.path)
        let present = try await made.reopened()
        #expect(try made.held == ["system"])
        await present.vault.close()
    }

    @Test(.holds("A7")) func `rows of the PIN put beside system mode open nothing and change no mode`() async throws {
        let made = try await TestVault.make()
        _ = try await made.makeRecoveryKey()
        let local = try made.slot(.localSecret)
        let ledger = try #require(try made.contents().ledger)
        try await made.enableSystem()
        try made.tamper { store in
            try store.add(local)
            try store.setLedger(ledger)
        }
        let again = try await made.restarted()
        #expect(await again.vault.snapshot.mode == .system)
        #expect(await refusal { try await again.strong() } == .systemModeOnly)
        try await again.system()
        #expect(await again.state == .unlocked(.exportOnly), "a row that nobody listed is tampering")
    }

    @Test(.holds("A25")) func `a note about the system's key deletes nothing, also where its slot's row is gone`()
        async throws
    {
        let (made, _, _) = try await TestVault.inSystemMode()
        await made.vault.close()
        let slot = try made.slot(.system)
        let item = try #require(slot.item)
        try made.tamper { store in
            try store.addLeftover(item)
            try store.removeSlot(slot.id)
        }
        for _ in 1...2 {
            let without = try await made.reopened()
            _ = await refusal { try await without.system() }
            await without.vault.close()
        }
        #expect(try await made.simulated.describe(item) != nil)
        try made.tamper { try $0.add(slot) }
        let again = try await made.reopened()
        try await again.vault.unlockWithSystem(TestVault.words)
        #expect(await again.isOpen)
        #expect(try await made.simulated.describe(item) != nil)
    }

    @Test(.holds("A25", "K-10")) func `a planted file, or the vault's own without its rows, deletes no system key`()
        async throws
    {
        let (made, _, _) = try await TestVault.inSystemMode()
        await made.vault.close()
        let item = try #require(try made.slot(.system).item)
        let evil = try VaultStore(creatingIn: made.folder.file("evil"), vfs: nil)
        try evil.addLeftover(item)
        evil.close()
        _ = await refusal { try await Vault.open(in: made.folder.file("evil"), device: made.device) }
        #expect(try await made.simulated.describe(item) != nil)

        let rows = try made.contents()
        try made.tamper { store in
            try store.addLeftover(item)
            for slot in rows.slots { try store.removeSlot(try SlotRecord(parsing: slot.record).id) }
        }
        _ = await refusal { try await made.reopened() }
        #expect(try await made.simulated.describe(item) != nil)
    }

    @Test(.holds("S-07")) func `a reset deletes the system's key`() async throws {
        let (made, _, _) = try await TestVault.inSystemMode()
        let item = try #require(try made.slot(.system).item)
        try await made.vault.reset(ResetConfirmation(typed: ResetConfirmation.phrase))
        #expect(try await made.simulated.describe(item) == nil)
    }

    @Test(.holds("A25")) func `the key of a change that never came is deleted beside the first session`() async throws {
        let made = try await TestVault.make()
        _ = try await made.makeRecoveryKey()
        await made.vault.lock()
        let orphan = ItemName(vault: await made.vault.state.head.vault, purpose: .system, unique: .make())
        try await made.simulated.save(SecretBytes(text: "an orphan"), as: orphan, access: .anyBiometryOrPasscode)
        try made.tamper { try $0.addLeftover(orphan) }
        let again = try await made.restarted()
        // While locked nobody can know.
        #expect(try made.held == ["device-secret", "system", "anchor"])
        try await again.strong()
        #expect(try made.held == TestVault.heldByPIN && made.contents().leftovers.isEmpty)
    }

    @Test(.holds("A31")) func `the device's passcode opens system mode, as its warning says, and never biometrics`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        _ = try await made.makeRecoveryKey()
        await made.vault.lock()
        #expect(await refusal { try await made.touch(.passcode) } == .strongFactorRequired)
        #expect(await !made.vault.holdsKey)
        #expect(SystemModeWarning.enabling.sentences(in: .english).contains { $0.contains("passcode") })
        try await made.enableSystem()
        await made.vault.lock()
        try await made.system(.passcode)
        #expect(await made.isOpen)
    }

    @Test(.holds("A6")) func `the slot of one vault's system mode opens no other vault`() async throws {
        let simulated = SimulatedDevice()
        let one = try await TestVault.inSystemMode(on: simulated).made
        let two = try await TestVault.inSystemMode(on: simulated).made
        await one.vault.close()
        await two.vault.close()
        try one.replace(try one.slot(.system), with: try two.slot(.system))
        let again = try? await one.reopened()
        #expect(await refusal { try await again?.system() } == .keyMissing)
        #expect(await again?.vault.holdsKey != true)
    }

    /// The three calls that a device can fail in.
    enum Way: CaseIterable {
        case enable, disable, unlock
    }

    @Test(.holds("A19", "A22", "K-10"), arguments: Way.allCases)
    func `a device that fails at any call leaves the mode of before or after, and loses nothing`(
        way: Way
    ) async throws {
        var failed = 0
        var step = 1
        while true {
            for afterEffect in [false, true] {
                let simulated = SimulatedDevice()
                let (made, key, wallet) = try await Self.prepare(way, on: simulated)
                let calls = Counter()
                simulated.interceptor = { [step] call throws(DeviceRefusal) in
                    guard calls.next() == step else { return .proceed }
                    if afterEffect { return .failAfterEffect(.unavailable) }
                    throw .unavailable
                }
                let code = await refusal { try await Self.go(way, made) }
                simulated.interceptor = nil
                if code != nil { failed += 1 }
                if code == nil, calls.count < step { return #expect(failed > 3 && step > 4) }
                #expect(
                    [nil, .storageUnavailable, .passcodeMissing].contains(code),
                    "\(way) at \(step): \(code?.text ?? "")"
                )
                try await Self.judge(made, key, wallet, way, "\(way) at \(step), \(afterEffect)")
            }
            step += 1
        }
    }

    private static func prepare(_ way: Way, on simulated: SimulatedDevice) async throws -> (
        TestVault, String, WalletSummary
    ) {
        if way != .enable { return try await TestVault.inSystemMode(on: simulated) }
        let made = try await TestVault.make(biometrics: true, on: simulated)
        let wallet = try await made.add("Savings")
        return (made, try await made.makeRecoveryKey(), wallet)
    }

    private static func go(_ way: Way, _ made: TestVault) async throws {
        switch way {
        case .enable: try await made.enableSystem()
        case .disable: try await made.disableSystem()
        case .unlock:
            await made.vault.lock()
            try await made.system()
        }
    }

    /// One mode stands whole, opens everything, and after a session in it nothing of the other is left.
    private static func judge(
        _ made: TestVault,
        _ key: String,
        _ wallet: WalletSummary,
        _ way: Way,
        _ place: Comment
    ) async throws {
        await made.vault.close()
        let again = try await made.reopened()
        switch await again.vault.snapshot.mode {
        case .system:
            try await again.system()
            #expect(try made.held == ["system"], place)
        case .local:
            try await again.open(with: way == .disable ? TestVault.newPIN : TestVault.pin)
            let expected = (way == .enable ? ["biometric"] : []) + TestVault.heldByPIN
            #expect(try made.held == expected, place)
        }
        #expect(try await again.secret(of: wallet.id) == "a secret of many words", place)
        #expect(try made.contents().leftovers.isEmpty, place)
        await again.vault.lock()
        try await again.vault.unlock(withRecoveryKey: SecretBytes(text: key))
        await again.vault.close()
    }

    @Test(.holds("P-107-01"))
    func `a head that is edited beside an open session ends it as a full one, with no ledger to tell`()
        async throws
    {
        let (made, _, wallet) = try await TestVault.inSystemMode()
        try made.editHeadPolicy { $0.locksAfterIdle = .days(365) }
        #expect(try await made.look().state == .unlocked(.exportOnly))
        #expect(made.log.kinds.last == .vaultTampered)
        #expect(await refusal { try await made.add("Another") } == .exportOnly)
        #expect(try await made.secret(of: wallet.id) == "a secret of many words")
    }
}
