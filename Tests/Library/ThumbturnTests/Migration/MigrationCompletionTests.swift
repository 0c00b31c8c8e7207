import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// Path C: the former PIN completes a half migrated vault.
@Suite struct MigrationCompletionTests {
    private static func app() async throws -> FormerApp { try await FormerApp(biometric: FormerApp.words) }

    @Test(.holds("K-08"))
    func `a login with the PIN asks for the finger once more, and the same key goes under the PIN`()
        async throws
    {
        let app = try await Self.app()
        let half = try await app.half()
        let finger = try half.slot(.biometric)
        let wallets = try half.wallets()
        let shown = app.simulated.promptsShown
        #expect(await refusal { try await half.give(FormerApp.wrongPIN) } == .strongFactorRefused)
        #expect(app.simulated.promptsShown == shown, "a wrong PIN asks nobody for a finger")
        try await half.complete()
        #expect(app.simulated.promptsShown == shown + 1)
        let snapshot = await half.vault.snapshot
        #expect(snapshot.migration == .full && snapshot.state == .unlocked(.full))
        #expect(snapshot.biometrics == .enabled && snapshot.failedAttempts == 0)
        #expect(try half.slot(.localSecret).key == finger.key && half.slot(.biometric) == finger)
        #expect(try half.wallets() == wallets, "nothing is sealed anew")
        #expect(try app.left == (false, false))
        #expect(app.log.count(.migrationCompleted) == 1)
        await half.vault.lock()
        try await half.touch()
        #expect(try await half.mnemonics() == ["Former": FormerApp.words])
    }

    @Test(.holds("K-08"), arguments: [SimulatedTouch?.none, .cancel, .mismatch, .fallback])
    func `without the finger no second key is made, until its owner does without`(touch: SimulatedTouch?) async throws {
        let app = try await Self.app()
        let half = try await app.half()
        let rows = try half.slots().map(\.id)
        if let touch { try app.simulated.simulate(.finger(touch)) }
        #expect(await refusal { try await half.give(FormerApp.pin) } == .migrationNeedsBiometrics)
        var snapshot = await half.vault.snapshot
        #expect(snapshot.migration == .half && snapshot.biometrics == .enabled && snapshot.failedAttempts == 0)
        #expect(try half.slots().map(\.id) == rows && app.left.sealed)
        #expect(await !half.vault.holdsKey)

        let shown = app.simulated.promptsShown
        let finger = try half.slot(.biometric)
        try await half.completeWithoutFinger()
        #expect(app.simulated.promptsShown == shown)
        snapshot = await half.vault.snapshot
        #expect(snapshot.migration == .full && snapshot.slots.map(\.kind) == [.localSecret])
        #expect(snapshot.biometrics == .disabled && snapshot.failedAttempts == 0)
        #expect(try half.slot(.localSecret).key != finger.key, "the former key is out of the PIN's reach")
        #expect(try await half.mnemonics() == ["Former": FormerApp.words])
        #expect(try app.left == (false, false))
        #expect(try app.simulated.itemNamesBesideTrail() == half.slot(.localSecret).items.map(\.text).sorted())
        await half.vault.close()
        let again = try await app.open()
        try await again.give(FormerApp.pin)
        try await again.enableBiometrics(by: FormerApp.pin)
    }

    @Test(.holds("K-08", "INV-107-01"), arguments: [SimulatedEvent.reboot, .advance(.hours(80))])
    func `what the policy asks the PIN for is answered by it, and then the finger is asked`(event: SimulatedEvent)
        async throws
    {
        let app = try await Self.app()
        let half = try await app.half()
        let key = try half.slot(.biometric).key
        try app.simulated.simulate(event)
        let shown = app.simulated.promptsShown
        #expect(await refusal { try await half.touch() } == .sessionExpired)
        #expect(app.simulated.promptsShown == shown)
        try await half.give(FormerApp.pin)
        #expect(app.simulated.promptsShown == shown + 1)
        #expect(try half.slot(.localSecret).key == key)
        #expect(await half.vault.snapshot.biometrics == .enabled)
    }

    @Test(.holds("K-08", "C15")) func `a PIN of another's wallet in the former one's place answers nothing`()
        async throws
    {
        let app = try await Self.app()
        let half = try await app.half()
        // The same wallet, which whoever knows the words can seal: its PIN is not the former one.
        try await app.store(FormerApp.Sealed.again.rawValue)
        try app.simulated.simulate(.reboot)
        try app.simulated.simulate(.finger(.match))
        let shown = app.simulated.promptsShown
        #expect(await refusal { try await half.give(FormerApp.pin) } == .migrationNeedsBiometrics)
        #expect(app.simulated.promptsShown == shown)
        #expect(await half.vault.snapshot.migration == .half)
        try await half.completeWithoutFinger()
    }

