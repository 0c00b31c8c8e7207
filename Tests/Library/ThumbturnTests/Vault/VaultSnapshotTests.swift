import Synchronization
import Testing
import ThumbturnBase
import ThumbturnContracts
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

@Suite struct VaultSnapshotTests {
    @Test(.holds("B-05")) func `the flag is kept, and shows while the vault is locked`() async throws {
        let made = try await TestVault.make(biometrics: true)
        let again = try await made.restarted()
        let snapshot = await again.vault.snapshot
        #expect(snapshot.biometricState.isEnabled && snapshot.biometricState.isSupported)
        #expect(snapshot.state == .locked && snapshot.isAuthentic == nil)
    }

    @Test(.holds("C12")) func `a locked vault shows how many wallets there are, and no more`() async throws {
        let made = try await TestVault.make()
        try await made.add("Unmistakable")
        let again = try await made.restarted()
        let snapshot = await again.vault.snapshot
        #expect(snapshot.walletCount == 1)
        #expect(!"\(snapshot)".contains("Unmistakable"))
        #expect(await refusal { try await again.vault.wallets() } == .locked)
    }

    @Test(.holds("C12")) func `a locked vault whose head can't be read says so, instead of counting wallets`()
        async throws
    {
        let made = try await TestVault.make()
        try await made.add("Savings")
        #expect(await made.vault.snapshot.headIsReadable, "the head that was just written")
        #expect(try await made.restarted().vault.snapshot.headIsReadable)
        try made.editHead { $0 = [UInt8](repeating: 0, count: 200) }
        let snapshot = try await made.restarted().vault.snapshot
        #expect(!snapshot.headIsReadable && snapshot.condition == .ready)
    }

    @Test(.holds("INV-107-08")) func `a look under way, or one that failed, shows what was known before`() async throws
    {
        let simulated = SimulatedDevice()
        let plain = try await TestVault.make(biometrics: true, on: simulated)
        for number in 0..<4 { try? await plain.guess(number) }
        await plain.vault.close()
        let watched = Mutex<Vault?>(nil)
        let seen = Mutex<[VaultSnapshot]>([])
        let device = WatchedDevice(simulated) { _ in
            guard let vault = watched.withLock(\.self) else { return }
            let snapshot = await vault.snapshot
            seen.withLock { $0.append(snapshot) }
        }
        let made = try await plain.reopened(seenAs: device.device)
        let before = await made.vault.snapshot
        #expect(before.nextAttempt == .wait(.seconds(30)) && before.ledgerIsReliable)
        watched.withLock { $0 = made.vault }
        #expect(try await made.look() == before)
        #expect(seen.withLock(\.count) > 2)
        try simulated.simulate(.fault(.anchorReadFails))
        #expect(await refusal { try await made.look() } == .storageUnavailable)
        #expect(await made.vault.snapshot == before)
        #expect(seen.withLock { $0.allSatisfy { $0 == before } })
    }

