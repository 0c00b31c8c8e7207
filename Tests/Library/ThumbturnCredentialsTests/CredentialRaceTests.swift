import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnCredentials

/// Something else happens at each moment at which a call waits for the device.
@Suite struct CredentialRaceTests {
    @Test(
        .holds("A36", "A23"),
        arguments: [
            (CredentialVaultMachine.Request.unlockWithBiometrics, CredentialVaultMachine.State.locked),
            (.enableSecureVaultWithBiometrics, .ready), (.upgradeKeychainWithBiometrics, .keychainSecured),
            (.downgradeBiometricsToKeychain, .biometricsSecured), (.disableBiometricsSecureVault, .biometricsSecured),
            (.read, .biometricsSecured),
        ]
    )
    func `a lock wins at each await: no key stays, and what is stored is the former or the new`(
        request: CredentialVaultMachine.Request,
        start: CredentialVaultMachine.State
    ) async throws {
        var step = 1
        while true {
            let simulated = SimulatedDevice()
            let race = Race()
            let watched = WatchedDevice(simulated) { _ in await race.reach() }
            let made = try await TestCredentials.make(in: start, on: simulated, seenAs: watched.device)
            try simulated.simulate(.finger(.match))
            let vault = made.vault
            await race.start(at: step) { try? await vault.lock() }
            let code = await refusal { try await vault.ask(for: request, saving: Tokens.sample, TestCredentials.words) }
            let (count, wasRun) = await race.stop()
            guard wasRun else { return #expect(step > 1 && count < step) }
            #expect(await made.state != .biometricsSecured, "\(request) at \(step)")
            #expect(await !vault.holdsKey, "\(request) at \(step)")

            let plain = try await made.reopened(seenAs: simulated.device)
            switch await plain.state {
            case .locked: try await #expect(plain.unlock() == .sample, "\(request) at \(step)")
            case .keychainSecured: try await #expect(plain.vault.credentials() == .sample, "\(request) at \(step)")
            case .ready: #expect(code == nil && request == .disableBiometricsSecureVault || start == .ready)
            case .unavailable, .biometricsSecured: Issue.record("\(request) at \(step)")
            }
            #expect(try simulated.itemNames().count <= 1, "\(request) at \(step)")
            step += 1
        }
    }

    @Test(.holds("A36"))
    func `a lock during the prompt wins: the match opens nothing, and what was stored is stored locked`()
        async throws
    {
        for (request, start) in [
            (CredentialVaultMachine.Request.unlockWithBiometrics, CredentialVaultMachine.State.locked),
            (.enableSecureVaultWithBiometrics, .ready), (.upgradeKeychainWithBiometrics, .keychainSecured),
        ] {
            let simulated = SimulatedDevice()
            let race = Race()
            let watched = WatchedDevice(simulated) { call in
                // The read of a plain item is no prompt.
                if case .read(let item) = call, await simulated.isGuarded(item) {
                    await race.reach()
                }
            }
            let made = try await TestCredentials.make(in: start, on: simulated, seenAs: watched.device)
            let vault = made.vault
            await race.start(at: 1) { try? await vault.lock() }
            try simulated.simulate(.finger(.match))
            let code = await refusal { try await vault.ask(for: request, saving: Tokens.sample, TestCredentials.words) }
            #expect(await race.stop().wasRun, "\(request)")
            #expect(code == (request == .unlockWithBiometrics ? .credentialsLocked : nil), "\(request)")
            #expect(await made.state == .locked, "\(request)")
            #expect(await !vault.holdsKey, "\(request)")
            try await #expect(made.unlock() == .sample, "\(request)")
        }
    }

    @Test(
        .holds("V-05"),
        arguments: [CredentialVaultMachine.State.ready, .keychainSecured, .locked, .biometricsSecured]
    )
    func `a cancelled task takes the prompt away and leaves the former state`(
        start: CredentialVaultMachine.State
    ) async throws {
        let made = try await TestCredentials.make(in: start)
        let vault = made.vault
        if start == .biometricsSecured { try made.simulated.simulate(.advance(.minutes(2))) }
        let request: CredentialVaultMachine.Request =
            switch start {
            case .ready, .unavailable: .enableSecureVaultWithBiometrics
            case .keychainSecured: .upgradeKeychainWithBiometrics
            case .locked: .unlockWithBiometrics
            case .biometricsSecured: .downgradeBiometricsToKeychain
            }
        let items = try made.simulated.itemNames()
        try made.simulated.simulate(.finger(.wait))
        let prompts = made.simulated.promptsShown
        let waiting = Task {
            await refusal { try await vault.ask(for: request, saving: Tokens.sample, TestCredentials.words) }
        }
        while made.simulated.promptsShown == prompts { await Task.yield() }
        waiting.cancel()
        #expect(await waiting.value == .promptCancelled)
        #expect(await made.state == start)
        #expect(try made.simulated.itemNames() == items)
        if start != .ready, start != .locked { #expect(try await vault.credentials() == .sample) }
    }

    @Test func `while one object prompts, another reads, and what would change something waits its turn`() async throws
    {
        let simulated = SimulatedDevice()
        let race = Race()
        let watched = WatchedDevice(simulated) { call in
            if case .read(let item) = call, await simulated.isGuarded(item) { await race.reach() }
        }
        let made = try await TestCredentials.make(in: .keychainSecured, on: simulated, seenAs: watched.device)
        let other = try await made.reopened(seenAs: simulated.device)
        let waiting = Waiting()
        await race.start(at: 1) {
            #expect((try? await other.reopened().vault.credentials()) == .sample)
            await waiting.start { await refusal { try await other.vault.reset() } }
        }
        try await made.upgrade()
        #expect(await race.stop().wasRun)
        #expect(await waiting.end() == .some(nil))
        #expect(try await made.vault.refresh().state == .ready)
        #expect(try simulated.itemNames().isEmpty)
    }
}

/// Something that was begun in the middle of something else.
private actor Waiting {
    private var task: Task<ErrorCode?, Never>?

    func start(_ body: @escaping @Sendable () async -> ErrorCode?) { task = Task { await body() } }

    func end() async -> ErrorCode?? { await task?.value }
}

extension SimulatedDevice {
    /// Whether reading an item prompts.
    fileprivate func isGuarded(_ item: ItemName) async -> Bool {
        do { return try await describe(item)?.access == .currentBiometrySet } catch { return false }
    }
}
