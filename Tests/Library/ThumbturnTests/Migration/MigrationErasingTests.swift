import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// The end: what the former app left goes when the vault really holds it, and not before.
@Suite struct MigrationErasingTests {
    /// A vault by the PIN, whose former copy could not be erased.
    private static func unfinished(consents: Bool = false) async throws -> (FormerApp, TestVault) {
        let app = try await FormerApp()
        app.simulated.interceptor = { call in
            if case .delete(FormerApp.sealedItem) = call { throw DeviceRefusal.unavailable }
            return .proceed
        }
        let made = try await app.migrate(consents: consents)
        #expect(made.erasureFailure?.code == .legacyNotErased)
        #expect(await made.vault.snapshot.migration == .erasing)
        await made.vault.close()
        app.simulated.interceptor = nil
        return (app, try await app.open())
    }

    @Test(.holds("K-09")) func `what could not be erased is tried again at the next unlock, and until then reported`()
        async throws
    {
        let (app, vault) = try await Self.unfinished()
        #expect(await vault.vault.snapshot.migration == .erasing)
        app.simulated.interceptor = { call in
            if case .delete(FormerApp.sealedItem) = call { throw DeviceRefusal.unavailable }
            return .proceed
        }
        try await vault.give(FormerApp.pin)
        #expect(await vault.vault.snapshot.migration == .erasing)
        #expect(await refusal { try await vault.vault.eraseLegacy() } == .legacyNotErased)
        app.simulated.interceptor = nil
        try await vault.vault.eraseLegacy()
        #expect(await vault.vault.snapshot.migration == .full)
        #expect(try app.left == (false, false))
        try await vault.vault.eraseLegacy()
    }

    @Test(.holds("K-09"), arguments: [false, true])
    func `the next unlock erases it, with the PIN or a finger`(byFinger: Bool) async throws {
        let (app, vault) = try await Self.unfinished(consents: true)
        if byFinger { try await vault.touch() } else { try await vault.give(FormerApp.pin) }
        #expect(await vault.vault.snapshot.migration == .full)
        #expect(try app.left == (false, false))
        #expect(app.log.count(.legacyErased) == 1)
    }

    @Test(.holds("A25", "K-09")) func `what is called absent once, while it is read, is not taken for erased`()
        async throws
    {
        let (app, vault) = try await Self.unfinished()
        let reads = Counter()
        app.simulated.interceptor = { call in
            if case .read(FormerApp.sealedItem) = call, reads.next() == 1 { throw DeviceRefusal.absent }
            return .proceed
        }
        try await vault.give(FormerApp.pin)
        #expect(reads.count > 0)
        #expect(await vault.vault.snapshot.migration == .erasing)
        #expect(try app.left.sealed)
        try await vault.vault.eraseLegacy()
        #expect(try !app.left.sealed)
        #expect(await vault.vault.snapshot.migration == .full)
    }

    @Test func `an answer that fails after its effect is no success, and the next unlock finds nothing left`()
        async throws
    {
        let app = try await FormerApp()
        app.simulated.interceptor = { call in
            if case .delete(FormerApp.sealedItem) = call { return .failAfterEffect(.unavailable) }
            return .proceed
        }
        let made = try await app.migrate()
        #expect(made.erasureFailure?.code == .legacyNotErased)
        await made.vault.close()
        app.simulated.interceptor = nil
        let again = try await app.open()
        try await again.give(FormerApp.pin)
        #expect(await again.vault.snapshot.migration == .full)
    }

    @Test func `what the former app sealed since then is never erased`() async throws {
        for sealed in [FormerApp.Sealed.again, .other] {
            let (app, vault) = try await Self.unfinished()
            try await app.store(sealed.rawValue)
            try await vault.give(FormerApp.pin)
            #expect(await vault.vault.snapshot.migration == .full)
            #expect(try app.left.sealed)
        }
    }

