import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules
import ThumbturnTestKit

extension OnThePhone {
    /// A vault's life through the Java that an app uses: actions and the value, nothing else.
    @Suite("A vault on Android, through Java")
    struct AndroidVaultTests {
        private let pin = "204518"
        private let words = "legal winner thank year wave sausage worth useful legal winner thank yellow"
        private static let done = #"{"error":null}"#

        /// Does an action of a screen.
        private func does(_ screen: String, _ name: String, _ members: String = "", secret: String? = nil) throws
            -> String
        {
            let taken = secret == nil ? "" : #","secret":"taken""#
            let action = #"{"name":"\#(name)","screen":"\#(screen)"\#(members)\#(taken)}"#
            return try Phone.call("send", secret.map { action + "\n" + $0 } ?? action)
        }

        private func expectDone(
            _ screen: String,
            _ name: String,
            _ members: String = "",
            secret: String? = nil,
            at location: SourceLocation = #_sourceLocation
        ) throws {
            #expect(try does(screen, name, members, secret: secret) == Self.done, sourceLocation: location)
        }

        private func screen(_ name: String) throws -> JSON {
            try JSON(reading: Array(Phone.call("fields").utf8), byteLimit: 1 << 20)["screens"]?[name] ?? .null
        }

        /// Waits until the lock screen has a state.
        private func shows(_ state: String) async { await until { (try? screen("unlock").text("state")) == state } }

        private func touch(_ touches: String...) throws { for touch in touches { try Phone.call("touch", touch) } }

