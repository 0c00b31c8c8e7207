import Foundation
import Testing
import Thumbturn
import ThumbturnAccount
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnSimulator
import ThumbturnTestKit
import ThumbturnTransport

extension OverSocketTests {
    /// `--ca` and `--pin`, at a service that speaks TLS.
    @Suite struct AccountTrustTests {
        private let authority: Authority
        private let service: TestService
        private var place: [String] { ["--service", service.origin, "--ca", authority.file] }

        init() throws {
            authority = try Authority()
            _ = try authority.certify("IP:127.0.0.1")
            service = try TestService("--tls-cert", authority.chain, "--tls-key", authority.key)
            try #require(service.origin.hasPrefix("https://"))
        }

        @Test func `what vouches for the service is remembered, and asked of it each time`() throws {
            let box = try Box()
            let pin = try authority.pin()
            try box.run(["account", "register", "ada"] + place + ["--pin", pin], [Passwords.old]).ends(0)
            try box.run(["account", "contact"]).ends(0)
            try box.run(["account", "login"], [Passwords.old]).ends(0)

            // Another certificate of the same authority, with another key: whoever has that is not the service.
            service.stop()
            _ = try authority.certify("IP:127.0.0.1")
            try service.start()
            try box.run(["account", "contact"]).ends(4, "ERR-TT-502")
            try box.run(["account", "login"], [Passwords.old]).ends(4, "ERR-TT-502")
            // Who gave no pin goes on.
            let other = try Box()
            try other.run(["account", "login", "ada"] + place, [Passwords.old]).ends(0)
            try other.run(["account", "contact"]).ends(0)
        }

        @Test func `who names the service anew renews what vouches for it, and a pin stays until another is named`()
            throws
        {
            let box = try Box()
            let kept = box.folder + "/authority.pem"
            try FileManager.default.copyItem(atPath: authority.file, toPath: kept)
            let words = ["account", "login", "ada", "--service", service.origin]
            try box.run(
                [
                    "account", "register", "ada", "--service", service.origin, "--ca", kept, "--pin",
                    try authority.pin(),
                ],
                [Passwords.old]
            )
            .ends(0)
            try FileManager.default.removeItem(atPath: kept)
            try box.run(["account", "login"], [Passwords.old]).ends(2, "ERR-TT-301")
            try box.run(words, [Passwords.old]).ends(2, "ERR-TT-301")
            try box.run(words + ["--ca", authority.file], [Passwords.old]).ends(0)
            try box.run(["account", "login"], [Passwords.old]).ends(0)
            service.stop()
            _ = try authority.certify("IP:127.0.0.1")
            try service.start()
            try box.run(words + ["--ca", authority.file], [Passwords.old]).ends(4, "ERR-TT-502")
            try box.run(words + ["--pin", try authority.pin()], [Passwords.old]).ends(0)
            try box.run(["account", "contact"]).ends(0)
        }

        @Test func `a service that nobody vouches for, and a wrong pin, hear nothing of an account`() throws {
            let (box, other) = (try Box(), try Authority())
            _ = try other.certify("IP:127.0.0.1")
            let words = ["account", "register", "ada"]
            try box.run(words + ["--service", service.origin], [Passwords.old]).ends(4, "ERR-TT-515")
            try box.run(words + place + ["--pin", try other.pin()], [Passwords.old]).ends(4, "ERR-TT-502")
            try box.run(words + ["--service", service.origin, "--ca", other.file], [Passwords.old])
                .ends(4, "ERR-TT-515")
            try box.run(words + place + ["--pin", "AAAA"], [Passwords.old]).ends(2, "ERR-TT-301")
            try box.run(words + place, [Passwords.old]).ends(0)
        }
    }

    /// `--offline-password`: what a password opens while its service can't be reached.
    @Suite struct OfflinePasswordTests {
        private let service: TestService

        init() throws { service = try TestService() }

        @Test(.holds("F-107-05"))
        func `it opens the vault, and exports and enables nothing; guesses wait, and the service ends the wait`() throws
        {
            let box = try Box.device("register", at: service, "--offline-password")
            let password = [Passwords.old]
            try box.run(["wallet", "import", "Main"], password + [Box.mnemonic]).ends(0)
            service.stop()
            try box.run(["unlock"], password).ends(0)
            #expect(try box.run(["wallet", "list"], password).ends(0).standardOutput.contains("Main"))
            let export = try box.run(["wallet", "export", "Main"], password).ends(3, "ERR-TT-501")
            #expect(!export.standardOutput.contains(Box.mnemonic))
            try box.run(["biometrics", "enable"], password).ends(3, "ERR-TT-501")
            try box.run(["recovery", "create"], password).ends(3, "ERR-TT-501")
            try box.run(["account", "login"], password).ends(3, "ERR-TT-501")

            for number in 0..<4 { try box.run(["unlock"], ["a wrong password \(number)"]).ends(1, "ERR-107-040") }
            try box.run(["unlock"], ["a wrong password 4"]).ends(1, "ERR-TT-102")
            try box.run(["unlock"], password).ends(1, "ERR-TT-102")
            try service.start()
            try box.run(["unlock"], password).ends(0)
            service.stop()
            try box.run(["unlock"], password).ends(0)
        }

        @Test(.holds("B-08", "C5", "F-107-03"))
        func `where the policy asks for the password, that turns biometrics off while the service is away`()
            async throws
        {
            let box = try Box()
            for folder in [box.vault, box.device] { try Folders.makeParents(of: folder) }
            var policy = TestVault.accountPolicy
            (policy.requiresSecretToDisable, policy.allowsOfflinePassword) = (true, true)
            let made = try await AccountVault.register(
                "ada",
                password: SecretBytes(text: Passwords.old),
                over: .system(origin: service.origin),
                in: box.vault,
                device: SimulatedDevice(folder: box.device).device,
                policy: policy
            )
            await made.account.vault.close()
            try box.run(["biometrics", "enable"], [Passwords.old]).ends(0)
            service.stop()
            try box.run(["biometrics", "disable"]).ends(2, "ERR-TT-302")
            try box.run(["biometrics", "disable"], [Passwords.new]).ends(1, "ERR-107-040")
            try box.unlock("match").ends(0)
            try box.run(["biometrics", "disable"], [Passwords.old]).ends(0)
            try box.unlock("match").ends(2, "ERR-TT-302")
        }

        @Test(.holds("F-107-05")) func `without it the password opens nothing, and no guess is counted`() throws {
            let box = try Box.device("register", at: service)
            service.stop()
            for _ in 0..<6 { try box.run(["unlock"], [Passwords.new]).ends(3, "ERR-TT-501") }
            try box.run(["unlock"], [Passwords.old]).ends(3, "ERR-TT-501")
            try service.start()
            try box.run(["unlock"], [Passwords.old]).ends(0)
            try box.run(
                ["account", "login", "ada", "--service", service.origin, "--offline-password"],
                [Passwords.old]
            )
            .ends(2, "ERR-TT-301")
        }
    }
}
