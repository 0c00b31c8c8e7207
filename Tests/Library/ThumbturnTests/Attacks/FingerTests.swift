import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// Somebody has a finger, hooks the prompt, or moves the app's data.
@Suite struct FingerTests {
    @Test(.holds("A28")) func `a finger that was added opens nothing, and turning biometrics off and on needs the PIN`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        let first = try made.slot(.biometric)
        await made.vault.lock()
        try made.simulated.simulate(.enroll)
        #expect(await refusal { try await made.touch() } == .biometricsChanged)
        #expect(await refusal { try await made.touch() } == .biometricsChanged)
        let stale = Held(try await made.strong())
        #expect(await refusal { try await made.vault.disableBiometrics(nil) } == .authorizationExpired)
        await made.vault.lock()
        try await made.strong()
        #expect(await made.enable(made.consent, try stale.take()) == .authorizationExpired)
        try await made.enableBiometrics()
        let second = try made.slot(.biometric)
        #expect(second.item != first.item && second.salt != first.salt && second.id != first.id)
    }

    @Test(.holds("A28")) func `each time biometrics are enabled there is a new secret`() async throws {
        let made = try await TestVault.make()
        var secrets: Set<[UInt8]> = []
        for _ in 1...4 {
            try await made.enableBiometrics()
            try made.simulated.simulate(.finger(.match))
            let item = try #require(try made.slot(.biometric).item)
            let released = try await made.simulated.read(item, prompt: TestVault.words)
            secrets.insert(released.withBytes { $0.exposed })
            try await made.vault.disableBiometrics(try await made.strong())
        }
        #expect(secrets.count == 4)
    }

    @Test(.holds("A28", "C5"))
    func `a session that a finger opened enrols nothing: the authorisation comes from the PIN alone`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        let authorization = try await made.strong()
        await made.vault.lock()
        try await made.touch()
        // An authorisation of the session before is worth nothing in this one, and a finger gives none.
        let code = await made.enable(made.consent, authorization)
        #expect(code == .authorizationExpired)
    }

    @Test(.holds("C15"))
    func `from a finger alone no path leads to a new PIN, a recovery key, an export or a deletion`()
        async throws
    {
        var policy = TestVault.policy
        policy.requiresSecretToDisable = false
        let made = try await TestVault.make(policy: policy, biometrics: true)
        let wallet = try await made.add("Savings")
        var stale: [Held<StrongAuthorization>] = []
        for _ in 1...4 { stale.append(Held(try await made.strong())) }
        await made.vault.lock()
        try await made.touch()
        let vault = made.vault
        let calls: [(String, () async throws -> Void)] = [
            ("change", { try await vault.changeLocalSecret(to: SecretBytes(text: "840275"), stale[0].take()) }),
            ("delete", { try await vault.deleteWallet(wallet.id, stale[1].take()) }),
            ("recovery", { try await vault.createRecoveryKey(stale[2].take()) { _ in } }),
            ("export", { try await vault.exportWallet(wallet.id, stale[3].take()) { _, _ in } }),
        ]
        for (name, call) in calls { #expect(await refusal(call) == .authorizationExpired, "\(name)") }
        // What a finger may do: read, and under this policy turn itself off.
        #expect(try await made.secret(of: wallet.id) == "a secret of many words")
        try await vault.disableBiometrics(nil)
        #expect(try made.slots().map(\.kind) == [.localSecret])
    }

    @Test(.holds("A29", "C21")) func `a prompt that claims success without a secret opens nothing`() async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        try made.simulated.simulate(.fault(.emptySuccess))
        #expect(await refusal { try await made.vault.unlockWithBiometrics(TestVault.words) } == .biometricsChanged)
        #expect(await !made.vault.holdsKey)
        #expect(made.log.count(.biometricSuccess) == 0)
    }

    @Test(.holds("A29")) func `the prompt that answers yes or no is never asked on the way in`() async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        let asked = Counter()
        made.simulated.interceptor = { call throws(DeviceRefusal) in
            if call == .prompt { _ = asked.next() }
            return .proceed
        }
        try await made.touch()
        #expect(asked.count == 0 && made.simulated.promptsShown == 1)
    }

    @Test(.holds("A30")) func `another vault's secret opens nothing`() async throws {
        let simulated = SimulatedDevice()
        let one = try await TestVault.make(biometrics: true, on: simulated)
        let two = try await TestVault.make(biometrics: true, on: simulated)
        let foreign = try #require(try two.slot(.biometric).item)
        let swapped = Device(
            kind: .simulated,
            store: SwappingStore(store: simulated, answer: foreign),
            prompt: simulated,
            anchor: simulated,
            clock: one.device.clock,
            installation: one.device.installation
        )
        let hooked = try await one.reopened(seenAs: swapped)
        #expect(await refusal { try await hooked.touch() } == .biometricsChanged)
        #expect(await !hooked.vault.holdsKey)
    }

    @Test(.holds("A31")) func `the device's passcode opens no biometric slot`() async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        #expect(await refusal { try await made.touch(.passcode) } == .strongFactorRequired)
        #expect(await !made.vault.holdsKey)
        #expect(try await made.simulated.describe(#require(made.slot(.biometric).item))?.access == .currentBiometrySet)
    }

    @Test(.holds("A32", "B-06"), arguments: [SimulatedFault.droppedAccess, .droppedDeviceOnly])
    func `a platform that drops an attribute is refused, and nothing is kept`(fault: SimulatedFault)
        async throws
    {
        let made = try await TestVault.make()
        let authorization = try await made.strong()
        try made.simulated.simulate(.fault(fault))
        #expect(await made.enable(made.consent, authorization) == .protectionDropped)
        #expect(try await made.look().biometrics == .disabled)
        #expect(made.simulated.counts.deletes == 1)
        #expect(try made.contents().leftovers.isEmpty)
    }

    @Test(.holds("A32", "B-12")) func `a device secret that may leave the device makes no vault`() async throws {
        let folder = try TemporaryFolder()
        let simulated = SimulatedDevice()
        try simulated.simulate(.fault(.droppedDeviceOnly))
        let code = await refusal {
            try await Vault.create(
                in: folder.file("vault"),
                device: simulated.device,
                secret: SecretBytes(text: TestVault.pin),
                policy: TestVault.policy
            )
        }
        #expect(code == .protectionDropped)
        #expect(
            await refusal { try await Vault.open(in: folder.file("vault"), device: simulated.device) } == .vaultMissing
        )
        #expect(simulated.counts.deletes == 1)
    }

    @Test(.holds("A33", "B-03"))
    func `a cancel is a cancel: as many prompts as requests, the PIN offered, nothing counted`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        // More than there may be mismatches.
        let requests = Int(TestVault.policy.biometricFailureLimit) + 1
        for request in 1...requests {
            #expect(await refusal { try await made.touch(.cancel) } == .promptCancelled)
            #expect(made.simulated.promptsShown == request)
            #expect(await made.state == .requiresStrongFactor(.cancelled))
        }
        #expect(ErrorCode.promptCancelled.recovery == .offerStrongFactor)
        #expect(try await made.look().failedBiometricAttempts == 0)
        try await made.strong()
        #expect(made.simulated.promptsShown == requests)
    }

    static let broken: [SimulatedFault] = [.readerBusy, .readerBroken, .readerSilent]

    @Test(.holds("A19", "B-03", "C7"), arguments: broken)
    func `a reader that fails keeps no PIN out, counts nothing and forgives nothing`(fault: SimulatedFault) async throws
    {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        #expect(await refusal { try await made.touch(.mismatch) } == .biometricsNotRecognised)
        // More than there may be mismatches.
        for _ in 0...TestVault.policy.biometricFailureLimit {
            try made.simulated.simulate(.fault(fault))
            #expect(
                await refusal { try await made.vault.unlockWithBiometrics(TestVault.words) } == .biometricsUnavailable
            )
            #expect(await made.state == .requiresStrongFactor(.biometricsUnavailable))
        }
        let snapshot = try await made.look()
        #expect(snapshot.failedBiometricAttempts == 1 && snapshot.failedAttempts == 0)
        #expect(snapshot.biometrics == .enabled && snapshot.decision == .promptBiometrics)
        #expect(made.log.count(.biometricFailure) == 1)
        try await made.strong()
        // In an open session it is told, and the session goes on.
        try made.simulated.simulate(.fault(fault))
        #expect(await refusal { try await made.vault.unlockWithBiometrics(TestVault.words) } == .biometricsUnavailable)
        #expect(await made.isOpen)
        await made.vault.lock()
        try await made.touch()
    }

    @Test(.holds("C7", "F-107-06"), arguments: [SimulatedTouch.mismatch, .mismatchThenCancel], [false, true])
    func `pulling the plug behind a mismatch buys no finger, in an open session neither`(
        touch: SimulatedTouch,
        isOpen: Bool
    ) async throws {
        let made = try await TestVault.make(biometrics: true)
        if !isOpen { await made.vault.lock() }
        for count in 1...TestVault.policy.biometricFailureLimit {
            try made.simulated.simulate(.fault(.readerBroken))
            #expect(await refusal { try await made.touch(touch) } == .biometricsUnavailable)
            #expect(try await made.look().failedBiometricAttempts == count)
            #expect(await made.isOpen == isOpen)
        }
        #expect(made.log.count(.biometricFailure) == Int(TestVault.policy.biometricFailureLimit))
        let shown = made.simulated.promptsShown
        #expect(await refusal { try await made.touch() } == .strongFactorRequired)
        #expect(made.simulated.promptsShown == shown)
        try await made.restarted().strong()
    }

    @Test(.holds("B-03")) func `where biometrics are off nobody is prompted`() async throws {
        let made = try await TestVault.make()
        await made.vault.lock()
        #expect(await refusal { try await made.touch() } == .strongFactorRequired)
        #expect(made.simulated.promptsShown == 0)
        #expect(await made.vault.snapshot.decision == .requireStrongFactor(.biometricsDisabled))
    }

    @Test(.holds("A27")) func `files gone and store kept: a new vault is clean of the old one's failures and items`()
        async throws
    {
        let simulated = SimulatedDevice()
        let old = try await TestVault.make(biometrics: true, on: simulated)
        for number in 1...9 { _ = await refusal { try await old.guess(number) } }
        try simulated.simulate(.reinstall)
        let new = try await TestVault.make(on: simulated)
        let snapshot = try await new.look()
        #expect(snapshot.failedAttempts == 0 && snapshot.nextAttempt == .allowed && snapshot.biometrics == .disabled)
        try await new.enableBiometrics()
        await new.vault.lock()
        try await new.touch()
    }

    @Test(.holds("A27")) func `files kept and the app installed anew: revoked, the PIN opens, biometrics by hand`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        try made.simulated.simulate(.reinstall)
        let again = try await made.restarted()
        #expect(await again.vault.snapshot.slots.contains { $0.kind == .biometric && $0.isRevoked })
        #expect(await refusal { try await again.touch() } == .strongFactorRequired)
        #expect(made.simulated.promptsShown == 0)
        try await again.strong()
        #expect(try await again.look().biometrics == .disabled)
    }
}

/// A store whose gated read answers with another item.
private struct SwappingStore: ForwardingStore {
    let store: any SecureStore
    let answer: ItemName

    func read(_ name: ItemName, prompt: PromptText) async throws(DeviceRefusal) -> SecretBytes {
        try await store.read(answer, prompt: prompt)
    }
}
