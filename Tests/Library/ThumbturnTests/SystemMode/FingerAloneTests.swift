import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// C15: from a finger alone every path to a new PIN is tried, and none exists.
@Suite struct FingerAloneTests {
    /// One call of the thief's, by its name, and the code that refuses it.
    struct Attempt {
        let name: String
        /// In a session that a finger opened.
        let inSession: ErrorCode
        let whileLocked: ErrorCode
        /// In a session of system mode whose authorisations are too old.
        let inSystemMode: ErrorCode
        let call: () async throws -> Void

        /// - Parameter refused: the code wherever no other is given.
        init(
            _ name: String,
            _ refused: ErrorCode,
            whileLocked: ErrorCode? = nil,
            inSystemMode: ErrorCode? = nil,
            call: @escaping () async throws -> Void
        ) {
            self.name = name
            self.inSession = refused
            self.whileLocked = whileLocked ?? refused
            self.inSystemMode = inSystemMode ?? refused
            self.call = call
        }

        /// One that takes an authorisation, and the thief's is stale.
        static func authorised(
            _ name: String,
            inSystemMode: ErrorCode = .authorizationExpired,
            call: @escaping () async throws -> Void
        ) -> Attempt {
            Attempt(name, .authorizationExpired, whileLocked: .locked, inSystemMode: inSystemMode, call: call)
        }
    }

    /// What a thief with a finger, or with a session that a finger opened, can call, by the call's name.
    ///
    /// The thief knows no PIN and no recovery key of this vault, makes up what can be made up, and keeps what was given in
    /// other sessions.
    struct Thief {
        let made: TestVault
        let wallet: WalletSummary
        /// An authorisation by the PIN from a session that is over, and one of the thief's own vault.
        let stale: [Held<StrongAuthorization>]
        /// The recovery key of the thief's own vault.
        let key: String
        /// What a former app left on the device, with a PIN that the thief knows.
        let former: FormerApp

        static let pin = "730915"

