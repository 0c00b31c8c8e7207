import Synchronization
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnUI

@MainActor @Suite("useAppUnlock over a vault", .waitsEnd)
struct AppUnlockObjectTests {
    @Test(.holds("B-03")) func `a launch prompts, and a finger opens`() async throws {
        let made = try await TestVault.make(biometrics: true).restarted()
        try made.simulated.simulate(.finger(.match))
        let model = await AppUnlockObject.watching(made)
        #expect(model.screen == .secret && made.simulated.promptsShown == 0, "not before the app is in front")
        model.appBecame(.active)
        await model.shows(.content)
        #expect(model.state == .unlocked && model.scope == .full && model.error == nil)
        #expect(made.simulated.promptsShown == 1)
    }

    @Test(.holds("B-03")) func `without biometrics the PIN is asked for at once, and opens`() async throws {
        let made = try await TestVault.make().restarted()
        let model = await AppUnlockObject.watching(made)
        model.appBecame(.active)
        await until { !model.isCovered }
        #expect(model.screen == .secret && model.biometry == nil && model.notice == nil)
        await model.type(TestVault.pin)
        await model.shows(.content)
        #expect(made.simulated.promptsShown == 0 && model.pin.count == 0)
    }

    @Test(.holds("A33")) func `prompts shown = one, and then taps`() async throws {
        let made = try await TestVault.make(biometrics: true).restarted()
        for _ in 0..<4 { try made.simulated.simulate(.finger(.cancel)) }
        let model = await AppUnlockObject.watching(made)
        model.appBecame(.active)
        for taps in 1...3 {
            await until { model.error != nil && model.screen == .secret }
            #expect(model.error?.errorCode == .promptCancelled)
            #expect(made.simulated.promptsShown == taps)
            // The sheet itself makes the app inactive, and active again.
            await model.leaveAndReturn()
            #expect(made.simulated.promptsShown == taps)
            await model.unlockWithBiometric()
        }
        #expect(made.simulated.promptsShown == 4)
        #expect(model.failedAttempts == 0, "C7: a cancel is no failure")
    }

    @Test(.holds("A33")) func `after a lock by hand only a tap prompts`() async throws {
        let made = try await TestVault.make(biometrics: true)
        let model = await AppUnlockObject.watching(made)
        model.appBecame(.active)
        await until { !model.isCovered }
        await model.lock()
        await model.shows(.secret)
        await model.leaveAndReturn()
        #expect(model.biometry == .touchID && made.simulated.promptsShown == 0)
        try made.simulated.simulate(.finger(.match))
        await model.unlockWithBiometric()
        await model.shows(.content)
    }

    @Test(.holds("C17")) func `the background locks where the policy says so, and the return prompts once`()
        async throws
    {
        let made = try await TestVault.make(policy: .localPD107, biometrics: true)
        let model = await AppUnlockObject.watching(made)
        model.appBecame(.active)
        await until { !model.isCovered }
        try made.simulated.simulate(.finger(.match))
        model.appBecame(.inactive)
        model.appBecame(.background)
        await until { model.scope == nil }
        #expect(model.isCovered && made.simulated.promptsShown == 0)
        model.appBecame(.active)
        await model.shows(.content)
        #expect(made.simulated.promptsShown == 1)
    }

    @Test(.holds("C17")) func `elsewhere the background only covers`() async throws {
        let made = try await TestVault.make(biometrics: true)
        let model = await AppUnlockObject.watching(made)
        model.appBecame(.active)
        await model.leaveAndReturn()
        #expect(model.screen == .content && made.simulated.promptsShown == 0)
    }

    @Test(.holds("A37")) func `covering and forgetting what was typed happen at once`() async throws {
        let made = try await TestVault.make().restarted()
        let model = await AppUnlockObject.watching(made)
        model.appBecame(.active)
        await until { !model.isCovered }
        model.pin.type("4938")
        model.appBecame(.inactive)
        #expect(model.isCovered && model.pin.count == 0)
    }

