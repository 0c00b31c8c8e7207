import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

@Suite struct SystemModeLeavingTests {
    @Test(.holds("S-05"))
    func `consent, the system's prompt, a new PIN: the vault is locked, and the new PIN alone opens`()
        async throws
    {
        let (made, _, wallet) = try await TestVault.inSystemMode()
        let key = try #require(try made.slot(.system).item)
        let exit = Held(try await made.confirmExit())
        try await made.vault.disableSystemAuthentication(exit.take(), newSecret: SecretBytes(text: TestVault.newPIN))
        #expect(await made.state == .locked)
        #expect(await !made.vault.holdsKey)
        #expect(made.log.count(.systemDisabled) == 1)
        #expect(try await made.simulated.describe(key) == nil)
        #expect(await refusal { try await made.system() } == .systemModeOff)
        #expect(await refusal { try await made.strong() } == .strongFactorRefused)
        try await made.open(with: TestVault.newPIN)
        #expect(try await made.secret(of: wallet.id) == "a secret of many words")
        let snapshot = try await made.look()
        #expect(snapshot.mode == .local && snapshot.ledgerIsReliable && snapshot.failedAttempts == 0)
    }

    @Test(.holds("S-05"))
    func `after it the vault is one like any other: biometrics, a new PIN, tries that are counted`()
        async throws
    {
        let (made, _, _) = try await TestVault.inSystemMode()
        try await made.disableSystem(to: TestVault.pin)
        try await made.enableBiometrics()
        await made.vault.lock()
        try await made.touch()
        await made.vault.lock()
        for number in 1...4 { _ = await refusal { try await made.guess(number) } }
        #expect(await refusal { try await made.strong() } == .attemptDelayed)
        let again = try await made.restarted()
        #expect(await again.vault.snapshot.failedAttempts == 4)
    }

    @Test(.holds("S-05", "C15"))
    func `an open session is not enough: leaving asks for a prompt of its own, in its own minute`()
        async throws
    {
        let (made, _, _) = try await TestVault.inSystemMode()
        let before = made.simulated.promptsShown
        #expect(await refusal { try await made.confirmExit(.cancel) } == .systemPromptEnded)
        #expect(await refusal { try await made.confirmExit(.mismatch) } == .systemPromptEnded)
        #expect(made.simulated.promptsShown == before + 2)
        let leave = { (exit: Held<SystemModeExit>) in
            try await made.vault.disableSystemAuthentication(
                exit.take(),
                newSecret: SecretBytes(text: TestVault.newPIN)
            )
        }
        let old = Held(try await made.confirmExit())
        try made.advance(.seconds(60) + Milliseconds(1))
        #expect(await refusal { try await leave(old) } == .authorizationExpired)
        let former = Held(try await made.confirmExit())
        await made.vault.lock()
        #expect(await refusal { try await leave(former) } == .locked)
        try await made.system()
        let foreign = Held(try await TestVault.inSystemMode().made.confirmExit())
        #expect(await refusal { try await leave(foreign) } == .authorizationExpired)
        #expect(try await made.look().mode == .system)
        try await leave(Held(try await made.confirmExit()))
    }

    @Test(.holds("S-05")) func `it asks for consent to its own warning before it prompts`() async throws {
        let (made, _, _) = try await TestVault.inSystemMode()
        let before = made.simulated.promptsShown
        let code = await refusal {
            try await made.vault.confirmSystemExit(made.consent(to: .enabling), TestVault.words)
        }
        #expect(code == .consentMissing && made.simulated.promptsShown == before)
    }

    @Test(
        .holds("S-05", "A59"),
        arguments: [("12345", ErrorCode.secretTooShort), ("123456", .secretTooCommon), ("", .secretTooShort)]
    )
    func `a weak new PIN is refused, and nothing changed`(pin: String, code: ErrorCode) async throws {
        let (made, _, _) = try await TestVault.inSystemMode()
        let rows = try made.rows()
        #expect(await refusal { try await made.disableSystem(to: pin) } == code)
        #expect(try made.rows() == rows && made.held == ["system"])
        #expect(await made.isOpen)
        try await made.system()
    }

    @Test(.holds("S-07")) func `a closed vault in system mode is reset by the typed word, and a new one made`()
        async throws
    {
        let (made, _, _) = try await TestVault.inSystemMode()
        await made.vault.lock()
        _ = await refusal { try await made.system(.cancel) }
        try await made.vault.reset(ResetConfirmation(typed: "RESET"))
        #expect(try made.held.isEmpty && made.wallets().isEmpty && made.contents().leftovers.isEmpty)
        await made.vault.close()
        #expect(await refusal { try await made.reopened() } == .vaultMissing)
        let creation = try await Vault.create(
            in: made.path,
            device: made.device,
            secret: SecretBytes(text: TestVault.newPIN),
            policy: TestVault.policy,
            configuration: TestVault.configuration()
        )
        #expect(try await creation.vault.refresh().mode == .local)
    }