    @Test(.holds("K-08")) func `after a finger the PIN wraps the key that there is`() async throws {
        let app = try await Self.app()
        let half = try await app.half()
        let finger = try half.slot(.biometric)
        let wallet = try #require(half.wallets().first)
        try await half.touch()
        try await half.give(FormerApp.pin)
        #expect(try half.slot(.localSecret).key == finger.key)
        #expect(try half.wallets() == [wallet], "nothing is sealed anew")
        #expect(await half.vault.snapshot.biometrics == .enabled)
        #expect(try app.left == (false, false))
        await half.vault.lock()
        try await half.touch()
        #expect(try await half.mnemonics() == ["Former": FormerApp.words])
    }

    @Test(.holds("A38")) func `another process's new key ends a session of before, and is no tampering`() async throws {
        let app = try await Self.app()
        let half = try await app.half()
        try await half.touch()
        try await app.open().completeWithoutFinger()
        #expect(await refusal { try await half.vault.wallets() } == .locked)
        #expect(await !half.vault.holdsKey)
        #expect(app.log.count(.vaultTampered) == 0, "nobody changed what is not theirs")
        try await half.give(FormerApp.pin)
        #expect(try await half.mnemonics() == ["Former": FormerApp.words])
    }

    @Test(.holds("K-08")) func `the completing call says in its own words that the finger is asked`() async throws {
        let app = try await Self.app()
        let half = try await app.half()
        let key = try half.slot(.biometric).key
        let silent = await refusal {
            try await half.vault.completeMigration(with: SecretBytes(text: FormerApp.pin))
        }
        #expect(silent == .migrationNeedsBiometrics)
        try app.simulated.simulate(.finger(.match))
        try await half.vault.completeMigration(with: SecretBytes(text: FormerApp.pin), prompt: FormerApp.prompt)
        #expect(try half.slot(.localSecret).key == key)
        #expect(try await half.mnemonics() == ["Former": FormerApp.words])
        let code = await refusal {
            try await half.vault.completeMigration(with: SecretBytes(text: FormerApp.pin))
        }
        #expect(code == .legacyAlreadyMigrated)
    }

    @Test(.holds("A36")) func `a lock while the completing call's prompt is up wins over its PIN, too`() async throws {
        let app = try await Self.app()
        try await app.migrateByFinger().vault.close()
        let race = Race()
        let watched = WatchedDevice(app.simulated) { call in if case .read = call { await race.reach() } }
        let half = try await app.open(seenAs: watched.device)
        let vault = half.vault
        await race.start(at: 1) { await vault.lock() }
        try app.simulated.simulate(.finger(.match))
        let code = await refusal {
            try await vault.completeMigration(with: SecretBytes(text: FormerApp.pin), prompt: FormerApp.prompt)
        }
        #expect(await race.stop().wasRun)
        #expect(code == .locked)
        #expect(await !vault.holdsKey)
        #expect(await vault.snapshot.migration == .half)
    }