    /// The system may stop an app before its vault has heard that the app left.
    @Test(.holds("A37"), arguments: [true, false])
    func `after too long away content locks before it is uncovered, and one prompt opens it again`(
        vaultHeard: Bool
    ) async throws {
        let made = try await TestVault.make(biometrics: true)
        let model = await AppUnlockObject.watching(made)
        model.appBecame(.active)
        await until { model.screen == .content && !model.isCovered }
        model.appBecame(.background)
        if vaultHeard {
            for await snapshot in await made.vault.snapshots() where snapshot.isCovered { break }
        }
        let whileAway = model.shown.count
        try made.advance(.minutes(6))
        try made.simulated.simulate(.finger(.match))
        model.appBecame(.active)
        await until { model.scope == nil }
        await until { model.scope == .full && !model.isCovered }
        let uncovered = try #require(model.shown[whileAway...].first { !$0.isCovered })
        #expect(uncovered.scope == nil, "\(uncovered)")
        #expect(made.simulated.promptsShown == 1)
    }

    @Test func `a second tap is dropped while the prompt is up`() async throws {
        let made = try await TestVault.make(biometrics: true).restarted()
        try made.simulated.simulate(.finger(.wait))
        let model = await AppUnlockObject.watching(made)
        model.appBecame(.active)
        await until { model.state == .promptingBiometric }
        #expect(model.screen == .prompt && model.isBusy)
        await model.unlockWithBiometric()
        await model.type(TestVault.pin)
        #expect(made.simulated.promptsShown == 1 && model.screen == .prompt)
        await model.lock()
        await model.shows(.secret)
    }

    @Test(.holds("A36")) func `leaving the foreground ends the prompt, and its late answer says nothing`() async throws
    {
        let made = try await TestVault.make(policy: .localPD107, biometrics: true).restarted()
        try made.simulated.simulate(.finger(.wait))
        let model = await AppUnlockObject.watching(made)
        model.appBecame(.active)
        await until { model.state == .promptingBiometric }
        model.appBecame(.inactive)
        await until { model.isCovered }
        #expect(model.state == .promptingBiometric, "the system's own sheet does not end it")
        model.appBecame(.background)
        await until { !model.isBusy && model.state != .promptingBiometric }
        #expect(model.scope == nil && model.error?.errorCode != .biometricsNotRecognised)
        model.appBecame(.active)
        await until { !model.isCovered }
        #expect(made.simulated.promptsShown == 1)
    }

    @Test(.holds("A27")) func `on another device the former PIN opens a half migrated vault`() async throws {
        let app = try await FormerApp(sealed: nil, biometric: FormerApp.words)
        try app.simulated.simulate(.fault(.droppedDeviceOnly))
        try await app.store(FormerApp.Sealed.first.rawValue)
        try await app.half().vault.close()
        try app.simulated.simulate(.restoreElsewhere)
        let model = await AppUnlockObject.watching(try await app.open())
        #expect(model.screen == .secret)
        await model.type(FormerApp.pin)
        await model.shows(.offer)
        await model.answerOffer(nil)
        await model.shows(.content)
    }

    @Test(.holds("K-08"))
    func `where no finger answers, the screen says what will be new, and offers biometrics again`()
        async throws
    {
        let app = try await FormerApp(biometric: FormerApp.words)
        let half = try await app.half()
        let model = await AppUnlockObject.watching(half)
        model.appBecame(.active)
        await until { model.error?.errorCode == .promptCancelled }
        await model.type(FormerApp.pin)
        await model.shows(.completion(.withoutBiometrics))
        #expect(model.error?.errorCode == .migrationNeedsBiometrics)
        await model.askBiometricsAgain()
        await model.shows(.completion(.withoutBiometrics))
        await model.goOnWithoutBiometrics()
        await model.shows(.offer)
        await model.answerOffer(model.consent())
        await model.shows(.content)
        let snapshot = await half.vault.snapshot
        #expect(snapshot.migration == .full && snapshot.biometrics == .enabled)
    }

    @Test(.holds("K-08")) func `the PIN asks for the finger, and then both open`() async throws {
        let app = try await FormerApp(biometric: FormerApp.words)
        let half = try await app.half()
        let model = await AppUnlockObject.watching(half)
        model.appBecame(.active)
        await until { model.error?.errorCode == .promptCancelled }
        try app.simulated.simulate(.finger(.match))
        await model.type(FormerApp.pin)
        await model.shows(.content)
        #expect(await half.vault.snapshot.slots.map(\.kind) == [.biometric, .localSecret])
    }