    @Test(.holds("S-07")) func `a reset that the device interrupts is completed at the next start`() async throws {
        let (made, _, _) = try await TestVault.inSystemMode()
        try made.simulated.simulate(.fault(.deleteFails))
        #expect(await refusal { try await made.vault.reset(ResetConfirmation(typed: "RESET")) } == .resetPending)
        await made.vault.close()
        #expect(await refusal { try await made.reopened() } == .vaultMissing)
        #expect(try made.held.isEmpty)
    }

    @Test(.holds("A26")) func `with the device's passcode its key goes, and the recovery key makes a PIN`() async throws
    {
        let (made, key, wallet) = try await TestVault.inSystemMode()
        await made.vault.lock()
        for event in [SimulatedEvent.passcodeOff, .passcodeOn] { try made.simulated.simulate(event) }
        #expect(await refusal { try await made.system() } == .keyMissing)
        #expect(await made.vault.snapshot.condition == .keyMissing)
        #expect(await refusal { try await made.strong() } == .keyMissing)
        #expect(await made.vault.snapshot.state != .closedUntilReopened)
        try await made.vault.recover(with: SecretBytes(text: key), newSecret: SecretBytes(text: TestVault.newPIN))
        #expect(try await made.secret(of: wallet.id) == "a secret of many words")
        #expect(try made.held == TestVault.heldByPIN)
        #expect(try await made.look().mode == .local)
        await made.vault.lock()
        try await made.open(with: TestVault.newPIN)
    }

    @Test(.holds("A26")) func `the files on another device, and on one of another kind`() async throws {
        let (made, key, wallet) = try await TestVault.inSystemMode()
        try made.simulated.simulate(.restoreElsewhere)
        let again = try await made.restarted()
        #expect(await refusal { try await again.system() } == .keyMissing)
        try await again.vault.recover(with: SecretBytes(text: key), newSecret: SecretBytes(text: TestVault.newPIN))
        #expect(try await again.secret(of: wallet.id) == "a secret of many words")
        let (other, _, _) = try await TestVault.inSystemMode()
        let foreign = Device(
            kind: .linux,
            store: other.simulated,
            prompt: other.simulated,
            anchor: other.simulated,
            clock: other.device.clock,
            installation: other.device.installation
        )
        #expect(await refusal { try await other.reopened(seenAs: foreign) } == .deviceMismatch)
    }

    @Test(.holds("K-10")) func `the last way in that the system can't take away stays, and can be renewed`()
        async throws
    {
        let (made, old, _) = try await TestVault.inSystemMode()
        #expect(
            await refusal { try await made.vault.removeRecoveryKey(try await made.system()) } == .recoveryKeyRequired
        )
        let new = try await made.vault.createRecoveryKey(try await made.system()) { $0.exposedText }
        try await made.vault.confirmRecoveryKey(SecretBytes(text: new), made.system())
        await made.vault.lock()
        #expect(await refusal { try await made.open(with: old) } == .systemModeOnly)
        #expect(
            await refusal { try await made.vault.unlock(withRecoveryKey: SecretBytes(text: old)) }
                == .strongFactorRefused
        )
        try await made.vault.unlock(withRecoveryKey: SecretBytes(text: new))
        #expect(await made.isOpen)
        #expect(try await made.look().mode == .system, "opening is not leaving")
    }

    @Test(.holds("B-12")) func `a backup of system mode holds nothing of the device, and becomes a vault with a PIN`()
        async throws
    {
        let (made, key, wallet) = try await TestVault.inSystemMode()
        let path = made.folder.file("backup")
        try await made.vault.backUp(to: path, try await made.system())
        let restored = try await Vault.restore(
            from: path,
            in: made.folder.file("restored"),
            device: SimulatedDevice().device,
            recoveryKey: SecretBytes(text: key),
            newSecret: SecretBytes(text: TestVault.newPIN),
            configuration: TestVault.configuration()
        )
        #expect(await restored.snapshot.mode == .local)
        #expect(try await restored.wallets() == [wallet])
    }

    @Test(.holds("A61")) func `what was given in a mode that another process has left is worth nothing`() async throws {
        let (made, key, wallet) = try await TestVault.inSystemMode()
        let given = [Held(try await made.system()), Held(try await made.system())]
        let exit = Held(try await made.confirmExit())
        let other = try await made.reopened()
        try await other.vault.recover(with: SecretBytes(text: key), newSecret: SecretBytes(text: TestVault.newPIN))
        await other.vault.close()
        let pin = SecretBytes(text: "730915")
        #expect(
            await refusal { try await made.vault.changeLocalSecret(to: pin, given[0].take()) } == .authorizationExpired
        )
        #expect(
            await refusal { try await made.vault.deleteWallet(wallet.id, given[1].take()) } == .authorizationExpired
        )
        #expect(
            await refusal { try await made.vault.disableSystemAuthentication(exit.take(), newSecret: pin) }
                == .systemModeOff
        )
        #expect(try await made.vault.wallets() == [wallet], "the session itself goes on")
    }
}