        func attempts() -> [Attempt] {
            let vault = made.vault
            let path = made.path
            let backup = made.folder.file("stolen")
            return [
                .authorised("changeLocalSecret(to:_:)", inSystemMode: .systemModeOnly) {
                    try await vault.changeLocalSecret(to: SecretBytes(text: Self.pin), take(0))
                },
                .authorised("changeLocalSecret(to:_:)", inSystemMode: .systemModeOnly) {
                    try await vault.changeLocalSecret(to: SecretBytes(text: Self.pin), take(1))
                },
                Attempt("unlock(with:)", .strongFactorRefused, inSystemMode: .systemModeOnly) {
                    _ = try await vault.unlock(with: SecretBytes(text: Self.pin))
                },
                Attempt("unlock(withRecoveryKey:)", .strongFactorRefused) {
                    _ = try await vault.unlock(withRecoveryKey: SecretBytes(text: key))
                },
                Attempt("recover(with:newSecret:)", .strongFactorRefused) {
                    _ = try await vault.recover(
                        with: SecretBytes(text: key),
                        newSecret: SecretBytes(text: Self.pin)
                    )
                },
                .authorised("createRecoveryKey(_:show:)") {
                    _ = try await vault.createRecoveryKey(take(2)) { _ in }
                },
                .authorised("confirmRecoveryKey(_:_:)") {
                    try await vault.confirmRecoveryKey(SecretBytes(text: key), take(13))
                },
                .authorised("removeRecoveryKey(_:)") { try await vault.removeRecoveryKey(take(3)) },
                .authorised("enableBiometrics(_:_:)", inSystemMode: .systemModeOnly) {
                    try await vault.enableBiometrics(made.consent, take(4))
                },
                Attempt("enableBiometrics(_:with:)", .wrongSecretForEnabling, inSystemMode: .systemModeOnly) {
                    try await vault.enableBiometrics(made.consent, with: SecretBytes(text: Self.pin))
                },
                Attempt("disableBiometrics(_:reason:)", .authorizationExpired) {
                    try await vault.disableBiometrics(nil)
                },
                .authorised("enableSystemAuthentication(_:_:_:)", inSystemMode: .systemModeOnly) {
                    try await vault.enableSystemAuthentication(
                        try TestVault.offer,
                        made.consent(to: .enabling),
                        take(5)
                    )
                },
                .authorised("enableSystemAuthentication(_:_:_:provedBy:)", inSystemMode: .systemModeOnly) {
                    try await vault.enableSystemAuthentication(
                        try TestVault.offer,
                        made.consent(to: .enabling),
                        take(15),
                        provedBy: TestVault.words
                    )
                },
                Attempt("enableSystemAuthentication(_:_:byBiometrics:)", .authorizationExpired) {
                    try made.simulated.simulate(.finger(.match))
                    try await vault.enableSystemAuthentication(
                        try TestVault.offer,
                        made.consent(to: .enabling),
                        byBiometrics: TestVault.words
                    )
                },
                Attempt("unlockWithSystem(_:)", .systemModeOff) { _ = try await made.system() },
                Attempt("confirmSystemExit(_:_:)", .systemModeOff) { _ = try await made.confirmExit() },
                Attempt(
                    "disableSystemAuthentication(_:newSecret:)",
                    .systemModeOff,
                    inSystemMode: .authorizationExpired
                ) {
                    let other = try await TestVault.inSystemMode().made
                    try await vault.disableSystemAuthentication(
                        try await other.confirmExit(),
                        newSecret: SecretBytes(text: Self.pin)
                    )
                },
                .authorised("rekey(with:recoveryKey:keeping:_:)", inSystemMode: .systemModeOnly) {
                    try await vault.rekey(with: SecretBytes(text: Self.pin), recoveryKey: nil, take(10))
                },
                .authorised("setPolicy(_:_:)") {
                    try await vault.setPolicy(take(12)) { $0.allowsSystemModeFromBiometrics = true }
                },
                .authorised("backUp(to:_:progress:)") { try await vault.backUp(to: backup, take(6)) },
                .authorised("backUp(into:_:progress:)") {
                    try await vault.backUp(into: .newFile(backup), take(11))
                },
                .authorised("deleteWallet(_:_:)") { try await vault.deleteWallet(wallet.id, take(7)) },
                .authorised("exportWallet(_:_:_:)") {
                    try await vault.exportWallet(wallet.id, take(8)) { _, _ in }
                },
                .authorised("exportWallets(_:_:_:)") {
                    _ = try await vault.exportWallets([wallet.id], take(9)) { _, _ in }
                },
                Attempt("migrate(in:device:secret:newSecret:biometrics:prompt:configuration:)", .vaultExists) {
                    _ = try await Vault.migrate(
                        in: path,
                        device: made.device,
                        secret: SecretBytes(text: FormerApp.pin),
                        newSecret: SecretBytes(text: Self.pin),
                        configuration: former.configuration()
                    )
                },
                Attempt("migrateWithBiometrics(in:device:prompt:newSecret:configuration:)", .vaultExists) {
                    try made.simulated.simulate(.finger(.match))
                    _ = try await Vault.migrateWithBiometrics(
                        in: path,
                        device: made.device,
                        prompt: TestVault.words,
                        newSecret: SecretBytes(text: Self.pin),
                        configuration: former.configuration()
                    )
                },
                Attempt(
                    "completeMigration(with:newSecret:keepingBothAs:prompt:withoutBiometrics:)",
                    .legacyAlreadyMigrated
                ) {
                    try await vault.completeMigration(
                        with: SecretBytes(text: Self.pin),
                        newSecret: SecretBytes(text: Self.pin),
                        keepingBothAs: WalletName("Another"),
                        prompt: TestVault.words
                    )
                },
                Attempt("create(in:device:secret:policy:biometrics:configuration:)", .vaultExists) {
                    _ = try await Vault.create(
                        in: path,
                        device: made.device,
                        secret: SecretBytes(text: Self.pin),
                        policy: TestVault.policy
                    )
                },
                Attempt("restore(from:in:device:recoveryKey:newSecret:configuration:progress:)", .vaultExists) {
                    _ = try await Vault.restore(
                        from: path + "/vault.sqlite",
                        in: path,
                        device: made.device,
                        recoveryKey: SecretBytes(text: key),
                        newSecret: SecretBytes(text: Self.pin)
                    )
                },
                Attempt(
                    "restore(from:in:device:recoveryKey:newSecret:allowing:configuration:progress:)",
                    .vaultExists
                ) {
                    _ = try await Vault.restore(
                        from: path + "/vault.sqlite",
                        in: path,
                        device: made.device,
                        recoveryKey: SecretBytes(text: key),
                        newSecret: SecretBytes(text: Self.pin),
                        allowing: .simulated,
                        configuration: VaultConfiguration(),
                        progress: { _ in }
                    )
                },
            ]
        }