    @Test(.holds("K-08"))
    func `in an open session the PIN is asked for before a change, and a refused one for a better`()
        async throws
    {
        let app = try await FormerApp(sealed: .weak, biometric: FormerApp.words)
        let half = try await app.half()
        try app.simulated.simulate(.finger(.match))
        let model = await AppUnlockObject.watching(half)
        model.appBecame(.active)
        await model.shows(.content)
        let stopped = Task { await model.finishMoving() }
        await model.shows(.completion(.secret))
        await model.type(FormerApp.wrongPIN)
        await model.shows(.completion(.secret))
        #expect(model.error?.errorCode == .strongFactorRefused)
        model.stopMoving()
        #expect(await !stopped.value && model.screen == .content)
        let moved = Task { await model.finishMoving() }
        await model.shows(.completion(.secret))
        await model.type(FormerApp.weakPIN)
        await model.shows(.completion(.newSecret))
        #expect(model.error?.errorCode == .secretTooCommon)
        await model.chooseSecret(SecretBytes(text: TestVault.pin))
        #expect(await moved.value)
        await model.shows(.content)
        try await half.add("Second")
        #expect(await half.vault.snapshot.migration == .full)
        #expect(await model.finishMoving(), "nothing is half moved any more")
        #expect(model.screen == .content)
    }

    @Test(.holds("K-08", "A36")) func `what waits for the former PIN ends with a lock`() async throws {
        let app = try await FormerApp(biometric: FormerApp.words)
        let half = try await app.half()
        try app.simulated.simulate(.finger(.match))
        let model = await AppUnlockObject.watching(half)
        model.appBecame(.active)
        await model.shows(.content)
        let moved = Task { await model.finishMoving() }
        await model.shows(.completion(.secret))
        await half.vault.lock()
        #expect(await !moved.value)
        await model.shows(.secret)
    }

    @Test(.holds("K-08", "K-09")) func `two wallets are both kept, under a name that the screen asks for`() async throws
    {
        let app = try await FormerApp(biometric: FormerApp.otherWords)
        let half = try await app.half()
        let model = await AppUnlockObject.watching(half)
        model.appBecame(.active)
        await until { model.error?.errorCode == .promptCancelled }
        await model.type(FormerApp.pin)
        await model.shows(.completion(.walletName))
        await model.keepBoth(as: "")
        #expect(model.error?.errorCode == .nameInvalid && model.screen == .completion(.walletName))
        try app.simulated.simulate(.finger(.match))
        await model.keepBoth(as: "From the PIN")
        await model.shows(.content)
        let both = ["Former": FormerApp.otherWords, "From the PIN": FormerApp.words]
        #expect(try await half.mnemonics() == both)
    }

    @Test(.holds("A37")) func `what was given for a half migrated vault ends with the background`() async throws {
        let app = try await FormerApp(biometric: FormerApp.words)
        let half = try await app.half()
        let model = await AppUnlockObject.watching(half)
        model.appBecame(.active)
        await until { model.error?.errorCode == .promptCancelled }
        await model.type(FormerApp.pin)
        await model.shows(.completion(.withoutBiometrics))
        model.appBecame(.background)
        await until { model.isCovered }
        await model.goOnWithoutBiometrics()
        #expect(await half.vault.snapshot.migration == .half)
        #expect(model.screen == .secret)
    }

    @Test(.holds("A37")) func `what was given for a half migrated vault ends with the time that an open one has`()
        async throws
    {
        let app = try await FormerApp(biometric: FormerApp.words)
        let half = try await app.half()
        let (ticks, clock) = AsyncStream.makeStream(of: Void.self)
        let model = RecordedModel(half.vault, secret: .pin(length: 6), prompt: nil) { span in
            guard span == .minutes(5) else { return }
            for await _ in ticks { return }
        }
        await until { model.screen != .opening }
        model.appBecame(.active)
        await until { model.error?.errorCode == .promptCancelled }
        await model.type(FormerApp.pin)
        await model.shows(.completion(.withoutBiometrics))
        clock.yield()
        await model.shows(.secret)
        await model.goOnWithoutBiometrics()
        #expect(await half.vault.snapshot.migration == .half)
    }