    @Test(.holds("K-09"))
    func `the PIN behind biometrics stays while something new is sealed, which it may be the only PIN of`()
        async throws
    {
        let app = try await FormerApp(biometric: FormerApp.pin, holding: .pin)
        app.simulated.interceptor = { call in
            if case .delete(FormerApp.biometricItem) = call { throw DeviceRefusal.unavailable }
            return .proceed
        }
        #expect(try await app.migrate().erasureFailure?.code == .legacyNotErased)
        app.simulated.interceptor = nil
        try await app.store(FormerApp.Sealed.other.rawValue)
        let vault = try await app.open()
        try await vault.give(FormerApp.pin)
        #expect(await refusal { try await vault.vault.eraseLegacy() } == .legacyNotErased)
        #expect(try app.left == (true, true))
        try await app.store(FormerApp.Sealed.first.rawValue)
        try await vault.vault.eraseLegacy()
        #expect(try app.left == (false, false))
    }

    @Test(.holds("K-09"))
    func `an import that could not be erased leaves no mark that the app's own former wallet ends`()
        async throws
    {
        let app = try await FormerApp()
        let strong = try await app.migrate()
        #expect(await strong.vault.snapshot.migration == .full)
        let item = try #require(ItemName(former: "other-app.mnemonic"))
        try await app.simulated.save(
            SecretBytes(text: FormerApp.Sealed.other.rawValue),
            as: item,
            access: .deviceOnly
        )
        app.simulated.interceptor = { call in
            if case .delete(item) = call { throw DeviceRefusal.unavailable }
            return .proceed
        }
        let other = LegacyMigration(
            of: LegacyItems(in: app.device.store, sealed: item, biometric: nil),
            named: WalletName(stored: "Other"),
            policy: app.policy
        )
        let code = await refusal { try await strong.vault.migrate([other], with: SecretBytes(text: FormerApp.pin)) }
        #expect(code == .legacyNotErased)
        #expect(await strong.vault.snapshot.migration == .full)
        #expect(app.log.count(.legacyErased) == 1, "of the app's own")
        await strong.vault.close()
        let again = try await app.open()
        try await again.give(FormerApp.pin)
        #expect(app.log.count(.legacyErased) == 1)
        #expect(try await again.mnemonics() == ["Former": FormerApp.words, "Other": FormerApp.otherWords])
    }

    @Test(.holds("K-09")) func `nothing is erased while the vault's wallet does not stand`() async throws {
        let (app, vault) = try await Self.unfinished()
        var wallet = try #require(vault.wallets().first)
        wallet.secret[60] ^= 1
        try vault.replace(wallet)
        try await vault.give(FormerApp.pin)
        #expect(try app.left.sealed, "the row was changed")
        #expect(await refusal { try await vault.vault.eraseLegacy() } == .exportOnly)
        #expect(try app.left.sealed)
    }

    @Test(.holds("K-09")) func `an erase that was put off is given up when its owner deletes a wallet`() async throws {
        let (app, vault) = try await Self.unfinished()
        app.simulated.interceptor = { call in
            if case .delete(FormerApp.sealedItem) = call { throw DeviceRefusal.unavailable }
            return .proceed
        }
        let strong = try await vault.give(FormerApp.pin)
        let wallet = try #require(try await vault.vault.wallets().first)
        try await vault.vault.deleteWallet(wallet.id, strong)
        app.simulated.interceptor = nil
        try await vault.vault.eraseLegacy()
        #expect(await vault.vault.snapshot.migration == .full)
        try await vault.give(FormerApp.pin)
        #expect(try app.left.sealed, "it is the last copy")
    }

