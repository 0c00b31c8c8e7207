import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// Path A: the former PIN makes the vault.
@Suite struct MigrationByPINTests {
    @Test(.holds("K-06")) func `the former PIN makes a vault that it opens, and nothing is left of the former app`()
        async throws
    {
        let app = try await FormerApp()
        let made = try await app.migrate()
        #expect(made.biometricsFailure == nil && made.erasureFailure == nil)
        #expect(await made.vault.isOpen)
        let snapshot = await made.vault.snapshot
        #expect(snapshot.migration == .full && snapshot.slots.map(\.kind) == [.localSecret])
        #expect(app.log.count(.migrationCompleted) == 1 && app.log.count(.legacyErased) == 1)
        #expect(try app.left == (false, false))
        await made.vault.close()

        let again = try await app.open()
        try await again.give(FormerApp.pin)
        #expect(try await again.mnemonics() == ["Former": FormerApp.words])
        // The device secret that guesses were counted with is the PIN's now, and nothing else is there.
        #expect(try app.simulated.itemNamesBesideTrail() == again.slot(.localSecret).items.map(\.text).sorted())
        #expect(try again.contents().leftovers.isEmpty)
    }

    @Test(.holds("ERR-TT-111"), arguments: [false, true])
    func `neither the PIN nor a finger takes anything over under rules that need an account`(byFinger: Bool)
        async throws
    {
        func takeOver(_ app: FormerApp) async throws {
            if byFinger { try await app.migrateByFinger() } else { try await app.migrate() }
        }
        var app = try await FormerApp(biometric: FormerApp.words)
        app.policy = .pd107
        let before = try app.simulated.itemNames()
        let code = await refusal { [app] in try await takeOver(app) }
        #expect(code == .accountRequired)
        #expect(try app.simulated.itemNames() == before && app.simulated.anchorNames().isEmpty)
        #expect(app.simulated.promptsShown == 0)
        app.policy = TestVault.policy
        try await takeOver(app)
    }

    @Test(.holds("C14"), arguments: [false, true])
    func `no former wallet comes onto a simulated device whose policy does not say so`(byFinger: Bool) async throws {
        var app = try await FormerApp(biometric: FormerApp.words)
        app.policy = .wallet
        let before = try app.simulated.itemNames()
        let code = await refusal { [app] in
            if byFinger { try await app.migrateByFinger() } else { try await app.migrate() }
        }
        #expect(code == .assuranceTooLow)
        #expect(try app.simulated.itemNames() == before && app.left.sealed)
    }

    @Test(
        .holds("K-06"),
        arguments: ["version 1, 12 words", "version 2, 12 words", "12 words, 64 columns", "12 words, binary"]
    )
    func `each format that former apps use is taken over`(id: String) async throws {
        let sample = try LegacySample.named(id)
        let app = try await FormerApp(sealed: nil)
        let bytes = unsafe SecretBytes(byteCount: sample.bytes.count) { unsafe $0.copyBytes(from: sample.bytes) }
        try await app.simulated.save(bytes, as: FormerApp.sealedItem, access: .deviceOnly)
        let vault = try await app.migrate(sample.pin).vault
        let wallet = try #require(try await vault.wallets().first)
        let entropy = try await vault.withSecret(of: wallet.id) { _, bytes in bytes.exposed }
        #expect(entropy == sample.mnemonic)
    }

    @Test(.holds("A10", "A11")) func `guesses are counted before there is a vault, whatever app asks`() async throws {
        let app = try await FormerApp()
        for _ in 0..<4 {
            #expect(await refusal { try await app.migrate(FormerApp.wrongPIN) } == .legacySecretRefused)
        }
        let fifth = await fault { try await app.migrate() }
        #expect(fifth?.code == .attemptDelayed && fifth?.retryAfter == .seconds(30))
        #expect(await refusal { try await app.open() } == .vaultMissing, "guesses make no vault")
        #expect(try app.left.sealed)

        try app.simulated.simulate(.advance(.seconds(30)))
        let vault = try await app.migrate().vault
        #expect(await vault.snapshot.failedAttempts == 0)
        #expect(try app.simulated.anchorNames().count == 1)
        #expect(app.log.count(.passwordFailure) == 4)
    }

