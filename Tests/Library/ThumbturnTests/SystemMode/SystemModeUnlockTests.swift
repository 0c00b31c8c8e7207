import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

@Suite struct SystemModeUnlockTests {
    @Test(.holds("S-06"), arguments: [SimulatedTouch.match, .passcode])
    func `a finger or the device's passcode opens, in one prompt`(touch: SimulatedTouch) async throws {
        let (made, _, wallet) = try await TestVault.inSystemMode()
        await made.vault.lock()
        let before = made.simulated.promptsShown
        try await made.system(touch)
        #expect(await made.isOpen)
        #expect(made.simulated.promptsShown == before + 1 && made.log.count(.systemSuccess) == 1)
        #expect(try await made.secret(of: wallet.id) == "a secret of many words")
    }

    @Test(.holds("S-06")) func `a year idle, a reboot, a clock set back and a lockout demand nothing of ours`()
        async throws
    {
        let (made, _, _) = try await TestVault.inSystemMode()
        let happenings: [SimulatedEvent] = [
            .advance(.days(365)), .reboot, .clock(.days(-900)), .clock(.days(2_000)), .reinstall, .lockout,
        ]
        for event in happenings {
            await made.vault.lock()
            try made.simulated.simulate(event)
            try await made.system(.passcode)
            #expect(await made.isOpen, "\(event)")
        }
    }

    @Test(.holds("C2")) func `a finger that is added changes nothing here, which the warning said`() async throws {
        let (made, _, _) = try await TestVault.inSystemMode()
        await made.vault.lock()
        try made.simulated.simulate(.enroll)
        try await made.system()
        #expect(await made.isOpen)
        #expect(SystemModeWarning.enabling.sentences(in: .english).contains { $0.contains("enrolled") })
    }

    @Test(.holds("S-06"), arguments: [SimulatedTouch.cancel, .mismatch, .mismatchThenCancel, .fallback])
    func `without its owner the vault stays closed until it is opened anew, and shows no second prompt`(
        touch: SimulatedTouch
    ) async throws {
        let (made, key, _) = try await TestVault.inSystemMode()
        await made.vault.lock()
        let rows = try made.rows()
        let before = made.simulated.promptsShown
        #expect(await refusal { try await made.system(touch) } == .systemPromptEnded)
        #expect(await made.vault.snapshot.state == .closedUntilReopened)
        for _ in 1...2 {
            #expect(await refusal { try await made.vault.unlockWithSystem(TestVault.words) } == .systemPromptEnded)
            await made.vault.lock()
            await made.vault.enterBackground()
            try await made.vault.enterForeground()
        }
        #expect(made.simulated.promptsShown == before + 1)
        #expect(await made.state == .closedUntilReopened)
        #expect(await refusal { try await made.strong() } == .systemModeOnly)
        // Nothing was counted, and nothing of it outlives the app.
        #expect(try made.rows() == rows)
        let again = try await made.restarted()
        #expect(await again.state == .locked)
        try await again.system()
        #expect(await again.isOpen)
        // The recovery key opens also what is closed.
        await again.vault.lock()
        #expect(await refusal { try await again.system(.cancel) } == .systemPromptEnded)
        try await again.vault.unlock(withRecoveryKey: SecretBytes(text: key))
        #expect(await again.isOpen)
    }

    @Test(.holds("S-06")) func `after too many strangers the device's passcode opens`() async throws {
        let (made, _, _) = try await TestVault.inSystemMode()
        await made.vault.close()
        for _ in 1...7 {
            let again = try await made.reopened()
            #expect(await refusal { try await again.system(.mismatch) } == .systemPromptEnded)
            await again.vault.close()
        }
        #expect(await made.simulated.capability().reasonIfUnavailable == .lockedOut)
        let again = try await made.reopened()
        let snapshot = try await again.look()
        #expect(snapshot.failedBiometricAttempts == 0 && snapshot.decision == .promptSystem)
        try await again.system(.passcode)
    }

    @Test(.holds("A19", "C16")) func `a device that can't answer is tried again and closes nothing`() async throws {
        let (made, _, _) = try await TestVault.inSystemMode()
        await made.vault.lock()
        for fault in [
            SimulatedFault.readFails, .describeFails, .prewarm, .sensorBusy, .readerBusy, .readerBroken, .readerSilent,
        ] {
            try made.simulated.simulate(.fault(fault))
            #expect([.storageUnavailable, nil].contains(await refusal { try await made.system() }), "\(fault)")
            #expect(await made.vault.snapshot.state != .closedUntilReopened)
            await made.vault.lock()
        }
        try made.simulated.simulate(.lockDevice)
        #expect(await refusal { try await made.system() } == .storageUnavailable)
        try made.simulated.simulate(.unlockDevice)
        try await made.system()
        #expect(await made.isOpen)
        #expect(made.log.count(.systemFailure) == 0)
    }

    @Test(.holds("A29", "A30")) func `a prompt that claims success without the secret opens nothing`() async throws {
        let (made, _, _) = try await TestVault.inSystemMode()
        await made.vault.lock()
        try made.simulated.simulate(.fault(.emptySuccess))
        #expect(await refusal { try await made.vault.unlockWithSystem(TestVault.words) } == .systemPromptEnded)
        #expect(await !made.vault.holdsKey)
        #expect(made.log.count(.systemSuccess) == 0)
    }