    @Test(.holds("K-09"), arguments: [false, true])
    func `a new key ends an erase that was put off where it gives a wallet up, and else not`(givesUp: Bool)
        async throws
    {
        let (app, vault) = try await Self.unfinished()
        app.keepsSealed(true)
        try await vault.give(FormerApp.pin)
        var former = try #require(try vault.wallets().first)
        try await vault.vault.addWallet(named: WalletName("Second"), .newMnemonic(words: .twelve))
        if givesUp {
            former.secret[60] ^= 1
            try vault.replace(former)
        }
        await vault.vault.close()
        let again = try await app.open()
        try await again.give(FormerApp.pin)
        let seen = try await again.vault.inventory()
        #expect(seen.damaged.map(\.id) == (givesUp ? [former.id] : []))
        let strong = try await again.give(FormerApp.pin)
        try await again.vault.rekey(with: SecretBytes(text: FormerApp.pin), recoveryKey: nil, keeping: seen, strong)
        #expect(await again.vault.snapshot.migration == (givesUp ? .full : .erasing))
        app.keepsSealed(false)
        try await again.give(FormerApp.pin)
        #expect(await again.isOpen)
        #expect(try app.left.sealed == givesUp, "it may be the last copy")
    }

    @Test(.holds("K-09")) func `a new key ends it too where a deleted wallet was put back in place of the former one`()
        async throws
    {
        let app = try await FormerApp()
        try await app.migrate().vault.close()
        let vault = try await app.open()
        try await vault.give(FormerApp.pin)
        let second = try await vault.vault.addWallet(named: WalletName("Second"), .newMnemonic(words: .twelve))
        let deleted = try #require(try vault.wallets().first { $0.id == second.id })
        try await vault.vault.deleteWallet(second.id, vault.give(FormerApp.pin))
        try await app.store(FormerApp.Sealed.other.rawValue)
        app.keepsSealed(true)
        let other = LegacyMigration(of: app.migration.wallet, named: WalletName(stored: "Other"), policy: app.policy)
        _ = await refusal { try await vault.vault.migrate([other], with: SecretBytes(text: FormerApp.pin)) }
        let imported = try #require(try await vault.vault.wallets().first { $0.name == other.name })
        await vault.vault.close()
        try vault.tamper { store in
            try store.removeWallet(imported.id)
            try store.add(deleted)
        }
        let again = try await app.open()
        #expect(await again.vault.snapshot.migration == .erasing)
        try await again.give(FormerApp.pin)
        let seen = try await again.vault.inventory()
        #expect(seen.damaged.isEmpty && seen.missingCount == 0 && seen.wallets.map(\.id).contains(second.id))
        let strong = try await again.give(FormerApp.pin)
        try await again.vault.rekey(with: SecretBytes(text: FormerApp.pin), recoveryKey: nil, keeping: seen, strong)
        app.keepsSealed(false)
        try await again.give(FormerApp.pin)
        #expect(await again.isOpen)
        #expect(try app.left.sealed, "it is the last copy")
    }

    @Test func `a locked vault erases nothing`() async throws {
        let (app, vault) = try await Self.unfinished()
        #expect(await refusal { try await vault.vault.eraseLegacy() } == .locked)
        #expect(try app.left.sealed)
    }
}

extension FormerApp {
    /// Whether what is sealed under the PIN can't be deleted.
    fileprivate func keepsSealed(_ keeps: Bool) {
        guard keeps else { return simulated.interceptor = nil }
        simulated.interceptor = { call in
            if case .delete(Self.sealedItem) = call { throw DeviceRefusal.unavailable }
            return .proceed
        }
    }
}

/// Somebody edits the file.
@Suite struct MigrationTamperingTests {
    private static func edit(_ made: TestVault, _ change: (inout Head) -> Void) throws {
        let stored = try #require(try made.contents().head)
        var head = try Head(parsing: stored.body)
        change(&head)
        try made.tamper { try $0.setHead(VaultStore.TaggedRow(body: head.bytes, mac: stored.mac)) }
    }