    @Test(.holds("A57")) func `nothing but its wallet comes under a key that only biometrics open`() async throws {
        let app = try await Self.app()
        let half = try await app.half()
        try await half.touch()
        let wallet = try #require(try await half.vault.wallets().first)
        let rows = try half.contents().head
        #expect(await refusal { try await half.add("Second") } == .migrationIncomplete)
        #expect(
            await refusal { try await half.vault.addWallet(named: WalletName("New"), .newMnemonic(words: .twelve)) }
                == .migrationIncomplete
        )
        #expect(
            await refusal { try await half.vault.renameWallet(wallet.id, to: WalletName("Other")) }
                == .migrationIncomplete
        )
        #expect(await refusal { try await half.vault.disableBiometrics(nil) } == .migrationIncomplete)
        #expect(
            await refusal { try await half.vault.migrate([app.migration], with: SecretBytes(text: FormerApp.pin)) }
                == .migrationIncomplete
        )
        let key = SecretBytes(text: "no key is asked for")
        let other = try await TestVault.make()
        #expect(
            await refusal { try await half.vault.confirmRecoveryKey(key, try await other.strong()) }
                == .recoveryKeyMalformed
        )
        #expect(try half.contents().head == rows)
        #expect(await half.isOpen, "a refusal closes nothing")
        #expect(try await half.vault.wallets() == [wallet])
    }

    @Test(.holds("K-08")) func `import goes on once the PIN was given`() async throws {
        let app = try await Self.app()
        let half = try await app.half()
        try await half.touch()
        #expect(await refusal { try await half.add("Second") } == .migrationIncomplete)
        try await half.give(FormerApp.pin)
        try await half.add("Second")
        #expect(try await half.vault.wallets().count == 2)
    }

    @Test(.holds("K-08", "C5"))
    func `disabling biometrics asks for the PIN whatever the policy says, and keeps a way in`()
        async throws
    {
        var app = try await Self.app()
        app.policy.requiresSecretToDisable = false
        let half = try await app.half()
        try await half.touch()
        #expect(await refusal { try await half.vault.disableBiometrics(nil) } == .migrationIncomplete)
        let strong = try await half.give(FormerApp.pin)
        try await half.vault.disableBiometrics(strong)
        #expect(await half.vault.snapshot.slots.map(\.kind) == [.localSecret])
        await half.vault.close()
        let again = try await app.open()
        try await again.give(FormerApp.pin)
        #expect(try await again.mnemonics() == ["Former": FormerApp.words])
    }

    @Test(.holds("A10", "A11")) func `guesses at a half migrated vault are counted and delayed`() async throws {
        let app = try await Self.app()
        let half = try await app.half()
        for _ in 0..<4 { #expect(await refusal { try await half.give(FormerApp.wrongPIN) } == .strongFactorRefused) }
        await half.vault.close()
        let again = try await app.open()
        #expect(await refusal { try await again.give(FormerApp.pin) } == .attemptDelayed)
        #expect(try app.left.sealed)
        try app.simulated.simulate(.advance(.seconds(30)))
        try await again.complete()
        #expect(await again.vault.snapshot.migration == .full)
    }

    @Test(.holds("A57")) func `a wrong PIN in an open session leaves session and vault as they were`() async throws {
        let app = try await Self.app()
        let half = try await app.half()
        try await half.touch()
        #expect(await refusal { try await half.give(FormerApp.wrongPIN) } == .strongFactorRefused)
        #expect(await half.isOpen)
        #expect(await half.vault.snapshot.migration == .half)
    }

    @Test(
        .holds("A24"),
        arguments: [
            (SimulatedEvent.enroll, ErrorCode.biometricsChanged), (.unenroll, .biometricsChanged),
            (.reinstall, .strongFactorRequired),
        ]
    )
    func `whatever ends the finger's right for good, the PIN opens the wallet`(event: SimulatedEvent, code: ErrorCode)
        async throws
    {
        let app = try await Self.app()
        let half = try await app.half()
        try app.simulated.simulate(event)
        let refused = await refusal { try await half.touch() }
        #expect(refused == code)
        let shown = app.simulated.promptsShown
        try await half.give(FormerApp.pin)
        #expect(app.simulated.promptsShown == shown, "no finger can answer")
        #expect(try await half.mnemonics() == ["Former": FormerApp.words])
        #expect(await half.vault.snapshot.migration == .full)
        #expect(try !app.left.sealed)
        #expect(try half.contents().leftovers.isEmpty)
        await half.vault.close()
        let again = try await app.open()
        try await again.give(FormerApp.pin)
    }

    @Test(.holds("K-08", "A24")) func `a sensor that is locked out is no reason for a new key without a word`()
        async throws
    {
        let app = try await Self.app()
        let half = try await app.half()
        let key = try half.slot(.biometric).key
        try app.simulated.simulate(.lockout)
        #expect(await refusal { try await half.give(FormerApp.pin) } == .migrationNeedsBiometrics)
        #expect(await half.vault.snapshot.migration == .half)
        try app.simulated.simulate(.passcode)
        try await half.complete()
        #expect(try half.slot(.localSecret).key == key)

        let other = try await Self.app()
        let locked = try await other.half()
        try other.simulated.simulate(.lockout)
        try await locked.completeWithoutFinger()
        #expect(try await locked.mnemonics() == ["Former": FormerApp.words])
    }

    @Test func `a former PIN that our rules refuse completes with a better one`() async throws {
        let app = try await FormerApp(sealed: .weak, biometric: FormerApp.words)
        let half = try await app.half()
        #expect(await refusal { try await half.give(FormerApp.weakPIN) } == .secretTooCommon)
        #expect(await half.vault.snapshot.failedAttempts == 0)
        #expect(try app.left.sealed)
        try app.simulated.simulate(.finger(.match))
        try await half.vault.completeMigration(
            with: SecretBytes(text: FormerApp.weakPIN),
            newSecret: SecretBytes(text: TestVault.pin),
            prompt: FormerApp.prompt
        )
        #expect(await half.vault.snapshot.biometrics == .enabled)
        await half.vault.lock()
        try await half.strong()
        #expect(try await half.mnemonics() == ["Former": FormerApp.words])
    }

    @Test(.holds("A25")) func `while the store can't be read nothing is counted, made or erased`() async throws {
        let app = try await Self.app()
        let half = try await app.half()
        let items = try app.simulated.itemNames()
        try app.simulated.simulate(.lockDevice)
        #expect(await refusal { try await half.give(FormerApp.pin) } == .storageUnavailable)
        #expect(await refusal { try await half.touch() } == .storageUnavailable)
        try app.simulated.simulate(.unlockDevice)
        #expect(try app.simulated.itemNames() == items)
        #expect(try await half.look().failedAttempts == 0)
        try app.simulated.simulate(.fault(.readFails))
        #expect(await refusal { try await half.give(FormerApp.pin) } == .storageUnavailable)
        #expect(try await half.look().failedAttempts == 0)
        try await half.complete()
    }

    @Test(.holds("A25", "K-07"))
    func `what counted the guesses is damaged: the former PIN waits a day and opens, and only then that goes`()
        async throws
    {
        let app = try await Self.app()
        let half = try await app.half()
        let counting = try #require(half.contents().leftovers.first?.item)
        await half.vault.close()
        app.simulated.interceptor = { call throws(DeviceRefusal) in
            switch call {
            case .describe(counting), .evaluate(counting): throw .damaged
            default: return .proceed
            }
        }
        let damaged = try await app.open()
        #expect(await damaged.vault.snapshot.condition == .keyMissing)
        // It costs no less than before, and as often as it is damaged.
        #expect(await refusal { try await damaged.give(FormerApp.pin) } == .attemptDelayed)
        #expect(await refusal { try await damaged.touch() } != nil)
        #expect(try app.simulated.itemNames().contains(counting.text), "it stays")
        #expect(try app.left.sealed)
        // The wait runs on in the next process, which finds the count that was begun.
        await damaged.vault.close()
        let next = try await app.open()
        try app.simulated.simulate(.advance(.hours(24)))
        #expect(await refusal { try await next.give(FormerApp.wrongPIN) } == .strongFactorRefused)
        #expect(await refusal { try await next.give(FormerApp.pin) } == .attemptDelayed)
        #expect(try app.simulated.itemNames().contains(counting.text), "it stays")
        await next.vault.close()
        let last = try await app.open()
        try app.simulated.simulate(.advance(.hours(24)))
        try await last.completeWithoutFinger()
        #expect(try await last.mnemonics() == ["Former": FormerApp.words])
        #expect(try !app.simulated.itemNames().contains(counting.text), "what has committed has no use for it")
    }

    @Test(.holds("K-07")) func `what counted the guesses is gone: the finger opens no more, and the former PIN alone`()
        async throws
    {
        let app = try await Self.app()
        let half = try await app.half()
        try await app.simulated.delete(#require(half.contents().leftovers.first?.item))
        await half.vault.close()
        let lost = try await app.open()
        #expect(await refusal { try await lost.touch() } == .keyMissing)
        // From here on a ledger counts that names no head.
        #expect(await refusal { try await lost.give(FormerApp.wrongPIN) } == .strongFactorRefused)
        #expect(await refusal { try await lost.touch() } == .ledgerUnreliable)
        #expect(await refusal { try await lost.complete() } == .migrationNeedsBiometrics)
        try await lost.completeWithoutFinger()
        #expect(try await lost.mnemonics() == ["Former": FormerApp.words])
    }

    @Test(.holds("A19", "K-07")) func `a look that a full disk could not write down begins no count anew`() async throws
    {
        let app = try await Self.app()
        let half = try await app.half()
        for _ in 0..<2 { #expect(await refusal { try await half.give(FormerApp.wrongPIN) } == .strongFactorRefused) }
        await half.vault.close()
        let disk = FaultyDisk()
        let vault = try await Vault.open(
            in: app.path,
            device: app.device,
            configuration: app.configuration(vfs: disk.vfsName)
        )
        try app.simulated.simulate(.enroll)
        disk.arm(.full(from: 1))
        #expect(try await vault.refresh().condition == .diskFull)
        // There is room again once the former app's copy is read.
        app.simulated.interceptor = { call throws(DeviceRefusal) in
            if call == .read(FormerApp.sealedItem) { disk.disarm() }
            return .proceed
        }
        let wrong = await refusal {
            _ = try await vault.completeMigration(with: SecretBytes(text: FormerApp.wrongPIN))
        }
        #expect(wrong == .diskFull)
        disk.disarm()
        #expect(try await vault.refresh().failedAttempts == 2)
    }

    @Test func `where the former copy is gone the PIN says so, and the finger opens`() async throws {
        let app = try await Self.app()
        let half = try await app.half()
        try await app.simulated.delete(FormerApp.sealedItem)
        #expect(await refusal { try await half.give(FormerApp.pin) } == .legacyMissing)
        try await half.touch()
        #expect(try await half.mnemonics() == ["Former": FormerApp.words])
    }

    @Test func `without its former app a half migrated vault opens by finger alone`() async throws {
        let app = try await Self.app()
        let half = try await app.half()
        await half.vault.close()
        let vault = try await Vault.open(
            in: app.path,
            device: app.device,
            configuration: TestVault.configuration()
        )
        #expect(await refusal { try await vault.unlock(with: SecretBytes(text: FormerApp.pin)) } == .legacyMissing)
        try app.simulated.simulate(.finger(.match))
        try await vault.unlockWithBiometrics(FormerApp.prompt)
    }

    @Test(.holds("A27"))
    func `on another device the former PIN opens where its item came along, in a vault of its own key`()
        async throws
    {
        let app = try await FormerApp(sealed: nil, biometric: FormerApp.words)
        try app.simulated.simulate(.fault(.droppedDeviceOnly))
        try await app.store(FormerApp.Sealed.first.rawValue)
        let half = try await app.half()
        try app.simulated.simulate(.restoreElsewhere)
        #expect(await refusal { try await half.touch() } == .keyMissing)
        try await half.give(FormerApp.pin)
        #expect(try await half.mnemonics() == ["Former": FormerApp.words])
        #expect(try half.contents().leftovers.isEmpty)
        await half.vault.close()
        let again = try await app.open()
        try await again.give(FormerApp.pin)

        let other = try await Self.app()
        let lost = try await other.half()
        try other.simulated.simulate(.restoreElsewhere)
        #expect(await refusal { try await lost.give(FormerApp.pin) } == .legacyMissing)
    }

    @Test(.holds("A36"), arguments: [false, true])
    func `a lock wins at each await of a completion, and the wallet opens as before or after`(isOpen: Bool)
        async throws
    {
        var step = 1
        while true {
            let app = try await Self.app()
            try await app.half().vault.close()
            let race = Race()
            let watched = WatchedDevice(app.simulated) { _ in await race.reach() }
            let half = try await app.open(seenAs: watched.device)
            if isOpen { try await half.touch() } else { try app.simulated.simulate(.finger(.match)) }
            await race.start(at: step) { await RaceTests.lock(half.vault) }
            _ = await refusal { try await half.give(FormerApp.pin) }
            let (count, wasRun) = await race.stop()
            guard wasRun else { return #expect(step > 10 && count < step) }
            #expect(await !half.vault.holdsKey, "at \(step)")
            await half.vault.close()
            let again = try await app.open()
            // A touch that nobody came to is still to come.
            try await again.complete()
            #expect(try await again.mnemonics() == ["Former": FormerApp.words], "at \(step)")
            #expect(await again.vault.snapshot.migration == .full, "at \(step)")
            #expect(try again.contents().leftovers.isEmpty, "at \(step)")
            step += 1
        }
    }

    @Test(.holds("K-08")) func `a session that ends by itself while the PIN is counted costs nobody biometrics`()
        async throws
    {
        let app = try await Self.app()
        try await app.half().vault.close()
        let race = Race()
        let watched = WatchedDevice(app.simulated) { call in
            if case .anchorMove = call { await race.reach() }
        }
        let half = try await app.open(seenAs: watched.device)
        try await half.touch()
        await race.start(at: 1) {
            try? app.simulated.simulate(.advance(.minutes(6)))
            await half.vault.lockIfIdle()
        }
        #expect(await refusal { try await half.give(FormerApp.pin) } == .locked)
        #expect(await race.stop().wasRun)
        await half.vault.close()
        let again = try await app.open()
        var snapshot = await again.vault.snapshot
        #expect(snapshot.biometrics == .enabled && snapshot.migration == .half)
        try await again.touch()
        try await again.give(FormerApp.pin)
        snapshot = await again.vault.snapshot
        #expect(snapshot.biometrics == .enabled && snapshot.migration == .full)
        #expect(try await again.mnemonics() == ["Former": FormerApp.words])
    }
}

extension TestVault {
    fileprivate func enableBiometrics(by pin: String) async throws {
        try await vault.enableBiometrics(consent, try await give(pin))
    }
}