    @Test(.holds("A14")) func `a wait before there is a vault goes on after a reboot, and ends`() async throws {
        let app = try await FormerApp()
        for _ in 0..<4 { _ = await refusal { try await app.migrate(FormerApp.wrongPIN) } }
        try app.simulated.simulate(.reboot)
        #expect(await refusal { try await app.migrate() } == .attemptDelayed)
        try app.simulated.simulate(.advance(.seconds(20)))
        #expect(await refusal { try await app.migrate() } == .attemptDelayed)
        try app.simulated.simulate(.advance(.seconds(10)))
        try await app.migrate()
    }

    @Test func `a vault of another origin gives the count up and leaves no key behind`() async throws {
        let app = try await FormerApp()
        _ = await refusal { try await app.migrate(FormerApp.wrongPIN) }
        #expect(try app.simulated.anchorNames().count == 1)
        let creation = try await Vault.create(
            in: app.path,
            device: app.device,
            secret: SecretBytes(text: TestVault.pin),
            policy: TestVault.policy,
            configuration: app.configuration()
        )
        #expect(try app.simulated.anchorNames().count == 1)
        #expect(try app.simulated.itemNamesBesideTrail().count == 2, "the vault's device secret and the former wallet")
        await creation.vault.close()
    }

    @Test(.holds("A25")) func `a note can make no count of another vault's device secret`() async throws {
        let app = try await FormerApp()
        let other = try await TestVault.make(on: app.simulated)
        let item = try #require(try other.slot(.localSecret).item)
        let ledger = try #require(try other.contents().ledger)
        _ = await refusal { try await app.migrate(FormerApp.wrongPIN) }
        let store = try VaultStore(openingIn: app.path, vfs: nil)
        for leftover in try store.contents().leftovers { try store.removeLeftover(leftover.item) }
        try store.addLeftover(item)
        try store.setLedger(ledger)
        store.close()
        try await app.migrate().vault.close()
        let again = try await other.restarted()
        try await again.strong()
        #expect(await again.vault.snapshot.ledgerIsReliable)
    }