    @Test func `a mark that somebody wrote into the head makes no erase but a tampered vault`() async throws {
        let app = try await FormerApp()
        try await app.migrate().vault.close()
        // The former app was used again.
        try await app.store(FormerApp.Sealed.other.rawValue)
        let digest = SHA256.digest(Array(FormerApp.Sealed.other.rawValue.utf8))
        for mark in [Head.Migration.erasing(sealed: digest), .half(sealed: digest, wallet: digest)] {
            let vault = try await app.open()
            let head = try #require(try vault.contents().head)
            try Self.edit(vault) { $0.migration = mark }
            await vault.vault.close()
            let edited = try await app.open()
            try await edited.give(FormerApp.pin)
            #expect(await edited.state == .unlocked(.exportOnly), "\(mark)")
            #expect(await edited.vault.snapshot.isAuthentic == false, "\(mark)")
            #expect(await refusal { try await edited.vault.eraseLegacy() } == .exportOnly, "\(mark)")
            #expect(try app.left.sealed)
            await edited.vault.close()
            try edited.tamper { try $0.setHead(head) }
        }
    }

    @Test func `a vault that somebody marked as half migrated opens by its PIN, to be exported`() async throws {
        let app = try await FormerApp()
        try await app.migrate().vault.close()
        let vault = try await app.open()
        let digest = SHA256.digest(Array(FormerApp.Sealed.first.rawValue.utf8))
        try Self.edit(vault) { $0.migration = .half(sealed: digest, wallet: digest) }
        await vault.vault.close()
        let edited = try await app.open()
        #expect(await edited.vault.snapshot.failedAttempts == 0)
        try await edited.give(FormerApp.pin)
        #expect(await edited.state == .unlocked(.exportOnly))
        #expect(try await edited.mnemonics() == ["Former": FormerApp.words])
    }

    @Test func `a half migrated vault whose mark was taken away erases nothing and can be reset`() async throws {
        for mark in [nil, Head.Migration.erasing(sealed: SHA256.digest(Array(FormerApp.Sealed.first.rawValue.utf8)))] {
            let app = try await FormerApp(biometric: FormerApp.words)
            let half = try await app.half()
            try Self.edit(half) { $0.migration = mark }
            #expect(await refusal { try await half.touch() } == .keyMissing)
            #expect(await refusal { try await half.give(FormerApp.pin) } == .keyMissing)
            #expect(await !half.vault.holdsKey)
            #expect(try app.left.sealed)
            try await half.vault.reset(ResetConfirmation(typed: ResetConfirmation.phrase))
            try await app.migrate()
        }
    }