    @Test(.holds("INV-107-07")) func `of a look that fails after it revoked nothing shows, of the next one all`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true).restarted()
        let before = await made.vault.snapshot
        try made.simulated.simulate(.enroll)
        try made.simulated.simulate(.fault(.anchorMoveFails))
        #expect(await refusal { try await made.look() } == .storageUnavailable)
        #expect(await made.vault.snapshot == before)
        let after = try await made.look()
        #expect(after.biometrics == .revoked(.biometricsChanged) && after.decision != before.decision)
        #expect(after.slots.contains { $0.kind == .biometric && $0.isRevoked })
    }

    @Test(.holds("B-03")) func `the stream shows each step of an unlock, and no secret`() async throws {
        let made = try await TestVault.make(biometrics: true)
        try await made.add("Unmistakable", "SENTINEL")
        await made.vault.lock()
        let stream = await made.vault.snapshots()
        try await made.touch()
        await made.vault.lock()
        _ = await refusal { try await made.guess() }
        let states = await Self.states(of: stream, until: .requiresStrongFactor(.fallbackChosen))
        let expected: [UnlockMachine.State] = [
            .locked, .promptingBiometrics(resuming: nil), .unlocked(.full), .locked,
            .verifyingStrongFactor(.localSecret, resuming: nil),
            .requiresStrongFactor(.fallbackChosen),
        ]
        #expect(states == expected)
    }

    @Test(.timeLimit(.minutes(20))) func `every watcher hears, and one that left is forgotten`() async throws {
        let made = try await TestVault.make()
        let first = await made.vault.snapshots()
        do {
            let second = await made.vault.snapshots()
            var iterator = second.makeAsyncIterator()
            #expect(await iterator.next()?.state == .unlocked(.full))
        }
        await made.vault.lock()
        #expect(await Self.states(of: first, until: .locked) == [.unlocked(.full), .locked])

        let watched = try await TestVault.make()
        do { _ = await watched.vault.snapshots() }
        while await !watched.vault.watchers.isEmpty, !Task.isCancelled { await Task.yield() }
    }

    @Test(.holds("A37")) func `who reads late misses no step`() async throws {
        let made = try await TestVault.make()
        let stream = await made.vault.snapshots()
        await made.vault.cover()
        for _ in 0..<40 { try await made.vault.enterForeground() }
        await made.vault.lock()
        var covers = 0
        for await snapshot in stream {
            if snapshot.isCovered { covers += 1 }
            if snapshot.state == .locked { break }
        }
        #expect(covers == 1)
    }

    @Test(.holds("A37")) func `the cover comes before the lock`() async throws {
        let made = try await TestVault.make(policy: .localPD107)
        let stream = await made.vault.snapshots()
        await made.vault.enterBackground()
        var uncoveredAfterwards = 0
        for await snapshot in stream {
            if snapshot.state == .locked {
                #expect(snapshot.isCovered)
                break
            }
            if snapshot.isCovered { uncoveredAfterwards = 0 } else { uncoveredAfterwards += 1 }
        }
        #expect(uncoveredAfterwards <= 1)
    }

    @Test(.holds("INV-107-10")) func `every step of a vault's life is told, in order`() async throws {
        let made = try await TestVault.make()
        let wallet = try await made.add("Savings")
        _ = try await made.makeRecoveryKey()
        try await made.enableBiometrics()
        _ = try await made.export(wallet.id)
        try await made.vault.deleteWallet(wallet.id, try await made.strong())
        try await made.vault.disableBiometrics(try await made.strong())
        try await made.vault.reset(ResetConfirmation(typed: "RESET"))
        let kinds = made.log.kinds.filter { $0 != .passwordFallback }
        #expect(
            kinds == [
                .vaultCreated, .recoveryChanged, .recoveryChanged, .biometricEnabled, .walletExported, .walletDeleted,
                .biometricDisabled, .vaultReset,
            ]
        )
    }

    @Test(.holds("INV-107-06"))
    func `an event is kind, time, sensor, count, duration and reason, and nothing of the owner`()
        async throws
    {
        let made = try await TestVault.make()
        let wallet = try await made.add("Unmistakable", "SENTINEL")
        try await made.enableBiometrics()
        let slot = try made.slot(.biometric)
        let released = try await made.released(by: slot)
        await made.vault.lock()
        _ = await refusal { try await made.touch(.mismatch) }
        try await made.touch()
        _ = await refusal { try await made.guess() }
        _ = try await made.export(wallet.id)
        try await made.vault.disableBiometrics(try await made.strong())
        try await made.enableBiometrics()
        await made.vault.lock()
        try made.simulated.simulate(.enroll)
        _ = await refusal { try await made.touch() }

        let events = made.log.events
        let told: Set<AuditEventKind> = [
            .biometricEnabled, .biometricFailure, .biometricSuccess, .passwordFailure, .passwordFallback,
            .walletExported, .biometricDisabled, .biometricRevokedBySystemChange,
        ]
        #expect(told.isSubset(of: events.map(\.kind)))
        var scanner = ["wallet": Array("Unmistakable".utf8), "secret": Array("SENTINEL".utf8), "finger": released]
        for (name, identifier) in [("id", wallet.id), ("vault", slot.vault), ("slot", slot.id), ("key", slot.key)] {
            scanner[name] = Array(identifier.text.utf8)
            scanner[name + " in binary"] = identifier.bytes
        }
        scanner["PIN"] = Array(TestVault.pin.utf8)
        for event in events {
            let fields = Mirror(reflecting: event).children
            #expect(
                fields.compactMap(\.label)
                    == ["kind", "at", "biometryType", "attemptCount", "unlockDuration", "reason", "count"]
            )
            #expect(event.biometryType == .touchID)
            #expect([nil, "owner", "biometricsChanged"].contains(event.reason), "\(event.kind)")
            let succeeded = event.kind == .biometricSuccess || event.kind == .passwordFallback
            #expect((event.unlockDuration != nil) == succeeded, "\(event.kind)")
            #expect(LeakScanner(scanner).leaks(in: "\(event)") == [])
        }
    }

    /// The states in order, without repetitions, up to one.
    private static func states(
        of stream: AsyncStream<VaultSnapshot>,
        until last: UnlockMachine.State
    ) async -> [UnlockMachine.State] {
        var states: [UnlockMachine.State] = []
        for await snapshot in stream {
            for secret in [TestVault.pin, "Unmistakable", "SENTINEL"] { #expect(!"\(snapshot)".contains(secret)) }
            if states.last != snapshot.state { states.append(snapshot.state) }
            if snapshot.state == last, states.count > 1 { break }
        }
        return states
    }
}