    enum Locker: CaseIterable { case owner, vault }

    @Test(.holds("A36"), arguments: Locker.allCases)
    func `a lock at any call to the device wins, and no content shows afterwards`(locker: Locker) async throws {
        var call = 1
        while try await wins(locker, at: call) { call += 1 }
        #expect(call > 3, "the unlock was never overtaken")
    }

    /// Unlocks, locks at a call to the device, and says whether there was such a call.
    private func wins(_ locker: Locker, at call: Int) async throws -> Bool {
        let simulated = SimulatedDevice()
        let plain = try await TestVault.make(biometrics: true, on: simulated)
        await plain.vault.close()
        let calls = Counter()
        let lock = Mutex<(@Sendable () async -> Void)?>(nil)
        let watched = WatchedDevice(simulated) { _ in
            if let lock = lock.withLock({ $0 }), calls.next() == call { await lock() }
        }
        let made = try await plain.reopened(seenAs: watched.device)
        let model = await AppUnlockObject.watching(made)
        lock.withLock { lock in
            switch locker {
            case .owner: lock = { await model.lock() }
            case .vault: lock = { await made.vault.lock() }
            }
        }
        try simulated.simulate(.finger(.match))
        await model.unlockWithBiometric()
        lock.withLock { $0 = nil }
        let isOvertaken = calls.count >= call
        #expect(await made.vault.holdsKey == !isOvertaken, "\(locker) at \(call)")
        #expect(model.error == nil, "\(locker) at \(call)")
        // Snapshots come in order: once a guess shows, so has all that was before.
        await #expect(throws: VaultError.self) { try await made.guess() }
        await until { model.failedSecrets == 1 && model.state != .promptingBiometric }
        #expect(model.shown.contains { $0.screen == .content } == !isOvertaken, "\(locker) at \(call)")
        #expect(simulated.promptsShown <= 1)
        return isOvertaken
    }

    @Test func `a wrong PIN is said in the user's language, and counted`() async throws {
        let made = try await TestVault.make().restarted()
        let model = await AppUnlockObject.watching(made)
        model.language = .french
        await model.type("730000")
        await until { model.failedSecrets == 1 }
        #expect(model.error?.message == "Impossible de vous authentifier.")
        #expect(model.error?.hint == "Réessayez." && model.error?.recoverable == true)
        model.resetError()
        #expect(model.error == nil)
        model.language = .english
        await model.type("730001")
        #expect(model.error?.message == "You could not be authenticated.")
    }

    @Test func `a mismatch can be tried again, and the third asks for the PIN`() async throws {
        let made = try await TestVault.make(biometrics: true).restarted()
        let model = await AppUnlockObject.watching(made)
        for failures in 1...3 as ClosedRange<UInt32> {
            try made.simulated.simulate(.finger(.mismatch))
            await model.unlockWithBiometric()
            await until { model.failedAttempts == failures && !model.isBusy }
            #expect(model.error?.errorCode == .biometricsNotRecognised)
        }
        await until { model.state == .requirePassword }
        #expect(model.reason == .tooManyMismatches && model.biometry == nil && model.screen == .secret)
    }

    @Test(.holds("B-03"), arguments: [SimulatedFault.readerBusy, .readerBroken, .readerSilent])
    func `a reader that fails at a launch is told as that, and the screen asks for the PIN`(
        fault: SimulatedFault
    ) async throws {
        let made = try await TestVault.make(biometrics: true).restarted()
        try made.simulated.simulate(.fault(fault))
        let model = await AppUnlockObject.watching(made)
        model.appBecame(.active)
        await until { model.error != nil && model.screen == .secret }
        #expect(model.error?.errorCode == .biometricsUnavailable && model.error?.recoverable == true)
        #expect(model.state == .requirePassword && model.reason == .biometricsUnavailable)
        #expect(model.failedAttempts == 0 && model.biometry == .touchID, "a tap may ask again")
        await model.type(TestVault.pin)
        await model.shows(.content)
    }