        /// What a finger may do: none of it can set a PIN, and `reset` takes the wallets along.
        static let harmless: Set<String> = [
            "open(in:device:configuration:)", "lock()", "enterBackground()", "enterForeground()", "lockIfIdle()",
            "refresh()", "close()", "snapshots()", "unlockWithBiometrics(_:)", "wallets()", "inventory()",
            "checkWallets()", "wallet(named:)", "inventory(of:)",
            "addWallet(named:_:)", "addWallets(_:)", "renameWallet(_:to:)", "withSecret(of:_:)",
            "withSecret(of:_:_:)", "reset(_:)", "biometricRecord()", "evaluateUnlockPolicy(_:)",
            "obstacleToSystemAuthentication(_:)", "cover()", "followDevice()", "eraseLegacy(_:)",
            "acceptOlderCopy(_:_:)", "publish()", "returnToForeground()", "appBecame(_:)", "decision(for:)",
            "biometricEnvelope()", "checkBackup(at:)", "withDerivedKey(_:_:)",
            // It asks for the recovery key, and makes nothing.
            "verifyBackup(at:recoveryKey:in:noting:at:)",
            // Of the screens, through calls that are tried or named here.
            "unlock(by:in:)", "makeRecoveryKey(_:)", "disableBiometrics(with:reason:)",
            "exportWords(of:_:)", "trailPage(before:limit:)", "backupDate()",
            // Tried below by itself, because it succeeds.
            "migrate(_:with:progress:)", "migrate(all:_:)",
            // An account's: each asks for what only its password gives, or takes rights away. None makes a PIN.
            "begin(in:device:policy:configuration:)", "create(by:)", "accept(_:of:)", "accept(_:)", "hasLost(_:)",
            "unlock(with:since:)", "publicKey(of:)", "tolerate(_:)",
            "unlock(with:)", "unlockOffline(_:)", "endOfflineLogin()", "renewDevice()", "refuseAccountPassword()",
            "putBack(contactKey:)",
            // They tell what happened, and keep what a service said of it.
            "nextUpload()", "delivered(_:_:)", "forked(_:)", "refused(_:_:)", "lostKey(of:)", "awaitsLogin(_:after:)",
            "caught(_:answer:to:)", "learn(_:)", "pressDelivery()",
            "trail(after:limit:)", "exportTrail(_:former:to:)", "insecurelyTell(_:times:together:)",
            "open(_:device:configuration:asking:)", "returnToForeground(asking:)", "followDevice(asking:)",
        ]

        private func take(_ number: Int) throws -> StrongAuthorization { try stale[number].take() }
    }

    private static func thief(
        policy: VaultPolicy = TestVault.policy,
        holdsFinger: Bool = true
    ) async throws -> Thief {
        let made = try await TestVault.make(policy: policy, biometrics: true)
        let wallet = try await made.add("Savings")
        _ = try await made.makeRecoveryKey()
        let own = try await TestVault.make(on: made.simulated)
        try await own.add("Own")
        let key = try await own.makeRecoveryKey()
        var stale: [Held<StrongAuthorization>] = []
        for number in 0..<16 { stale.append(Held(try await (number % 2 == 0 ? made : own).strong())) }
        await made.vault.lock()
        if holdsFinger { try await made.touch() }
        let former = try await FormerApp(biometric: FormerApp.words, on: made.simulated)
        return Thief(made: made, wallet: wallet, stale: stale, key: key, former: former)
    }

