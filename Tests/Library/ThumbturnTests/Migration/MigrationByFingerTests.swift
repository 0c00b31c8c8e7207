import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// Path B: a finger makes the vault, and it is half migrated.
@Suite struct MigrationByFingerTests {
    @Test(.holds("K-07")) func `one prompt makes a vault that biometrics alone open; only the raw mnemonic goes`()
        async throws
    {
        let app = try await FormerApp(biometric: FormerApp.words)
        let made = try await app.migrateByFinger()
        #expect(made.erasureFailure == nil && app.simulated.promptsShown == 1)
        let snapshot = await made.vault.snapshot
        #expect(snapshot.migration == .half && snapshot.slots.map(\.kind) == [.biometric])
        #expect(snapshot.condition == .ready && snapshot.biometrics == .enabled)
        #expect(try app.left == (true, false))
        #expect(app.log.kinds == [.migrationBegan, .biometricSuccess])
        await made.vault.close()

        let again = try await app.open()
        try await again.touch()
        #expect(try await again.mnemonics() == ["Former": FormerApp.words])
        #expect(await again.vault.snapshot.migration == .half)
    }

    @Test(.holds("K-10")) func `without anything under a PIN, a first PIN comes along or nothing happens`() async throws
    {
        let app = try await FormerApp(sealed: nil, biometric: FormerApp.words)
        #expect(await refusal { try await app.migrateByFinger(nil) } == .migrationIncomplete)
        #expect(app.simulated.promptsShown == 0)
        #expect(await refusal { try await app.migrateByFinger(nil, newPIN: FormerApp.weakPIN) } == .secretTooCommon)
        let made = try await app.migrateByFinger(newPIN: TestVault.pin)
        let snapshot = await made.vault.snapshot
        #expect(made.erasureFailure == nil && snapshot.migration == .full)
        #expect(Set(snapshot.slots.map(\.kind)) == [.localSecret, .biometric])
        #expect(try app.left == (false, false))
        await made.vault.close()
        let again = try await app.open()
        try await again.strong()
        #expect(try await again.mnemonics() == ["Former": FormerApp.words])
        await again.vault.lock()
        try await again.touch()
    }

    @Test(.holds("C15")) func `a finger sets no new PIN where there is one`() async throws {
        let app = try await FormerApp(biometric: FormerApp.words)
        let made = try await app.migrateByFinger(newPIN: TestVault.pin)
        #expect(await made.vault.snapshot.migration == .half)
        await made.vault.close()
        let again = try await app.open()
        #expect(await refusal { try await again.strong() } == .strongFactorRefused)
    }

    @Test func `a PIN that lies behind biometrics completes the takeover at once`() async throws {
        let app = try await FormerApp(biometric: FormerApp.pin, holding: .pin)
        let made = try await app.migrateByFinger()
        #expect(made.erasureFailure == nil)
        #expect(await made.vault.snapshot.migration == .full)
        #expect(try app.left == (false, false))
        await made.vault.close()
        let again = try await app.open()
        try await again.give(FormerApp.pin)
        await again.vault.lock()
        try await again.touch()
        #expect(try await again.mnemonics() == ["Former": FormerApp.words])
    }

    @Test func `a PIN behind biometrics that our rules refuse leaves the vault half migrated`() async throws {
        let app = try await FormerApp(sealed: .weak, biometric: FormerApp.weakPIN, holding: .pin)
        let made = try await app.migrateByFinger()
        #expect(await made.vault.snapshot.migration == .half)
        #expect(try app.left == (true, false))
    }

    @Test func `a PIN behind biometrics that opens nothing changes nothing`() async throws {
        let app = try await FormerApp(biometric: FormerApp.wrongPIN, holding: .pin)
        #expect(await refusal { try await app.migrateByFinger() } == .legacySecretRefused)
        #expect(try app.left == (true, true))
        #expect(await refusal { try await app.open() } == .vaultMissing)
        let nothing = try await FormerApp(sealed: nil, biometric: FormerApp.pin, holding: .pin)
        #expect(await refusal { try await nothing.migrateByFinger(nil) } == .legacyMissing)
    }

    @Test(arguments: [
        ("these words are not in the list at all of them none no", ErrorCode.legacyMalformed),
        ("legal winner thank year wave sausage worth useful legal winner thank thank", .legacyChecksumWrong),
    ])
    func `what is behind biometrics and no mnemonic is refused and kept`(words: String, code: ErrorCode) async throws {
        let app = try await FormerApp(biometric: words)
        #expect(await refusal { try await app.migrateByFinger() } == code)
        #expect(try app.left == (true, true))
        #expect(await refusal { try await app.open() } == .vaultMissing)
        try await app.migrate()
    }

