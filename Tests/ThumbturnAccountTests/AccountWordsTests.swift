import Foundation
import Testing
import ThumbturnConsole
import ThumbturnSQLite
import ThumbturnTestKit

@testable import Thumbturn

extension OverSocketTests {
    /// What somebody meets who uses an account's vault in French: the texts of seed 002, section 6, word for word, and the way
    /// on.
    @Suite struct AccountWordsTests {
        private let service: TestService
        private let box: Box

        init() throws {
            service = try TestService()
            box = try Box.device("register", at: service)
        }

        private func french(_ words: [String], _ lines: [String]? = nil) throws -> ChildProcess {
            try box.run(words, lines, Box.french)
        }

        /// A finger, and then no password: its refusal is the answer.
        private func refused(_ touch: String) throws -> ChildProcess {
            try simulate("finger", touch)
            return try french(["unlock"], [""])
        }

        private func simulate(_ words: String...) throws { try box.run(["simulate"] + words).ends(0) }

        private func enable() throws { try box.run(["biometrics", "enable"], [Passwords.old]).ends(0) }

        /// The strong unlock, which ends every demand.
        private func logIn(_ password: String = Passwords.old) throws {
            try french(["account", "login"], [password]).ends(0)
        }

        @Test(.holds("F-107-01", "F-107-02", "ERR-107-001", "ERR-107-010", "ERR-107-020"))
        func `what may refuse the enabling leaves biometrics off, and the next try enables`() throws {
            let enable = ["biometrics", "enable"]
            try simulate("sensor", "none")
            let none = "Face ID/Touch ID non disponible sur cet appareil"
            try french(enable, [Passwords.old]).ends(1, "ERR-107-001", none)
            try logIn()
            try simulate("sensor", "touch")
            try french(enable, [Passwords.new]).ends(1, "ERR-107-010", "Mot de passe incorrect.")
            try simulate("fault", "save-fails")
            try french(enable, [Passwords.old]).ends(3, "ERR-107-020", "Impossible d'activer la biométrie")
            #expect(try box.json(["biometrics", "status"])["isEnabled"] as? Bool == false)
            try french(enable, [Passwords.old]).ends(0)
            try box.unlock("match").ends(0)
        }

        @Test(.holds("F-107-03", "ERR-107-021"))
        func `what could not be deleted is off, and goes at the next start`() throws {
            try enable()
            try simulate("fault", "delete-fails")
            let told = try french(["biometrics", "disable"], [Passwords.old])
            told.ends(3, "ERR-107-021", "Désactivation incomplète, nouvelle tentative requise.")
            try box.unlock("match").ends(2, "ERR-TT-302")
            try enable()
            try box.unlock("match").ends(0)
        }

        @Test(.holds("F-107-05", "F-107-06", "INV-107-08", "ERR-107-030", "ERR-107-031", "ERR-107-040"))
        func
            `a strange finger and a cancelled prompt are tried again or answered by the password, the third one by that alone`()
            throws
        {
            try enable()
            let strange = "Authentification biométrique échouée."
            try box.unlock("mismatch", Box.french).ends(1, "ERR-107-030", strange)
            try refused("cancel").ends(1, "ERR-107-031", "Authentification annulée.")
            try logIn()
            for _ in 0..<3 { try box.unlock("mismatch", Box.french).ends(1, "ERR-107-030", strange) }
            let demand = "Votre code ou mot de passe est requis."
            try refused("match").ends(1, "ERR-TT-101", demand)
            try french(["account", "login"], [Passwords.new]).ends(1, "ERR-107-040", "Impossible de vous authentifier.")
            try refused("match").ends(1, "ERR-TT-101", demand)
            try logIn()
            try box.unlock("match").ends(0)
        }

        @Test(.holds("F-107-06", "ERR-107-050"))
        func `a ledger that somebody changed asks for the password at once, which resets it`() throws {
            try enable()
            let file = box.database
            let database = try Database(opening: file, format: VaultStore.format)
            let bytes = try database.rows("SELECT mac FROM attempt_ledger")[0].blob(0)
            try database.run("UPDATE attempt_ledger SET mac = ?", .blob(bytes.map { ~$0 }))
            database.close()
            try box.unlock("match", Box.french).ends(1, "ERR-107-050", "Vérification de sécurité requise.")
            // No day's wait; what was changed may have been more than the counter, so the owner says that it counts.
            try french(["account", "login"], [Passwords.new]).ends(1, "ERR-107-040")
            try french(["account", "login"], [Passwords.old]).ends(4, "ERR-TT-218")
            let phrase = OlderCopyConfirmation.phrase
            try french(["unlock", "--accept-older-copy"], [Passwords.old, phrase]).ends(0)
            try box.unlock("match").ends(0)
        }

        @Test(.holds("F-107-07", "ERR-107-060"))
        func `another finger on the device ends biometrics until they are enabled by hand`() throws {
            try enable()
            try simulate("enroll")
            let changed = "Vos données biométriques ont changé. Réactivez la biométrie."
            try box.unlock("match", Box.french).ends(1, "ERR-107-060", changed)
            try logIn()
            try box.unlock("match").ends(2, "ERR-TT-302")
            try enable()
            try box.unlock("match").ends(0)
        }

        @Test(.holds("F-107-08", "INV-107-01", "INV-107-09", "ERR-107-070"))
        func `half an hour, another boot and a clock that makes no sense each ask for the password once`() throws {
            try enable()
            for event in [["advance", "31m"], ["reboot"], ["clock", "-1y"]] {
                try box.run(["simulate"] + event).ends(0)
                for _ in 0..<2 {
                    let told = try box.unlock("match", Box.french)
                    told.ends(1, "ERR-107-070", "Session expirée. Mot de passe requis.")
                }
                try logIn()
                try box.unlock("match").ends(0)
            }
        }

        @Test(.holds("F-107-09", "ERR-107-080"))
        func
            `a password that changed elsewhere, and a week without a word, end biometrics until they are enabled by hand`()
            throws
        {
            try enable()
            let other = try Box.device("login", at: service)
            let words = "Vérification de sécurité requise."
            try other.run(["account", "password"], [Passwords.old, Passwords.new]).ends(0)
            try french(["account", "contact"]).ends(0)
            try box.unlock("match", Box.french).ends(1, "ERR-107-080", words)
            let failed = "Impossible de vous authentifier."
            try french(["account", "login"], [Passwords.old]).ends(1, "ERR-107-040", failed)
            try logIn(Passwords.new)
            try box.run(["biometrics", "enable"], [Passwords.new]).ends(0)
            try box.unlock("match").ends(0)

            service.stop()
            try simulate("advance", "8d")
            try box.unlock("match", Box.french).ends(1, "ERR-107-080", words)
            let away = "Le service du compte est injoignable."
            try french(["account", "login"], [Passwords.new]).ends(3, "ERR-TT-501", away)
            try service.start()
            try logIn(Passwords.new)
            try box.run(["biometrics", "enable"], [Passwords.new]).ends(0)
            try box.unlock("match").ends(0)
        }
    }
}