    @Test(arguments: [
        (FormerApp.Sealed?.none, "", ErrorCode.legacyMissing),
        (nil, "nothing that anybody sealed", .legacyMalformed),
        (nil, String(FormerApp.Sealed.first.rawValue.dropLast(20)), .legacyMalformed),
        (nil, #"{"cipher":"AAAA","iv":"00","salt":"00","version":9}"#, .legacyVersionUnknown),
        (.badChecksum, "", .legacyChecksumWrong),
    ])
    func `bad input is refused with its code, and nothing of the former app is touched`(
        sealed: FormerApp.Sealed?,
        text: String,
        code: ErrorCode
    ) async throws {
        let app = try await FormerApp(sealed: sealed)
        if !text.isEmpty { try await app.store(text) }
        let before = try app.left.sealed
        #expect(await refusal { try await app.migrate() } == code)
        #expect(try app.left.sealed == before)
        #expect(await refusal { try await app.open() } == .vaultMissing)
        // What is no guess is not counted.
        for _ in 0..<4 { #expect(await refusal { try await app.migrate() } == code) }
    }

    @Test func `a folder with a vault is no place to make one`() async throws {
        let app = try await FormerApp()
        _ = try await Vault.create(
            in: app.path,
            device: app.device,
            secret: SecretBytes(text: TestVault.pin),
            policy: TestVault.policy,
            configuration: TestVault.configuration()
        )
        #expect(await refusal { try await app.migrate() } == .vaultExists)
        #expect(try app.left.sealed)
    }

    @Test func `a former PIN that our rules refuse opens, and its owner is asked for a better one`() async throws {
        let app = try await FormerApp(sealed: .weak)
        #expect(await refusal { try await app.migrate(FormerApp.weakPIN) } == .secretTooCommon)
        #expect(try app.left.sealed)
        let vault = try await app.migrate(FormerApp.weakPIN, newPIN: TestVault.pin).vault
        #expect(await vault.snapshot.failedAttempts == 0, "the right PIN is no guess")
        await vault.close()
        let again = try await app.open()
        #expect(await refusal { try await again.give(FormerApp.weakPIN) } == .strongFactorRefused)
        try await again.strong()
        #expect(try await again.mnemonics() == ["Former": FormerApp.words])
    }

    @Test func `biometrics stay on where their owner wants it, and a failure is told`() async throws {
        let app = try await FormerApp(biometric: FormerApp.words)
        let made = try await app.migrate(consents: true)
        #expect(made.biometricsFailure == nil)
        #expect(await made.vault.snapshot.biometrics == .enabled)

        let other = try await FormerApp(biometric: FormerApp.words)
        try other.simulated.simulate(.unenroll)
        let without = try await other.migrate(consents: true)
        #expect(without.biometricsFailure?.code == .biometricsUnavailable)
        #expect(await without.vault.isOpen)
    }

    @Test func `what is behind biometrics is erased only after it was compared`() async throws {
        let app = try await FormerApp(biometric: FormerApp.words)
        let made = try await app.migrate()
        #expect(made.erasureFailure?.code == .legacyNotErased)
        #expect(try app.left == (true, true), "the raw copy goes first, so the sealed one waits too")
        #expect(await made.vault.snapshot.migration == .erasing)
        try app.simulated.simulate(.finger(.match))
        try await made.vault.eraseLegacy(FormerApp.prompt)
        #expect(try app.left == (false, false))
        #expect(await made.vault.snapshot.migration == .full)

        let prompted = try await FormerApp(biometric: FormerApp.words)
        try prompted.simulated.simulate(.finger(.match))
        let at = try await prompted.migrate(prompt: FormerApp.prompt)
        #expect(at.erasureFailure == nil)
        #expect(try prompted.left == (false, false))
    }

    @Test(.holds("K-09")) func `while what is behind biometrics can't be erased, what is sealed stays, too`()
        async throws
    {
        let app = try await FormerApp(biometric: FormerApp.words)
        try await app.migrate().vault.close()
        let made = try await app.open()
        try await made.give(FormerApp.pin)
        app.simulated.interceptor = { call throws(DeviceRefusal) in
            if call == .delete(FormerApp.biometricItem) { throw .unavailable }
            return .proceed
        }
        try app.simulated.simulate(.finger(.match))
        #expect(await refusal { try await made.vault.eraseLegacy(FormerApp.prompt) } == .legacyNotErased)
        #expect(try app.left == (true, true), "the raw copy goes first, so the sealed one waits")
        app.simulated.interceptor = nil
        try app.simulated.simulate(.finger(.match))
        try await made.vault.eraseLegacy(FormerApp.prompt)
        #expect(try app.left == (false, false))
    }

    @Test(.holds("K-09")) func `another wallet behind biometrics is kept, and its owner is told`() async throws {
        let app = try await FormerApp(biometric: FormerApp.otherWords)
        try app.simulated.simulate(.finger(.match))
        let made = try await app.migrate(prompt: FormerApp.prompt)
        #expect(made.erasureFailure?.code == .migrationConflict)
        #expect(try app.left == (true, true))
    }

    @Test func `a PIN behind biometrics holds no wallet and goes without a prompt`() async throws {
        let app = try await FormerApp(biometric: FormerApp.pin, holding: .pin)
        let made = try await app.migrate()
        #expect(made.erasureFailure == nil && app.simulated.promptsShown == 0)
        #expect(try app.left == (false, false))
    }

    @Test(.holds("A36")) func `a lock wins at each await of the erasure, and what it left goes at the next`()
        async throws
    {
        var step = 1
        while true {
            let app = try await FormerApp(biometric: FormerApp.words)
            try await app.migrate().vault.close()
            let race = Race()
            let watched = WatchedDevice(app.simulated) { _ in await race.reach() }
            let made = try await app.open(seenAs: watched.device)
            try await made.give(FormerApp.pin)
            try app.simulated.simulate(.finger(.match))
            await race.start(at: step) { await RaceTests.lock(made.vault) }
            let code = await refusal { try await made.vault.eraseLegacy(FormerApp.prompt) }
            let (count, wasRun) = await race.stop()
            guard wasRun else { return #expect(code == nil && step > 3 && count < step) }
            #expect(await !made.vault.holdsKey, "at \(step)")
            #expect(await refusal { try await made.vault.wallets() } == .locked, "at \(step)")
            await made.vault.close()
            let again = try await app.open()
            try await again.give(FormerApp.pin)
            try app.simulated.simulate(.finger(.match))
            try await again.vault.eraseLegacy(FormerApp.prompt)
            #expect(try app.left == (false, false), "at \(step)")
            #expect(try await again.mnemonics() == ["Former": FormerApp.words], "at \(step)")
            step += 1
        }
    }
}