    @Test func `failed prompts are counted before there is a vault; the PIN goes on`() async throws {
        let app = try await FormerApp(biometric: FormerApp.words)
        for _ in 0..<3 {
            #expect(await refusal { try await app.migrateByFinger(.mismatch) } == .biometricsNotRecognised)
        }
        let shown = app.simulated.promptsShown
        #expect(await refusal { try await app.migrateByFinger(nil) } == .strongFactorRequired)
        #expect(app.simulated.promptsShown == shown, "the third failure asks for the PIN")
        try await app.migrate()
    }

    @Test func `a cancelled prompt counts nothing`() async throws {
        let app = try await FormerApp(biometric: FormerApp.words)
        for _ in 0..<4 {
            #expect(await refusal { try await app.migrateByFinger(.cancel) } == .promptCancelled)
        }
        try await app.migrateByFinger()
    }

    @Test(.holds("C7"), arguments: FingerTests.broken)
    func `a reader that fails is tried again where no PIN stands yet, and what failed before it counts`(
        fault: SimulatedFault
    ) async throws {
        let app = try await FormerApp(biometric: FormerApp.words)
        try app.simulated.simulate(.fault(fault))
        #expect(await refusal { try await app.migrateByFinger(nil) } == .storageUnavailable)
        let half = try await app.half()
        try app.simulated.simulate(.fault(fault))
        #expect(await refusal { try await half.vault.unlockWithBiometrics(TestVault.words) } == .storageUnavailable)
        #expect(await half.state == .locked)
        #expect(try await half.look().failedBiometricAttempts == 0)
        for count: UInt32 in 1...2 {
            try app.simulated.simulate(.fault(.readerBroken))
            #expect(await refusal { try await half.touch(.mismatch) } == .storageUnavailable)
            #expect(try await half.look().failedBiometricAttempts == count)
        }
        #expect(app.log.count(.biometricFailure) == 2)
        try await half.touch()
    }

    @Test(.holds("C7")) func `a plug that is pulled behind a mismatch buys no finger before there is a vault`()
        async throws
    {
        let app = try await FormerApp(biometric: FormerApp.words)
        for _ in 0..<3 {
            try app.simulated.simulate(.fault(.readerBroken))
            #expect(await refusal { try await app.migrateByFinger(.mismatch) } == .storageUnavailable)
        }
        #expect(await refusal { try await app.migrateByFinger(nil) } == .strongFactorRequired)
        try await app.migrate()
    }

    @Test func `guesses at the PIN are not forgiven by a finger`() async throws {
        let app = try await FormerApp(biometric: FormerApp.words)
        for _ in 0..<4 { _ = await refusal { try await app.migrate(FormerApp.wrongPIN) } }
        try await app.migrateByFinger().vault.close()
        let half = try await app.open()
        #expect(await half.vault.snapshot.failedAttempts == 4)
        #expect(await refusal { try await half.give(FormerApp.pin) } == .attemptDelayed)
    }

    @Test(.holds("A24")) func `a finger added before the takeover ends the raw copy, and the PIN makes the vault`()
        async throws
    {
        let app = try await FormerApp(biometric: FormerApp.words)
        try app.simulated.simulate(.enroll)
        #expect(await refusal { try await app.migrateByFinger() } == .legacyMissing)
        let made = try await app.migrate()
        #expect(made.erasureFailure == nil)
    }

    @Test func `where biometrics can't be used or guard too little, no prompt is shown`() async throws {
        var app = try await FormerApp(biometric: FormerApp.words)
        app.policy = .wallet
        #expect(await refusal { try await app.migrateByFinger(nil) } == .assuranceTooLow)
        app.policy = TestVault.policy
        try app.simulated.simulate(.lockout)
        #expect(await refusal { try await app.migrateByFinger(nil) } == .biometricsUnavailable)
        #expect(app.simulated.promptsShown == 0)
        #expect(try app.left == (true, true))
    }

    @Test(.holds("K-09")) func `a raw mnemonic that can't be erased yet goes with the next finger`() async throws {
        let app = try await FormerApp(biometric: FormerApp.words)
        app.simulated.interceptor = { call in
            if case .delete(FormerApp.biometricItem) = call { throw DeviceRefusal.unavailable }
            return .proceed
        }
        let made = try await app.migrateByFinger()
        #expect(made.erasureFailure?.code == .legacyNotErased)
        #expect(try app.left == (true, true))
        await made.vault.close()
        app.simulated.interceptor = nil
        let again = try await app.open()
        try await again.touch()
        #expect(try app.left == (true, false))
    }
}