    @Test func `a delay counts down second by second for those who look, and nobody else`() async throws {
        let made = try await TestVault.make().restarted()
        for guess in 0..<4 { try? await made.guess(guess) }
        let pauses = Mutex<[Milliseconds]>([])
        let model = RecordedModel(made.vault, secret: .pin(length: 6), prompt: nil) { pause in
            pauses.withLock { $0.append(pause) }
            try? made.advance(pause)
        }
        await until { model.screen == .wait(Countdown(.seconds(30))) }
        #expect(pauses.withLock(\.count) == 0, "nobody looks yet")
        model.appBecame(.active)
        await model.shows(.secret)
        let slept = pauses.withLock { $0 }
        // Each snapshot that the return to the front brings starts the pause anew.
        #expect((30...34).contains(slept.count), "\(slept.count)")
        #expect(slept.allSatisfy { $0 > .zero && $0 <= Milliseconds(1_001) })
        await model.type(TestVault.pin)
        await model.shows(.content)
    }

    @Test func `a PIN typed during a delay is refused with the delay, and costs nothing`() async throws {
        let made = try await TestVault.make().restarted()
        for guess in 0..<4 { try? await made.guess(guess) }
        let model = await AppUnlockObject.watching(made)
        await model.type(TestVault.pin)
        #expect(model.error?.errorCode == .attemptDelayed && model.failedSecrets == 4)
    }

    @Test(.holds("INV-107-07")) func `after a change of fingers the PIN brings them back with one tap`() async throws {
        let made = try await TestVault.make(biometrics: true).restarted()
        try made.simulated.simulate(.enroll)
        let model = await AppUnlockObject.watching(made)
        model.appBecame(.active)
        await until { model.state == .revoked && !model.isBusy }
        #expect(model.notice?.errorCode == .biometricsChanged && model.biometry == nil)
        #expect(made.simulated.promptsShown == 0)
        await model.type(TestVault.pin)
        await model.shows(.offer)
        await model.answerOffer(model.consent())
        await model.shows(.content)
        #expect(await made.vault.snapshot.biometrics == .enabled && model.error == nil)
        await model.answerOffer(model.consent())
        #expect(model.error == nil, "there is no second offer")
    }

    @Test func `an offer that was declined is not made again`() async throws {
        let made = try await TestVault.make(biometrics: true).restarted()
        let model = await AppUnlockObject.watching(made)
        try made.simulated.simulate(.enroll)
        _ = try await made.look()
        await until { model.state == .revoked }
        await model.type(TestVault.pin)
        await model.shows(.offer)
        await model.answerOffer(nil)
        #expect(model.screen == .content)
        #expect(await made.vault.snapshot.biometrics == .disabled)
        await model.lock()
        await model.shows(.secret)
        await model.type(TestVault.pin)
        await model.shows(.content)
    }

    /// A vault that refuses nothing, so that it is the model which lets go of what the PIN was answered with.
    @Test(arguments: [false, true])
    func `an offer that was not answered ends with the session`(isLocked: Bool) async throws {
        func revoked(_ state: UnlockMachine.State) -> VaultSnapshot {
            VaultSnapshot(
                state: state,
                biometrics: .revoked(.biometricsChanged),
                capability: BiometricCapability(biometryType: .touchID, assurance: .simulated)
            )
        }
        let vault = ScriptedVault(revoked(.locked), giving: try await TestVault.make().strong())
        let model = AppUnlockModel(vault, secret: .pin(length: 6))
        await until { model.state == .revoked }
        await model.type(TestVault.pin)
        await vault.say(revoked(.unlocked(.full)))
        await model.shows(.offer)
        if isLocked {
            await vault.say(revoked(.locked))
            await model.shows(.secret)
        }
        await model.answerOffer(model.consent())
        #expect(await vault.asked == (isLocked ? [.secret] : [.secret, .enable]))
    }

    @Test(.holds("A61")) func `a reset needs its word, and says when all is gone`() async throws {
        let made = try await TestVault.make()
        let model = await AppUnlockObject.watching(made)
        await model.reset(typed: "reset")
        #expect(model.error?.errorCode == .confirmationMissing && model.screen == .content)
        await model.reset(typed: ResetConfirmation.phrase)
        #expect(model.screen == .erased && model.error == nil)
        await until { model.scope == nil }
    }