        /// Makes a vault with biometrics, and leaves it open.
        private func made(at level: Int) async throws -> PhoneApp {
            let app = try await PhoneApp(level: level)
            try expectDone("app", "start")
            for _ in 1...2 { try expectDone("onboarding", "submitSecret", secret: pin) }
            try expectDone("onboarding", "answer", #","consent":true"#)
            await shows("UNLOCKED")
            return app
        }

        @Test(
            .holds("B-11", "B-06", "C2", "A28", "A29", "A33", "A62", "P-107-06"),
            arguments: Phone.levels
        )
        func `a phone has a vault's whole life`(level: Int) async throws {
            let app = try await made(at: level)

            // A finger.
            try expectDone("unlock", "lock")
            try touch("match")
            try expectDone("unlock", "unlockWithBiometric")
            await shows("UNLOCKED")

            // A dismissed prompt opens nothing; a wrong PIN neither; the PIN does.
            try expectDone("unlock", "lock")
            try touch("cancel")
            #expect(try does("unlock", "unlockWithBiometric") != Self.done)
            #expect(try does("unlock", "submitSecret", secret: "204519") != Self.done)
            try expectDone("unlock", "submitSecret", secret: pin)

            // One more finger revokes: no prompt, the PIN, and a new item.
            try expectDone("unlock", "lock")
            try Phone.call("happen", "enroll")
            let shown = try Phone.call("prompts")
            #expect(try does("unlock", "unlockWithBiometric") != Self.done)
            #expect(try Phone.call("prompts") == shown)
            try expectDone("unlock", "submitSecret", secret: pin)
            try expectDone("unlock", "answerOffer", #","consent":true"#)
            try expectDone("unlock", "lock")
            try touch("match")
            try expectDone("unlock", "unlockWithBiometric")

            // A wallet goes in, and comes out by the PIN.
            let id = try await imported()
            try expectDone("wallets", "export", #","wallet":"\#(id)""#, secret: pin)
            #expect(try Phone.call("lent") == words)

            let (backup, key) = try await backedUp()
            try expectDone("unlock", "reset", #","typed":"RESET""#)
            await until { (try? screen("unlock")["screen"]?.text("name")) == "erased" }

            // Another phone has neither keys nor files of this one, and the backup brings the wallet.
            try Phone.call("happen", "restoreElsewhere")
            let restored = try await Vault.restore(
                from: backup,
                in: app.folder.file("restored"),
                device: app.device,
                recoveryKey: SecretBytes(text: key),
                newSecret: SecretBytes(text: "840275")
            )
            let wallet = try #require(try await restored.wallets().first)
            let proof = try await restored.unlock(with: SecretBytes(text: "840275"))
            #expect(try await restored.exportWallet(wallet.id, proof) { _, bytes in bytes.exposedText } == words)
            await restored.close()
            try await app.close()
        }

        /// Imports a wallet, and returns its id.
        private func imported() async throws -> String {
            try expectDone("wallets", "import", #","wallet":"Savings""#, secret: words)
            await until { if case .array(let list)? = try? screen("wallets")["list"] { !list.isEmpty } else { false } }
            guard case .array(let list)? = try screen("wallets")["list"] else { return "" }
            return try #require(list.first).text("id")
        }

        /// Makes a recovery key and a backup by the screens' actions, and returns the backup's path and the key.
        private func backedUp() async throws -> (path: String, key: String) {
            try expectDone("recoveryKey", "make")
            try expectDone("recoveryKey", "submitSecret", secret: pin)
            try expectDone("recoveryKey", "showKey")
            let key = try Phone.call("lent")
            try expectDone("recoveryKey", "keyIsWritten")
            try expectDone("recoveryKey", "submitSecret", secret: key)
            // The screen hears of the key by the vault's next snapshot, and does not begin before.
            await until { if case .null? = try? screen("backup")["obstacle"] { true } else { false } }
            try expectDone("backup", "start")
            try expectDone("backup", "submitSecret", secret: pin)
            await until { (try? screen("backup").text("step")) == "made" }
            return (try screen("backup").text("path"), key)
        }

        @Test(.holds("S-04", "S-05", "S-06", "C2", "B-11"), arguments: Phone.levels)
        func `in system mode the phone's finger or PIN opens, whoever is enrolled, until its screen lock goes`(
            level: Int
        ) async throws {
            let app = try await PhoneApp(level: level)
            let made = try await TestVault.make(biometrics: true, seenAs: app.device)
            let wallet = try await made.add("Savings")
            let key = try await made.makeRecoveryKey()
            try await turnOn(made)
            for touches in [["match"], ["passcode"], ["mismatch", "match"]] {
                await made.vault.lock()
                for touch in touches { try Phone.call("touch", touch) }
                try await made.vault.unlockWithSystem(TestVault.words)
                #expect(try await made.secret(of: wallet.id) == "a secret of many words")
            }
            await made.vault.lock()
            try Phone.call("happen", "enroll")
            try Phone.call("touch", "match")
            try await made.vault.unlockWithSystem(TestVault.words)

            // Off: the owner, and a new PIN, which alone opens from then on.
            try Phone.call("touch", "passcode")
            let off = SystemModeConsent(to: .disabling, ownerAgreedAt: app.device.clock())
            let exit = try await made.vault.confirmSystemExit(off, TestVault.words)
            try await made.vault.disableSystemAuthentication(exit, newSecret: SecretBytes(text: TestVault.pin))
            #expect(await refusal { try await made.vault.unlockWithSystem(TestVault.words) } == .systemModeOff)
            try await made.strong()

            // On again: its key ends with the phone's screen lock, and the recovery key is left.
            try await turnOn(made)
            await made.vault.lock()
            try Phone.call("happen", "passcodeOff")
            try Phone.call("happen", "passcodeOn")
            #expect(await refusal { try await made.vault.unlockWithSystem(TestVault.words) } == .keyMissing)
            try await made.vault.unlock(withRecoveryKey: SecretBytes(text: key))
            #expect(try await made.secret(of: wallet.id) == "a secret of many words")
            await made.vault.close()
            try await app.close()
        }

        private func turnOn(_ made: TestVault) async throws {
            let offer = try #require(SystemModeFlag.open.offer(to: "anybody"))
            let consent = SystemModeConsent(to: .enabling, ownerAgreedAt: made.device.clock())
            try await made.vault.enableSystemAuthentication(offer, consent, made.strong())
        }

        @Test(.holds("A37"), arguments: Phone.levels)
        func `a window is kept off pictures, and covered when its app leaves`(level: Int) async throws {
            let app = try await PhoneApp(level: level)
            let recents = level < 33
            #expect(try Phone.call("window") == "8192 \(recents) false")
            try Phone.call("happen", "background")
            #expect(try Phone.call("window") == "8192 \(recents) true")
            try Phone.call("happen", "foreground")
            #expect(try Phone.call("window") == "8192 \(recents) false")
            try await app.close()
        }

        @Test(.holds("A37"), arguments: Phone.levels)
        func `a window that was there before its vault is kept off pictures once it comes to the front`(
            level: Int
        ) async throws {
            let app = try await PhoneApp(level: level, isSeen: false)
            #expect(try Phone.call("window") == "0 true false")
            try Phone.call("happen", "foreground")
            #expect(try Phone.call("window") == "8192 \(level < 33) false")
            try await app.close()
        }

        @Test(arguments: Phone.levels)
        func `a secret that its app could not take is no success, and may be asked for again`(level: Int) async throws {
            let app = try await made(at: level)
            let wallet = #","wallet":"\#(try await imported())""#
            try Phone.call("takesSecrets", "false")
            let refused = try does("wallets", "export", wallet, secret: pin)
            #expect(refused.contains(#""code":"SECRET_NOT_TAKEN""#))
            #expect(try Phone.call("lent") == "")
            try Phone.call("takesSecrets", "true")
            try expectDone("wallets", "export", wallet, secret: pin)
            #expect(try Phone.call("lent") == words)
            try await app.close()
        }
    }
}

extension JSON {
    fileprivate func text(_ name: String) -> String {
        guard case .string(let text)? = self[name] else { return "" }
        return text
    }
}

/// Waits until something is so, or ten seconds have passed.
func until(_ fact: () -> Bool) async {
    for _ in 1...2_000 where !fact() { try? await Task.sleep(nanoseconds: 5_000_000) }
    #expect(fact())
}