    @Test(.holds("C3")) func `in system mode every call for a PIN or a finger is refused by name, and asks nobody`()
        async throws
    {
        let (made, _, _) = try await TestVault.inSystemMode(biometrics: true)
        let before = made.simulated.promptsShown
        let authorizations = [Held(try await made.system()), Held(try await made.system())]
        #expect(await refusal { try await made.strong() } == .systemModeOnly)
        #expect(await refusal { try await made.open(with: "") } == .systemModeOnly)
        #expect(await refusal { try await made.vault.unlockWithBiometrics(TestVault.words) } == .systemModeOnly)
        #expect(
            await refusal {
                try await made.vault.changeLocalSecret(
                    to: SecretBytes(text: TestVault.newPIN),
                    authorizations[0].take()
                )
            } == .systemModeOnly
        )
        #expect(
            await refusal { try await made.vault.enableBiometrics(made.consent, authorizations[1].take()) }
                == .systemModeOnly
        )
        #expect(
            await refusal {
                try await made.vault.enableBiometrics(made.consent, with: SecretBytes(text: TestVault.pin))
            }
                == .systemModeOnly
        )
        #expect(made.simulated.promptsShown == before + 2)
        #expect(await made.isOpen, "no refusal ended the session")
        await made.vault.lock()
        #expect(await refusal { try await made.strong() } == .systemModeOnly)
        #expect(await made.state == .locked, "no PIN screen")
    }

    @Test(.holds("S-06")) func `in a vault with a PIN the system opens nothing`() async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        #expect(await refusal { try await made.system(.passcode) } == .systemModeOff)
        #expect(await refusal { try await made.confirmExit() } == .systemModeOff)
        #expect(made.simulated.promptsShown == 0)
        #expect(await made.state == .locked)
    }

    @Test(.holds("S-06")) func `what could cost coins takes the system's word of the last sixty seconds`() async throws
    {
        let (made, _, wallet) = try await TestVault.inSystemMode()
        let old = Held(try await made.system())
        try made.advance(.seconds(60) + Milliseconds(1))
        #expect(
            await refusal { try await made.vault.exportWallet(wallet.id, old.take()) { _, _ in } }
                == .authorizationExpired
        )
        let exported = try await made.vault.exportWallet(wallet.id, try await made.system()) { _, bytes in
            bytes.exposedText
        }
        #expect(exported == "a secret of many words")
        try await made.vault.deleteWallet(wallet.id, try await made.system())
        #expect(try await made.vault.wallets().isEmpty)
    }

    @Test(.holds("S-06")) func `a cancel in an open session leaves it, and proves nothing`() async throws {
        let (made, _, wallet) = try await TestVault.inSystemMode()
        #expect(await refusal { try await made.system(.cancel) } == .systemPromptEnded)
        #expect(await made.isOpen)
        #expect(try await made.secret(of: wallet.id) == "a secret of many words")
        try await made.system()
    }

    @Test(.holds("K-02")) func `an idle session locks in system mode too, and the system opens it again`() async throws
    {
        let (made, _, _) = try await TestVault.inSystemMode()
        try made.advance(.minutes(5) + Milliseconds(1))
        await made.vault.lockIfIdle()
        #expect(await !made.vault.holdsKey)
        #expect(await refusal { try await made.add("Late") } == .locked)
        try await made.system()
        try await made.add("Later")
    }

    @Test(.holds("A36")) func `a lock that comes while the prompt is up has won`() async throws {
        let simulated = SimulatedDevice()
        let (made, _, _) = try await TestVault.inSystemMode(on: simulated)
        await made.vault.close()
        let late = Shared<Vault?>(nil)
        let watched = WatchedDevice(simulated) { call in
            if case .read = call { await late.value?.lock() }
        }
        let again = try await made.reopened(seenAs: watched.device)
        late.value = again.vault
        #expect(await refusal { try await again.system() } == .locked)
        #expect(await !again.vault.holdsKey)
        late.value = nil
        #expect(await again.state == .locked)
        try await again.system()
    }

    @Test(.holds("A38")) func `another process that leaves the mode while the prompt is up leaves this one locked`()
        async throws
    {
        let simulated = SimulatedDevice()
        let (made, key, _) = try await TestVault.inSystemMode(on: simulated)
        await made.vault.lock()
        let other = made
        let watched = WatchedDevice(simulated) { call in
            guard case .read = call else { return }
            _ = try? await other.vault.recover(
                with: SecretBytes(text: key),
                newSecret: SecretBytes(text: TestVault.newPIN)
            )
        }
        let again = try await made.reopened(seenAs: watched.device)
        #expect(await refusal { try await again.system() } == .locked)
        #expect(await !again.vault.holdsKey)
        #expect(await again.vault.snapshot.mode == .local)
        try await again.open(with: TestVault.newPIN)
        #expect(await again.isOpen)
    }

    @Test func `a head that was changed opens for export alone, and the mode can't be left`() async throws {
        let (made, _, wallet) = try await TestVault.inSystemMode()
        await made.vault.close()
        let stored = try #require(try made.contents().head)
        var head = try Head(parsing: stored.body)
        head.policy.locksInBackground = true
        let body = head.bytes
        try made.tamper { try $0.setHead(VaultStore.TaggedRow(body: body, mac: stored.mac)) }
        let again = try await made.reopened()
        let exit = Held(try await again.confirmExit())
        #expect(await again.state == .unlocked(.exportOnly))
        #expect(again.log.count(.vaultTampered) == 1)
        let code = await refusal {
            try await again.vault.disableSystemAuthentication(
                exit.take(),
                newSecret: SecretBytes(text: TestVault.newPIN)
            )
        }
        #expect(code == .exportOnly)
        #expect(try await again.secret(of: wallet.id) == "a secret of many words")
    }
}