    @Test(.holds("S-07")) func `a reset that could not delete everything can be completed`() async throws {
        let made = try await TestVault.make()
        let model = await AppUnlockObject.watching(made)
        try made.simulated.simulate(.fault(.deleteFails))
        await model.reset(typed: ResetConfirmation.phrase)
        #expect(model.error?.errorCode == .resetPending)
        await model.shows(.reset)
        await model.reset(typed: ResetConfirmation.phrase)
        #expect(model.screen == .erased)
    }

    @Test(.holds("A26")) func `without the device's key only the recovery key opens`() async throws {
        let made = try await TestVault.make()
        await made.vault.close()
        try made.simulated.simulate(.restoreElsewhere)
        let again = try await made.reopened()
        let model = await AppUnlockObject.watching(again)
        #expect(model.screen == .recovery(.keyMissing))
        await model.type(TestVault.pin)
        #expect(model.error?.errorCode == .keyMissing && model.error?.recoverable == false)
    }

    @Test func `a device that is locked says so, and locks nothing else out`() async throws {
        let made = try await TestVault.make(biometrics: true).restarted()
        let model = await AppUnlockObject.watching(made)
        try made.simulated.simulate(.lockDevice)
        await model.unlockWithBiometric()
        #expect(model.error?.errorCode == .storageUnavailable && model.state == .locked)
        try made.simulated.simulate(.unlockDevice)
        try made.simulated.simulate(.finger(.match))
        await model.unlockWithBiometric()
        await model.shows(.content)
    }

    @Test func `the prompt's words are the user's, or the app's own`() async throws {
        let made = try await TestVault.make(biometrics: true).restarted()
        let words = Mutex<[PromptText]>([])
        let seen = Device(
            kind: .simulated,
            store: ListeningStore(store: made.simulated) { text in words.withLock { $0.append(text) } },
            prompt: made.device.prompt,
            anchor: made.device.anchor,
            clock: made.device.clock,
            installation: made.device.installation
        )
        await made.vault.close()
        let heard = try await made.reopened(seenAs: seen)
        let model = await AppUnlockObject.watching(heard, secret: .password)
        model.language = .french
        await model.unlockWithBiometric()
        let own = PromptText(reason: "Ouvrir", cancelTitle: "Non", fallbackTitle: "")
        await AppUnlockObject(heard.vault, prompt: own).unlockWithBiometric()
        let expected = PromptText(
            reason: "Ouvrir le coffre",
            cancelTitle: "Annuler",
            fallbackTitle: "Utiliser le mot de passe"
        )
        #expect(words.withLock { $0 } == [expected, own])
    }

    @Test(.holds("B-10")) func `nothing that was typed is in the model, however it is looked at`() async throws {
        let made = try await TestVault.make(biometrics: true).restarted()
        let model = await AppUnlockObject.watching(made)
        model.pin.type(TestVault.pin)
        let typing = everything(in: model)
        await model.submitPIN()
        await model.shows(.content)
        try await made.add("Unmistakable", "SENTINEL of a wallet")
        await until { model.fields.scope == .full }
        let opened = everything(in: model) + everything(in: model.fields)
        for secret in [TestVault.pin, "SENTINEL", "Unmistakable"] {
            #expect(!reveals(typing, secret) && !reveals(opened, secret))
        }
        #expect(typing.contains("PINEntry") && opened.contains("unlocked"), "the walk reaches entry and state")
    }

    @Test func `a model that nobody keeps ends, and leaves the vault alone`() async throws {
        let made = try await TestVault.make()
        weak var gone: AppUnlockObject?
        do {
            let model = await AppUnlockObject.watching(made)
            gone = model
            #expect(gone != nil)
        }
        #expect(gone == nil)
        _ = try await made.look()
        #expect(await made.vault.snapshot.state == .unlocked(.full))
    }
}

/// A store that tells the words of each prompt.
private struct ListeningStore: ForwardingStore {
    let store: any SecureStore
    let hears: @Sendable (PromptText) -> Void

    func read(_ name: ItemName, prompt: PromptText) async throws(DeviceRefusal) -> SecretBytes {
        hears(prompt)
        return try await store.read(name, prompt: prompt)
    }
}
