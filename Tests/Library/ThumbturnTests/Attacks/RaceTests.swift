import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// Something else happens at each moment at which a call waits for the device.
@Suite struct RaceTests {
    /// What is under way when the lock comes.
    enum Work: CaseIterable {
        case pin, finger, recoveryKey, proveAgain, enable, disable, change, rekey
    }

    @Test(.holds("A36", "A21", "A23"), arguments: Work.allCases)
    func `a lock wins at each await: no session, no key, and the vault opens as before or after`(work: Work)
        async throws
    {
        var step = 1
        while true {
            let simulated = SimulatedDevice()
            let race = Race()
            let watched = WatchedDevice(simulated) { _ in await race.reach() }
            let made = try await TestVault.make(
                biometrics: [.finger, .disable, .rekey].contains(work),
                on: simulated,
                seenAs: watched.device
            )
            let key = try await made.makeRecoveryKey()
            let startsOpen = [.proveAgain, .enable, .disable, .change, .rekey].contains(work)
            if !startsOpen { await made.vault.lock() }
            await race.start(at: step) { await Self.lock(made.vault) }
            let code = await refusal { try await made.begin(work, key) }
            let (count, wasRun) = await race.stop()
            guard wasRun else { return #expect(step > 2 && count < step) }
            #expect(await !made.vault.holdsKey, "\(work) at \(step)")
            #expect(await made.state != .unlocked(.full), "\(work) at \(step)")
            #expect(code != nil || [.enable, .disable, .change, .rekey].contains(work), "\(work) at \(step)")
            #expect(await refusal { try await made.vault.wallets() } == .locked, "\(work) at \(step)")

            let plain = try await made.restarted()
            let old = await refusal { try await plain.strong() }
            let new = await refusal { try await plain.vault.unlock(with: SecretBytes(text: "840275")) }
            #expect((old == nil) != (new == nil), "\(work) at \(step)")
            if work == .finger { #expect(try await plain.look().biometrics == .enabled, "at \(step)") }
            #expect(try plain.contents().leftovers.isEmpty, "\(work) at \(step)")
            step += 1
        }
    }

    @Test(.holds("A36")) func `a match that comes after a lock opens nothing and revokes nothing`() async throws {
        let simulated = SimulatedDevice()
        let race = Race()
        let watched = WatchedDevice(simulated) { call in
            if case .read = call { await race.reach() }
        }
        let made = try await TestVault.make(biometrics: true, on: simulated, seenAs: watched.device)
        await made.vault.lock()
        await race.start(at: 1) { await made.vault.lock() }
        #expect(await refusal { try await made.touch() } == .locked)
        #expect(await made.state == .locked)
        #expect(try await made.look().biometrics == .enabled)
        try await made.touch()
    }

    @Test(.holds("C17"))
    func `leaving the foreground during the prompt locks where the policy says so, and the match opens nothing`()
        async throws
    {
        var policy = TestVault.policy
        policy.locksInBackground = true
        let simulated = SimulatedDevice()
        let race = Race()
        let watched = WatchedDevice(simulated) { call in
            if case .read = call { await race.reach() }
        }
        let made = try await TestVault.make(policy: policy, biometrics: true, on: simulated, seenAs: watched.device)
        await made.vault.lock()
        await race.start(at: 1) { await made.vault.enterBackground() }
        #expect(await refusal { try await made.touch() } == .locked)
        #expect(await made.state == .locked)
        #expect(await made.vault.snapshot.isCovered)
        #expect(await !made.vault.holdsKey)
        #expect(try await made.look().biometrics == .enabled)
    }

    @Test(.holds("A23")) func `of two PIN changes at once one wins, and only its PIN opens`() async throws {
        for _ in 0..<10 {
            let made = try await TestVault.make()
            let other = try await made.reopened()
            let proofs = [Held(try await made.strong()), Held(try await other.strong())]
            async let first = refusal {
                try await made.vault.changeLocalSecret(to: SecretBytes(text: "840275"), proofs[0].take())
            }
            async let second = refusal {
                try await other.vault.changeLocalSecret(to: SecretBytes(text: "571936"), proofs[1].take())
            }
            let codes = await ["840275": first, "571936": second]
            let winners = codes.filter { $0.value == nil }.map(\.key)
            #expect(codes.values.contains(.authorizationExpired))
            let plain = try await made.reopened()
            var opening: [String] = []
            for pin in [TestVault.pin, "840275", "571936"] {
                if await refusal({ try await plain.vault.unlock(with: SecretBytes(text: pin)) }) == nil {
                    opening.append(pin)
                }
            }
            #expect(winners.count == 1 && opening == winners)
            #expect(try made.slots().count == 1)
        }
    }

    @Test(.holds("A33")) func `a cancelled task takes the prompt away and leaves the vault locked`() async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        try made.simulated.simulate(.finger(.wait))
        let waiting = Task { await refusal { try await made.vault.unlockWithBiometrics(TestVault.words) } }
        while made.simulated.promptsShown == 0 { await Task.yield() }
        waiting.cancel()
        #expect(await waiting.value == .promptCancelled)
        #expect(await !made.vault.holdsKey)
        #expect(try await made.look().failedBiometricAttempts == 0)
    }

    @Test(.holds("A12"))
    func `a counter that a copy of the vault moved while a prompt was up is found at the next look`()
        async throws
    {
        let (race, simulated) = (Race(), SimulatedDevice())
        let watched = WatchedDevice(simulated) { call in
            if case .read = call { await race.reach() }
        }
        let made = try await TestVault.make(biometrics: true, on: simulated, seenAs: watched.device)
        await made.vault.lock()
        let path = made.folder.file("copy")
        try FolderImage(of: made.path).restore(to: path)
        await race.start(at: 1) {
            let configuration = TestVault.configuration()
            let copy = try? await Vault.open(in: path, device: simulated.device, configuration: configuration)
            let code = await refusal { try await copy?.unlock(with: SecretBytes(text: "730001")) }
            #expect(code == .strongFactorRefused)
            await copy?.close()
        }
        try await made.touch()
        #expect(await made.state == .unlocked(.full))
        #expect(try await !made.look().ledgerIsReliable)
    }

    @Test(.holds("A7"))
    func `an old head and slot that were put beside the present ledger while a prompt was up are a rollback`()
        async throws
    {
        let (race, simulated) = (Race(), SimulatedDevice())
        let watched = WatchedDevice(simulated) { call in
            if case .read = call { await race.reach() }
        }
        let made = try await TestVault.make(biometrics: true, on: simulated, seenAs: watched.device)
        let (head, old) = (try #require(try made.contents().head), try made.slot(.localSecret))
        try await made.vault.changeLocalSecret(to: SecretBytes(text: "840275"), try await made.strong())
        let new = try made.slot(.localSecret)
        await made.vault.lock()
        await race.start(at: 1) {
            try? made.replace(new, with: old)
            try? made.tamper { try $0.setHead(head) }
        }
        #expect(await refusal { try await made.touch() } == .ledgerUnreliable)
        #expect(await !made.vault.holdsKey)
    }

    @Test(.holds("A8")) func `a ledger that was put back while a prompt was up is not believed`() async throws {
        let (race, simulated) = (Race(), SimulatedDevice())
        let watched = WatchedDevice(simulated) { call in
            if case .read = call { await race.reach() }
        }
        let made = try await TestVault.make(biometrics: true, on: simulated, seenAs: watched.device)
        let old = try #require(try made.contents().ledger)
        #expect(await refusal { try await made.guess() } == .strongFactorRefused)
        await made.vault.lock()
        await race.start(at: 1) { try? made.tamper { try $0.setLedger(old) } }
        #expect(await refusal { try await made.touch() } == .ledgerUnreliable)
        #expect(await !made.vault.holdsKey)
    }

    @Test(.holds("C21"))
    func `another process need not wait for a prompt, and what it changes is seen when the prompt ends`()
        async throws
    {
        let simulated = SimulatedDevice()
        let race = Race()
        let watched = WatchedDevice(simulated) { call in
            if case .read = call { await race.reach() }
        }
        let made = try await TestVault.make(biometrics: true, on: simulated, seenAs: watched.device)
        await made.vault.lock()
        let other = try await made.reopened(seenAs: simulated.device)
        await race.start(at: 1) {
            _ = await refusal { try await other.vault.disableBiometrics(try await other.strong()) }
        }
        #expect(await refusal { try await made.touch() } == .promptCancelled)
        #expect(await !made.vault.holdsKey)
        #expect(try await made.look().biometrics == .disabled)
    }

    /// Locks, and returns once the session is gone; the lock itself may go on waiting for its turn to write.
    static func lock(_ vault: Vault) async {
        guard await vault.hasSession else { return await vault.lock() }
        Task { await vault.lock() }
        while await vault.hasSession { await Task.yield() }
    }
}

extension TestVault {
    fileprivate func begin(_ work: RaceTests.Work, _ key: String) async throws {
        switch work {
        case .pin, .proveAgain: try await strong()
        case .finger: try await touch()
        case .recoveryKey: try await unlock(key)
        case .enable: try await enableBiometrics()
        case .disable: try await vault.disableBiometrics(try await strong())
        case .change: try await change(to: "840275")
        case .rekey:
            let new = NewRecoveryKey()
            let typed = SecretBytes(text: try new.show { $0.exposedText })
            let proof = try await strong()
            try await vault.rekey(with: SecretBytes(text: "840275"), recoveryKey: new.confirmed(by: typed), proof)
        }
    }

    fileprivate func change(to pin: String) async throws {
        try await vault.changeLocalSecret(to: SecretBytes(text: pin), try await strong())
    }
}