    @Test(.holds("C15")) func `every call of a vault from outside is tried below, or is named as one that sets no PIN`()
        async throws
    {
        let calls = try VaultCalls.fromOutside()
        let tried = Set(try await Self.thief(holdsFinger: false).attempts().map(\.name))
        #expect(calls == tried.union(Thief.harmless), "a new call needs a thought about C15")
        // The control: none of an app's is passed over, nor one of another room.
        let seen = try VaultCalls.ofApps()
        #expect(seen.count > 40 && calls.isSuperset(of: seen))
        #expect(calls.isSuperset(of: ["evaluateUnlockPolicy(_:)", "unlock(by:in:)"]))
    }

    @Test(.holds("C15")) func `with a finger former wallets come in, and no way in with them`() async throws {
        let thief = try await Self.thief()
        let slots = try thief.made.slots().map(\.id)
        let former = LegacyMigration(
            of: LegacyItems(in: thief.made.device.store, sealed: FormerApp.sealedItem, biometric: nil),
            named: try WalletName("Another")
        )
        try await thief.made.vault.migrate([former], with: SecretBytes(text: FormerApp.pin))
        try await thief.made.vault.eraseLegacy()
        #expect(try thief.made.slots().map(\.id) == slots)
        #expect(await refusal { try await thief.made.give(FormerApp.pin) } == .strongFactorRefused)
        try await Self.expectUntouched(thief, "migrate")
    }

    @Test(.holds("C15", "A24"))
    func `in a half migrated vault a finger sets no PIN, and the former one still completes it`()
        async throws
    {
        let app = try await FormerApp(biometric: FormerApp.words)
        try await app.migrateByFinger(newPIN: Thief.pin).vault.close()
        let half = try await app.open()
        for opens in [false, true] {
            if opens { try await half.touch() }
            let code = await refusal {
                try await half.vault.completeMigration(
                    with: SecretBytes(text: Thief.pin),
                    newSecret: SecretBytes(text: Thief.pin),
                    keepingBothAs: WalletName("Another")
                )
            }
            #expect(code == .strongFactorRefused)
        }
        let taken = await refusal {
            try await half.vault.migrate([app.migration], with: SecretBytes(text: Thief.pin))
        }
        #expect(taken == .migrationIncomplete)
        #expect(await refusal { try await app.migrateByFinger(newPIN: Thief.pin) } == .legacyMissing)
        #expect(await refusal { try await half.give(Thief.pin) } == .strongFactorRefused)
        #expect(try half.slots().map(\.kind) == [.biometric])
        try await half.give(FormerApp.pin)
        #expect(try await half.mnemonics() == ["Former": FormerApp.words])
    }

    @Test(.holds("C15")) func `in a session that a finger opened no call sets a PIN or makes a way to one`()
        async throws
    {
        for number in try await Self.thief().attempts().indices {
            let thief = try await Self.thief()
            let attempt = thief.attempts()[number]
            #expect(await refusal(attempt.call) == attempt.inSession, "\(attempt.name)")
            try await Self.expectUntouched(thief, attempt.name)
        }
    }

    @Test(.holds("C15")) func `with a finger and a locked vault no call sets one either`() async throws {
        for number in try await Self.thief(holdsFinger: false).attempts().indices {
            let thief = try await Self.thief(holdsFinger: false)
            try thief.made.simulated.simulate(.finger(.match))
            let attempt = thief.attempts()[number]
            #expect(await refusal(attempt.call) == attempt.whileLocked, "\(attempt.name)")
            try await Self.expectUntouched(thief, attempt.name)
        }
    }

    @Test(.holds("C15")) func `one call after the other, in any order, leads to no PIN`() async throws {
        for start in 0..<6 {
            let thief = try await Self.thief()
            let attempts = thief.attempts()
            for offset in attempts.indices {
                let attempt = attempts[(start * 4 + offset) % attempts.count]
                _ = await refusal(attempt.call)
                if !(await thief.made.isOpen) {
                    try? await thief.made.touch()
                }
                #expect(try thief.made.slots().contains { $0.kind == .system } == false, "\(attempt.name)")
            }
            try await Self.expectUntouched(thief, "from \(start)")
        }
    }

