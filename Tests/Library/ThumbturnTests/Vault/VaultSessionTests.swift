import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

@Suite struct VaultSessionTests {
    @Test(.holds("C17"))
    func `a wallet's session stays through exactly five idle minutes, and locks a millisecond later`()
        async throws
    {
        let made = try await TestVault.make()
        try made.advance(.minutes(5))
        await made.vault.lockIfIdle()
        #expect(await made.isOpen)
        try made.advance(Milliseconds(1))
        await made.vault.lockIfIdle()
        #expect(await made.state == .locked)
        #expect(await !made.vault.holdsKey)
    }

    @Test(.holds("K-02")) func `a call to a session that went stale locks it, without waiting for the timer`()
        async throws
    {
        let made = try await TestVault.make()
        try made.advance(.minutes(5))
        _ = try await made.vault.wallets()
        try made.advance(.minutes(5) + Milliseconds(1))
        #expect(await refusal { try await made.vault.wallets() } == .locked)
        #expect(await made.state == .locked)
    }

    @Test func `use keeps a session open`() async throws {
        let made = try await TestVault.make()
        for _ in 0..<10 {
            try made.advance(.minutes(4))
            _ = try await made.vault.wallets()
        }
        #expect(await made.isOpen)
    }

    @Test(.holds("C18", "INV-107-09", "F-107-08"))
    func `thirty idle minutes prompt, a millisecond more is ERR-107-070`() async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        try made.advance(.minutes(30))
        try await made.touch()
        await made.vault.lock()
        try made.advance(.minutes(30) + Milliseconds(1))
        let shown = made.simulated.promptsShown
        #expect(await refusal { try await made.touch() } == .sessionExpired)
        #expect(ErrorCode.sessionExpired.text == "ERR-107-070" && made.simulated.promptsShown == shown)
        try await made.strong()
        await made.vault.lock()
        try await made.vault.unlockWithBiometrics(TestVault.words)
    }

    @Test(.holds("C18")) func `idle time counts from the last use of a session, not from its unlock`() async throws {
        let made = try await TestVault.make(biometrics: true)
        for _ in 0..<9 {
            try made.advance(.minutes(4))
            _ = try await made.vault.wallets()
        }
        await made.vault.lock()
        try made.advance(.minutes(29))
        try await made.touch()
    }

    @Test(.holds("C18")) func `a session that a call found stale was last used when it was, too`() async throws {
        let made = try await TestVault.make(biometrics: true)
        for _ in 0..<9 {
            try made.advance(.minutes(4))
            _ = try await made.vault.wallets()
        }
        try made.advance(.minutes(6))
        #expect(await refusal { try await made.vault.wallets() } == .locked)
        try await made.touch()
    }

    @Test func `an open session is no finger: each call asks, and only a match answers`() async throws {
        let made = try await TestVault.make(biometrics: true)
        #expect(await made.isOpen)
        for (touch, code) in [
            (SimulatedTouch.cancel, ErrorCode.promptCancelled), (.mismatch, .biometricsNotRecognised),
            (.mismatchThenCancel, .biometricsNotRecognised), (.fallback, .strongFactorRequired),
        ] {
            let shown = made.simulated.promptsShown
            #expect(await refusal { try await made.touch(touch) } == code)
            #expect(made.simulated.promptsShown == shown + 1)
            #expect(await made.isOpen, "\(touch) ends no session")
        }
        #expect(try await made.look().failedBiometricAttempts == 2)
        let shown = made.simulated.promptsShown
        try await made.touch()
        #expect(made.simulated.promptsShown == shown + 1)
        #expect(try await made.look().failedBiometricAttempts == 0)
        for _ in 1...3 { #expect(await refusal { try await made.touch(.mismatch) } == .biometricsNotRecognised) }
        #expect(await refusal { try await made.touch() } == .strongFactorRequired, "three ask for the PIN here too")
        #expect(await made.isOpen && made.simulated.promptsShown == shown + 4)
    }

    @Test func `in an open session without biometrics a finger is refused, and nothing is shown`() async throws {
        let made = try await TestVault.make()
        #expect(await refusal { try await made.touch() } == .strongFactorRequired)
        #expect(await made.isOpen && made.simulated.promptsShown == 0)
    }

    @Test(.holds("A61")) func `what a finger vouched for lends a secret once, within 60 s and in its own session`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        let wallet = try await made.add("Savings")
        func finger() async throws -> BiometricAuthorization {
            try made.simulated.simulate(.finger(.match))
            return try await made.vault.unlockWithBiometrics(TestVault.words)
        }
        func lend(_ finger: consuming BiometricAuthorization) async -> ErrorCode? {
            do {
                let text = try await made.vault.withSecret(of: wallet.id, finger) { _, bytes in bytes.exposedText }
                #expect(text == "a secret of many words")
                return nil
            } catch {
                return (error as? VaultError)?.code
            }
        }
        #expect(try await lend(finger()) == nil)
        let last = try await finger()
        try made.advance(.seconds(60))
        #expect(await lend(last) == nil)
        let old = try await finger()
        try made.advance(.seconds(60) + Milliseconds(1))
        #expect(await lend(old) == .authorizationExpired)
        let former = try await finger()
        await made.vault.lock()
        try await made.strong()
        #expect(await lend(former) == .authorizationExpired)
    }

    @Test(.holds("C18", "INV-107-01")) func `a cold start may prompt, a reboot demands the strong factor`() async throws
    {
        let made = try await TestVault.make(biometrics: true)
        let restarted = try await made.restarted()
        try await restarted.touch()
        try made.simulated.simulate(.reboot)
        let rebooted = try await restarted.restarted()
        #expect(await rebooted.vault.snapshot.decision == .requireStrongFactor(.rebooted))
        #expect(await refusal { try await rebooted.touch() } == .sessionExpired)
        try await rebooted.strong()
        await rebooted.vault.lock()
        try await rebooted.vault.unlockWithBiometrics(TestVault.words)
    }

    @Test(.holds("INV-107-01")) func `after 72 hours the finger needs the PIN again, however much the vault was used`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        for _ in 0..<(72 * 4) {
            await made.vault.lock()
            try made.advance(.minutes(15))
            try await made.touch()
        }
        await made.vault.lock()
        try made.advance(.minutes(1))
        #expect(await refusal { try await made.touch() } == .sessionExpired)
        #expect(await made.vault.snapshot.decision == .requireStrongFactor(.strongFactorAged))
    }

    @Test(.holds("C17")) func `in the background a wallet is covered and stays open, an account's vault locks`()
        async throws
    {
        let wallet = try await TestVault.make()
        await wallet.vault.enterBackground()
        var snapshot = await wallet.vault.snapshot
        #expect(snapshot.isCovered && snapshot.state == .unlocked(.full))
        try await wallet.vault.enterForeground()
        #expect(await !wallet.vault.snapshot.isCovered)

        let account = try await TestVault.make(policy: .localPD107)
        await account.vault.enterBackground()
        snapshot = await account.vault.snapshot
        #expect(snapshot.isCovered && snapshot.state == .locked)
        #expect(await !account.vault.holdsKey)
    }

    @Test(.holds("INV-107-09")) func `under PD-107's rules a session stays for thirty minutes and not longer`()
        async throws
    {
        let made = try await TestVault.make(policy: .localPD107)
        try made.advance(.minutes(30))
        await made.vault.lockIfIdle()
        #expect(await made.isOpen)
        try made.advance(Milliseconds(1))
        await made.vault.lockIfIdle()
        #expect(await made.state == .locked)
    }

    @Test(.holds("F-107-09")) func `while no server was ever heard, PD-107's finger is ERR-107-080`() async throws {
        let made = try await TestVault.make(policy: .localPD107, biometrics: true)
        await made.vault.lock()
        #expect(await refusal { try await made.touch() } == .securityEventMissing)
        #expect(ErrorCode.securityEventMissing.text == "ERR-107-080" && made.simulated.promptsShown == 0)
    }

    @Test(.holds("P-107-01")) func `under PD-107's rules the recovery key exports and opens nothing fully`()
        async throws
    {
        let made = try await TestVault.make(policy: .localPD107, biometrics: true)
        let wallet = try await made.add("Savings")
        let key = try await made.makeRecoveryKey()
        await made.vault.lock()
        let authorization = try await made.vault.unlock(withRecoveryKey: SecretBytes(text: key))
        #expect(await made.state == .unlocked(.exportOnly))
        let text = try await made.vault.exportWallet(wallet.id, authorization) { _, bytes in bytes.exposedText }
        #expect(text == "a secret of many words")
        #expect(await refusal { try await made.add("Another") } == .exportOnly)
        let code = await refusal {
            try await made.vault.recover(with: SecretBytes(text: key), newSecret: SecretBytes(text: "840275"))
        }
        #expect(code == .exportOnly)
        let enabling = await refusal {
            let authorization = try await made.vault.unlock(withRecoveryKey: SecretBytes(text: key))
            try await made.vault.enableBiometrics(made.consent, authorization)
        }
        #expect(enabling == .exportOnly)
    }

    @Test(.holds("INV-107-08", "F-107-06"))
    func `three failed prompts demand the strong factor, and only its success forgives`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        for _ in 1...3 { #expect(await refusal { try await made.touch(.mismatch) } == .biometricsNotRecognised) }
        #expect(ErrorCode.biometricsNotRecognised.text == "ERR-107-030")
        #expect(made.log.count(.biometricFailure) == 3)
        #expect(await made.state == .requiresStrongFactor(.tooManyMismatches))
        let restarted = try await made.restarted()
        #expect(await refusal { try await restarted.touch() } == .strongFactorRequired)
        #expect(await refusal { try await restarted.guess() } == .strongFactorRefused)
        #expect(await refusal { try await restarted.touch() } == .strongFactorRequired)
        #expect(made.simulated.promptsShown == 3)
        try await restarted.strong()
        await restarted.vault.lock()
        try await restarted.vault.unlockWithBiometrics(TestVault.words)
        #expect(restarted.log.kinds.last == .biometricSuccess)
    }

    @Test(.holds("C7")) func `a cancel counts none, after a mismatch one, and the system's lockout demands at once`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        for _ in 1...4 { #expect(await refusal { try await made.touch(.cancel) } == .promptCancelled) }
        #expect(ErrorCode.promptCancelled.text == "ERR-107-031")
        #expect(try await made.look().failedBiometricAttempts == 0)
        #expect(await refusal { try await made.touch(.mismatchThenCancel) } == .biometricsNotRecognised)
        #expect(try await made.look().failedBiometricAttempts == 1)
        try made.simulated.simulate(.lockout)
        #expect(await refusal { try await made.touch() } == .strongFactorRequired)
        try made.simulated.simulate(.passcode)
        #expect(
            await refusal { try await made.touch() } == .strongFactorRequired,
            "the system's passcode ends its lockout, not ours"
        )
        try await made.strong()
        await made.vault.lock()
        try await made.vault.unlockWithBiometrics(TestVault.words)
    }

    @Test(.holds("F-107-06")) func `choosing the PIN on the prompt counts nothing`() async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        #expect(await refusal { try await made.touch(.fallback) } == .strongFactorRequired)
        #expect(await made.state == .requiresStrongFactor(.fallbackChosen))
        #expect(try await made.look().failedBiometricAttempts == 0)
    }
}

extension VaultPolicy {
    /// PD-107's rules as far as a device goes by itself: its password is a local one.
    static let localPD107: VaultPolicy = {
        var policy = VaultPolicy.pd107.allowing(.simulated)
        policy.strongFactor = .localSecret
        return policy
    }()
}