    @Test func `a half migrated vault whose head can't be read opens to be reset, and the PIN makes another`()
        async throws
    {
        let app = try await FormerApp(biometric: FormerApp.words)
        let half = try await app.half()
        let stored = try #require(try half.contents().head)
        try half.tamper { try $0.setHead(VaultStore.TaggedRow(body: [0xFF], mac: stored.mac)) }
        await half.vault.close()
        let broken = try await app.open()
        #expect(await broken.vault.snapshot.condition == .keyMissing)
        #expect(await refusal { try await broken.give(FormerApp.pin) } == .keyMissing)
        try await broken.vault.reset(ResetConfirmation(typed: ResetConfirmation.phrase))
        #expect(
            try app.simulated.itemNamesBesideTrail() == [FormerApp.sealedItem.text],
            "no key is left, and the former wallet is"
        )
        try await app.migrate()
    }

    @Test func `a reset of a half migrated vault leaves what is sealed under the PIN`() async throws {
        let app = try await FormerApp(biometric: FormerApp.words)
        let half = try await app.half()
        try await half.vault.reset(ResetConfirmation(typed: ResetConfirmation.phrase))
        #expect(try app.left == (true, false))
        #expect(await refusal { try await app.open() } == .vaultMissing)
        let vault = try await app.migrate().vault
        #expect(await vault.isOpen)
    }

    @Test(.holds("A57")) func `an edited head makes the PIN drop no other wallet and no other way in`() async throws {
        let app = try await FormerApp()
        app.simulated.interceptor = { call in
            if case .delete(FormerApp.sealedItem) = call { throw DeviceRefusal.unavailable }
            return .proceed
        }
        let made = try await app.migrate(consents: true)
        try await made.vault.addWallet(named: WalletName("Second"), .newMnemonic(words: .twelve))
        await made.vault.close()
        let full = try await app.open()
        let local = try full.slot(.localSecret)
        // The editor hides the PIN's slot and says "half".
        try full.tamper { try $0.removeSlot(local.id) }
        let digest = SHA256.digest(Array(FormerApp.Sealed.first.rawValue.utf8))
        try Self.edit(full) { head in
            head.slots.removeAll { $0.kind == .localSecret }
            head.migration = .half(sealed: digest, wallet: digest)
        }
        await full.vault.close()
        let edited = try await app.open()
        try app.simulated.simulate(.enroll)
        #expect(await refusal { try await edited.give(FormerApp.pin) } == .vaultTampered)
        #expect(try edited.wallets().count == 2)
    }

    @Test(.holds("A57")) func `an edited head that hides the finger makes the PIN drop no wallet that it still opens`()
        async throws
    {
        let app = try await FormerApp(biometric: FormerApp.words)
        let half = try await app.half()
        try await app.store(FormerApp.Sealed.other.rawValue)
        try Self.edit(half) { head in head.slots = [] }
        let before = try half.wallets()
        await half.vault.close()
        let edited = try await app.open()
        #expect(await refusal { try await edited.give(FormerApp.pin) } == .migrationConflict)
        #expect(try edited.wallets() == before && edited.slot(.biometric).kind == .biometric)
    }

    @Test(.holds("A57"))
    func `an edited head that names another wallet erases nothing that lies behind biometrics unread`() async throws {
        let app = try await FormerApp(biometric: FormerApp.words)
        app.simulated.interceptor = { call in
            if case .delete(FormerApp.biometricItem) = call { throw DeviceRefusal.unavailable }
            return .proceed
        }
        let half = try await app.half()
        app.simulated.interceptor = nil
        #expect(try app.left == (true, true))
        // The editor seals a wallet of his own, and says that it is the one behind biometrics.
        try await app.store(FormerApp.Sealed.other.rawValue)
        let entropy = try Mnemonic.entropy(of: SecretBytes(text: FormerApp.otherWords))
        let sealed = SHA256.digest(Array(FormerApp.Sealed.other.rawValue.utf8))
        try Self.edit(half) { head in
            let wallet = LegacyContents.fingerprint(LegacyContents.digest(of: entropy), in: head.vault)
            head.migration = .half(sealed: sealed, wallet: wallet)
        }
        await half.vault.close()
        let edited = try await app.open()
        #expect(app.log.tolerated.isEmpty)
        // It came to the erase, and that refused for itself: no device does any more.
        #expect(await refusal { try await edited.complete() } == .migrationNeedsBiometrics)
        try await edited.completeWithoutFinger()
        #expect(app.log.tolerated == [.legacyNotErased])
        #expect(await edited.vault.snapshot.migration == .erasing)
        #expect(try app.left == (true, true))
    }

    @Test(.holds("A7")) func `a half migrated vault that was put back is older than its counter`() async throws {
        let app = try await FormerApp(biometric: FormerApp.words)
        let half = try await app.half()
        await half.vault.close()
        let image = try FolderImage(of: app.path)
        let later = try await app.open()
        try await later.touch()
        try await later.give(FormerApp.pin)
        await later.vault.close()
        try image.restore(to: app.path)
        let old = try await app.open()
        #expect(await refusal { try await old.touch() } == .ledgerUnreliable)
        #expect(await !old.vault.holdsKey)
        #expect(await old.vault.snapshot.failedAttempts == AttemptSchedule.suspensionLimit)
    }
}