    private static func expectUntouched(_ thief: Thief, _ name: String) async throws {
        let made = thief.made
        let again = try await made.restarted()
        let kinds: [SlotKind] = try made.slots().map(\.kind)
        #expect(kinds.count { $0 == .localSecret } == 1 && !kinds.contains(.system), "\(name)")
        // The wait that wrong guesses have cost is over after a day.
        try made.waitADay()
        #expect(await refusal { try await again.open(with: Thief.pin) } == .strongFactorRefused, "\(name)")
        try made.waitADay()
        try await again.strong()
        #expect(await again.isOpen, "\(name)")
    }

    @Test(.holds("C15", "A12")) func `a session that a finger opened can't guess the PIN faster than a locked vault`()
        async throws
    {
        let thief = try await Self.thief()
        let made = thief.made
        for number in 1...4 {
            #expect(await refusal { try await made.guess(number) } == .strongFactorRefused)
            #expect(await made.isOpen)
        }
        let wait = await fault { try await made.guess(5) }
        #expect(wait?.code == .attemptDelayed && wait?.retryAfter == .seconds(30))
        // A finger forgives none of it.
        await made.vault.lock()
        try await made.touch()
        #expect(await fault { try await made.guess(6) }?.code == .attemptDelayed)
        #expect(await made.vault.snapshot.failedAttempts == 4)
        for wait in [Milliseconds.seconds(30), .minutes(1), .minutes(5), .minutes(15), .hours(1), .hours(4)] {
            try made.advance(wait)
            #expect(await refusal { try await made.guess(7) } == .strongFactorRefused)
        }
        try made.waitADay()
        #expect(await refusal { try await made.strong() } == .localSecretSuspended)
    }

    @Test(.holds("C15"))
    func `where a policy lets a finger turn system mode on, the owner chose that, and was asked for a finger`()
        async throws
    {
        var policy = TestVault.policy
        policy.allowsSystemModeFromBiometrics = true
        let thief = try await Self.thief(policy: policy)
        // No call but the one that the policy names gets further than under any other.
        for attempt in thief.attempts() where attempt.name != "enableSystemAuthentication(_:_:byBiometrics:)" {
            #expect(await refusal(attempt.call) == attempt.inSession, "\(attempt.name)")
            if !(await thief.made.isOpen) { try await thief.made.touch() }
        }
        #expect(try thief.made.slots().contains { $0.kind == .localSecret })
    }

    @Test(.holds("C15", "S-05")) func `in system mode a session sets no PIN without a prompt of its own`() async throws
    {
        let (made, _, wallet) = try await TestVault.inSystemMode()
        await made.vault.lock()
        let key = try await TestVault.make(on: made.simulated).makeRecoveryKey()
        let former = try await FormerApp(biometric: FormerApp.words, on: made.simulated)
        // Each call takes an authorisation of the session that is open, and not one that is used up.
        func thief() async throws -> Thief {
            let given = Held(try await made.system())
            try made.advance(.minutes(2))
            return Thief(
                made: made,
                wallet: wallet,
                stale: Array(repeating: given, count: 16),
                key: key,
                former: former
            )
        }
        let prompting = ["unlockWithSystem(_:)", "confirmSystemExit(_:_:)"]
        for number in try await thief().attempts().indices {
            let attempt = try await thief().attempts()[number]
            guard !prompting.contains(attempt.name) else { continue }
            let before = made.simulated.promptsShown
            #expect(await refusal(attempt.call) == attempt.inSystemMode, "\(attempt.name)")
            #expect(made.simulated.promptsShown == before, "\(attempt.name)")
        }
        let again = try await made.restarted()
        #expect(await again.vault.snapshot.mode == .system)
        try await again.vault.unlockWithSystem(TestVault.words)
        #expect(await again.isOpen)
    }
}
