import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// The former app's two copies are two wallets: neither is lost.
@Suite struct MigrationConflictTests {
    /// A half migrated vault of one wallet, with another one under the PIN.
    private static func app() async throws -> FormerApp {
        try await FormerApp(sealed: .first, biometric: FormerApp.otherWords)
    }

    @Test(.holds("K-09")) func `a PIN that opens another wallet than the vault's replaces no key`() async throws {
        let app = try await Self.app()
        let half = try await app.half()
        for opens in [false, true] {
            if opens { try await half.touch() }
            #expect(await refusal { try await half.give(FormerApp.pin) } == .migrationConflict)
            #expect(await half.vault.snapshot.migration == .half)
            #expect(await half.vault.snapshot.failedAttempts == 0, "the PIN was right")
            #expect(try app.left.sealed)
        }
        #expect(try await half.mnemonics() == ["Former": FormerApp.otherWords])
    }

    @Test(.holds("K-09")) func `both wallets come into the vault where their owner says so`() async throws {
        let app = try await Self.app()
        let half = try await app.half()
        let name = WalletName(stored: "From the PIN")
        let alone = await refusal {
            try await half.vault.completeMigration(with: SecretBytes(text: FormerApp.pin), keepingBothAs: name)
        }
        #expect(alone == .migrationNeedsBiometrics, "it needs the vault's key")
        try app.simulated.simulate(.finger(.match))
        try await half.vault.completeMigration(
            with: SecretBytes(text: FormerApp.pin),
            keepingBothAs: name,
            prompt: FormerApp.prompt
        )
        let both = ["Former": FormerApp.otherWords, "From the PIN": FormerApp.words]
        #expect(try await half.mnemonics() == both)
        #expect(await half.vault.snapshot.migration == .full)
        #expect(try app.left == (false, false))
        await half.vault.close()
        let again = try await app.open()
        try await again.give(FormerApp.pin)
        #expect(try await again.mnemonics() == both)
    }

    @Test(.holds("C15", "K-09")) func `a wallet that was put in the former one's place since gives the vault no PIN`()
        async throws
    {
        let app = try await FormerApp(biometric: FormerApp.words)
        let half = try await app.half()
        try await app.store(FormerApp.Sealed.other.rawValue)
        try app.simulated.simulate(.finger(.match))
        func keepBoth() async -> ErrorCode? {
            await refusal {
                try await half.vault.completeMigration(
                    with: SecretBytes(text: FormerApp.pin),
                    keepingBothAs: WalletName("Theirs"),
                    prompt: FormerApp.prompt
                )
            }
        }
        let shown = app.simulated.promptsShown
        #expect(await keepBoth() == .migrationConflict)
        #expect(app.simulated.promptsShown == shown, "its PIN asks nobody for a finger")
        try await half.vault.unlockWithBiometrics(FormerApp.prompt)
        #expect(await keepBoth() == .migrationConflict)
        #expect(await half.vault.snapshot.migration == .half)
        #expect(try half.slots().map(\.kind) == [.biometric])
        #expect(try await half.mnemonics() == ["Former": FormerApp.words])
        #expect(try app.left.sealed)
    }

    @Test(.holds("A24")) func `once the finger's key is gone, the PIN's wallet is all there is`() async throws {
        let app = try await Self.app()
        let half = try await app.half()
        try app.simulated.simulate(.enroll)
        try await half.give(FormerApp.pin)
        #expect(try await half.mnemonics() == ["Former": FormerApp.words])
    }

    @Test func `a raw mnemonic that could not be erased, and is another wallet, stays`() async throws {
        let app = try await Self.app()
        app.simulated.interceptor = { call in
            if case .delete(FormerApp.biometricItem) = call { throw DeviceRefusal.unavailable }
            return .proceed
        }
        let half = try await app.half()
        app.simulated.interceptor = nil
        // The vault's own item goes, and the former one stays.
        let item = try #require(try half.slot(.biometric).item)
        try await app.simulated.delete(item)
        try await half.give(FormerApp.pin)
        #expect(try await half.mnemonics() == ["Former": FormerApp.words])
        #expect(try app.left.biometric, "nobody has that wallet but this item")
        try app.simulated.simulate(.finger(.match))
        #expect(await refusal { try await half.vault.eraseLegacy(FormerApp.prompt) } == .migrationConflict)
        #expect(try app.left.biometric)
    }

    @Test(.holds("K-09"))
    func `another wallet that the former app puts behind biometrics while the PIN is counted is not erased unread`()
        async throws
    {
        let app = try await FormerApp(biometric: FormerApp.words)
        app.simulated.interceptor = { call in
            if case .delete(FormerApp.biometricItem) = call { throw DeviceRefusal.unavailable }
            return .proceed
        }
        try await app.half().vault.close()
        let race = Race()
        let watched = WatchedDevice(app.simulated) { call in
            if case .anchorMove = call { await race.reach() }
        }
        let half = try await app.open(seenAs: watched.device)
        try await half.touch()
        app.simulated.interceptor = nil
        #expect(try app.left == (true, true))
        await race.start(at: 1) {
            try? await app.store(FormerApp.Sealed.other.rawValue)
            try? await app.simulated.delete(FormerApp.biometricItem)
            try? await app.simulated.save(
                SecretBytes(text: FormerApp.otherWords),
                as: FormerApp.biometricItem,
                access: .currentBiometrySet
            )
        }
        try await half.give(FormerApp.pin)
        #expect(await race.stop().wasRun)
        #expect(await half.vault.snapshot.migration == .erasing)
        #expect(try app.left == (true, true))
        try app.simulated.simulate(.finger(.match))
        #expect(await refusal { try await half.vault.eraseLegacy(FormerApp.prompt) } == .migrationConflict)
        #expect(try app.left == (true, true))
        #expect(try await half.mnemonics() == ["Former": FormerApp.words])
    }

    @Test func `what the former app sealed since the finger is compared, and never erased unseen`() async throws {
        let app = try await FormerApp(biometric: FormerApp.words)
        let half = try await app.half()
        try await app.store(FormerApp.Sealed.again.rawValue)
        try await half.complete()
        #expect(try await half.mnemonics() == ["Former": FormerApp.words])
        #expect(await half.vault.snapshot.migration == .full)

        let other = try await FormerApp(biometric: FormerApp.words)
        let later = try await other.half()
        try await other.store(FormerApp.Sealed.other.rawValue)
        #expect(await refusal { try await later.give(FormerApp.pin) } == .migrationConflict)
        #expect(try other.left.sealed)
    }

    @Test(.holds("A57")) func `no key takes the place of one that more than the former wallet lies under`() async throws
    {
        let half = try await FormerApp(biometric: FormerApp.words).half()
        let wallet = try #require(try half.wallets().first)
        let other = WalletRecord(id: .make(), tag: wallet.tag, label: wallet.label, secret: wallet.secret)
        try half.tamper { try $0.add(other) }
        let before = try half.wallets()
        #expect(await refusal { try await half.complete() } == .vaultTampered)
        await half.vault.lock()
        #expect(await refusal { try await half.completeWithoutFinger() } == .vaultTampered)
        #expect(try half.wallets() == before && before.count == 2)
        #expect(await half.vault.snapshot.migration == .half)
    }
}
