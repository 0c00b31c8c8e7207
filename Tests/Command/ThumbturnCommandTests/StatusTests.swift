import Foundation
import Testing
import ThumbturnConsole
import ThumbturnTestKit

@testable import Thumbturn
@testable import ThumbturnCommand

struct StatusTests {
    @Test func `for a pipe and for whoever has it read out, each line says what it is about`() throws {
        try Transcript.play(
            """
            $ status
            device: simulated
            vault: BOX/data/thumbturn/vault
            state: LOCKED, a fingerprint or the PIN opens it
            way in: PIN or password, simulated, confirmed, … ago
            way in: fingerprint, simulated, confirmed, … ago
            Biometric Unlock: fingerprint, enabled, available, 0 of 3 failures
            policy: locks after 5 min idle
            policy: asks for the PIN: 30 min idle, every 3 days, reboot, 3 failures
            policy: least assurance for biometrics: simulated
            wallets: none yet
            attempts: 0 of 10 wrong, next try at once
            trail: 3 events, whole
            trail: its key's fingerprint …
            warning: no confirmed recovery key: `thumbturn --device simulated recovery create`
            warning: simulated: it protects nothing
            """,
            in: Box.withVault("--biometrics")
        )
    }

    @Test func `French is French to the last word`() throws {
        let box = try Box.withVault("--biometrics")
        let lines = try box.run(["status"], nil, ["LANG": "fr_FR.UTF-8"]).standardOutput.split(separator: "\n")
        let ages = lines.map {
            $0.contains(", il y a ") ? String($0[..<$0.range(of: ", il y a ")!.lowerBound]) : String($0)
        }
        .map { $0.replacing(/[0-9a-f]{64}/, with: "…") }
        #expect(
            ages == [
                "appareil : simulé", "coffre : \(box.vault)", "état : VERROUILLÉ, l'empreinte ou le code ouvre",
                "accès : code ou mot de passe, simulé, confirmé", "accès : empreinte, simulé, confirmé",
                "Déverrouillage biométrique : empreinte, activée, disponible, échecs : 0 sur 3",
                "règle : verrouille après 5 min d'inactivité",
                "règle : exige le code : 30 min d'inactivité, tous les 3 jours, redémarrage, 3 échecs",
                "règle : assurance minimale pour la biométrie : simulé", "portefeuilles : aucun",
                "essais : 0 sur 10 erronés, prochain essai tout de suite", "journal : 3 événements, entier",
                "journal : empreinte de sa clé …",
                "attention : pas de clé de secours confirmée : `thumbturn --device simulated recovery create`",
                "attention : simulé : il ne protège rien",
            ]
        )
    }

    #if os(Linux)
    @Test(arguments: [("en_US.UTF-8", "LOCKED", "ways in"), ("fr_FR.UTF-8", "VERROUILLÉ", "accès")])
    func `on a terminal the picture speaks the user's language in 80 columns`(
        locale: String,
        state: String,
        section: String
    ) throws {
        let box = try Box.withVault("--biometrics")
        for columns in [80, 81, 200] {
            let shown = try box.screen(["status"], columns: columns, nil, ["LANG": locale])
            #expect(shown.contains(state) && shown.contains("─ \(section) ─"), "\(shown)")
            for line in shown.split(separator: "\n") { #expect(line.columns == 80, "\(line)") }
        }
    }

    @Test(arguments: ["en_US.UTF-8", "fr_FR.UTF-8"])
    func `a narrow terminal gets lines, broken between words`(locale: String) throws {
        let box = try Box.withVault("--biometrics")
        let whole = try box.run(["status"], nil, ["LANG": locale]).standardOutput
        func words(_ text: String) -> [Substring] { text.split { $0 == " " || $0 == "\n" } }
        for columns in 40..<80 {
            let shown = try box.screen(["--device", "simulated", "status"], columns: columns, nil, ["LANG": locale])
            // The ages go on meanwhile.
            #expect(words(shown).count == words(whole).count, "\(shown)")
            for line in shown.split(separator: "\n") {
                // Neither a path nor a command is broken, nor the digits of a key.
                let isWhole = line.contains(box.vault) || line.contains("`") || line.contains(/^ *[0-9a-f]{64}$/)
                #expect(line.columns <= columns || isWhole, "\(line)")
            }
        }
    }

    @Test func `a terminal that shows line after line gets no box, no escape and no mark`() throws {
        let box = try Box.withVault("--biometrics")
        for columns in [40, 80, 200] {
            let variables = ["TERM": "dumb", "NO_COLOR": ""]
            let shown = try box.screen(["status"], columns: columns, nil, variables)
            #expect(shown.hasPrefix("device: simulated\nvault:"), "\(shown)")
            #expect(!shown.unicodeScalars.contains { "│─●░□▲·\u{1B}".unicodeScalars.contains($0) }, "\(shown)")
        }
    }

    @Test(arguments: ["C", "fr_FR"])
    func `where only ASCII can be shown, only ASCII is`(locale: String) throws {
        let box = try Box.withVault()
        for shown in [
            try box.run(["status"], nil, ["LC_ALL": locale]).standardOutput,
            try box.screen(["status"], columns: 100, nil, ["LC_ALL": locale]),
        ] {
            #expect(shown.utf8.allSatisfy { $0 < 0x80 }, "\(shown)")
        }
        let box80 = try box.screen(["status"], columns: 80, nil, ["LC_ALL": locale])
        for line in box80.split(separator: "\n") { #expect(line.count == 80, "\(line)") }
    }
    #endif

    @Test func `colour is for terminals, unless it is forced`() throws {
        let box = try Box.withVault()
        #expect(!(try box.run(["status"]).standardOutput.contains("\u{1B}")))
        #expect(try box.run(["status"], nil, ["CLICOLOR_FORCE": "1"]).standardOutput.contains("\u{1B}[1;32mLOCKED"))
    }

    #if os(Linux)
    @Test func `a long path does not break the box`() throws {
        let box = try Box()
        let folder = box.folder + "/" + String(repeating: "x", count: 120)
        try box.run(["init", "--vault", folder], [Box.pin]).succeeding()
        let shown = try box.screen(["status", "--vault", folder], columns: 80)
        for line in shown.split(separator: "\n") { #expect(line.columns == 80, "\(line)") }
        #expect(try box.run(["status", "--vault", folder]).standardOutput.contains("vault: \(folder)\n"))
    }
    #endif

    /// What `status` warns of copies, and when it knows of a backup.
    private func copies(of box: Box) throws -> (warnings: [String], isMade: Bool, isVerified: Bool) {
        let status = try box.json(["status"])
        let backup = try #require(status["backup"] as? [String: Any])
        let about = ["recoveryKeyMissing", "recoveryKeyUnconfirmed", "backupMissing", "backupUnverified"]
        return (
            (status["warnings"] as? [String] ?? []).filter(about.contains), backup["madeAt"] is Int,
            backup["verifiedAt"] is Int
        )
    }

    @Test func `status warns of one copy alone, until there is a key, a backup, and one that was tried`() throws {
        let box = try Box.withVault()
        let file = box.folder + "/backup"
        #expect(try copies(of: box).warnings == ["recoveryKeyMissing"])
        try box.run(["wallet", "import", "Savings"], [Box.pin, Box.mnemonic]).succeeding()
        #expect(try copies(of: box).warnings == ["recoveryKeyMissing", "backupMissing"])
        // What was made and written down is not made again.
        try box.run(["recovery", "create"], [Box.pin]).succeeding()
        #expect(try copies(of: box).warnings == ["recoveryKeyUnconfirmed", "backupMissing"])
        let key = try box.recoveryKey()
        #expect(try copies(of: box) == (["backupMissing"], false, false))
        try box.run(["backup", file], [Box.pin]).succeeding()
        #expect(try copies(of: box) == (["backupUnverified"], true, false))
        let text = try box.run(["status"]).standardOutput
        #expect(text.contains("the backup was never verified: `"), "\(text)")
        #expect(text.contains(" simulated backup verify FILE`"), "\(text)")
        try box.run(["backup", "verify", file], [key]).succeeding()
        #expect(try copies(of: box) == ([], true, true))

        // The same wallets once more: they were tried. Others were not.
        try box.run(["backup", "--force", file], [Box.pin]).succeeding()
        #expect(try copies(of: box) == ([], true, true))
        try box.run(["wallet", "rename", "Savings", "Old"], [Box.pin]).succeeding()
        #expect(try copies(of: box) == (["backupMissing"], false, false))
        try box.run(["backup", "verify", file], [key]).succeeding()
        #expect(try copies(of: box).warnings == ["backupMissing"])
        try box.run(["backup", "--force", file], [Box.pin]).succeeding()
        #expect(try copies(of: box) == (["backupUnverified"], true, false))

        // A new recovery key, which what was backed up does not open with.
        let newKey = try box.recoveryKey()
        #expect(try copies(of: box) == (["backupMissing"], false, false))
        let refused = try box.run(["backup", "verify", file], [newKey])
        #expect(refused.exitCode == 1 && refused.standardError.contains("ERR-107-040"), "\(refused)")
        try box.run(["backup", "--force", file], [Box.pin]).succeeding()
        #expect(try copies(of: box) == (["backupUnverified"], true, false))

        // A new master key: what was backed up opens with another.
        let rekeyed = try box.run(["recovery", "remove"], [Box.pin]).succeeding()
        #expect(rekeyed.exitCode == 0)
        try box.run(["rekey"], [Box.pin]).succeeding()
        #expect(try copies(of: box).warnings == ["recoveryKeyMissing", "backupMissing"])

        let other = try Box()
        try other.run(["restore", file], [newKey, Box.pin]).succeeding()
        #expect(try copies(of: other) == ([], true, true))
        try other.run(["reset"], ["RESET"]).succeeding()
        #expect(Folders.isAbsent(other.vault + "/backup.note"))
    }

    @Test func `what is remembered of a backup is believed by nobody who has a key, and breaks nothing`() throws {
        let box = try Box.withVault()
        try box.run(["wallet", "import", "Savings"], [Box.pin, Box.mnemonic]).succeeding()
        let key = try box.recoveryKey()
        let (file, note) = (box.folder + "/backup", box.vault + "/backup.note")
        try box.run(["backup", file], [Box.pin]).succeeding()
        // Before the tag stands whether it was verified: a thief says that it was.
        let bytes = Folders.contents(of: note)
        try #require(bytes.count == 1 + 16 + 16 + 17 + 32 + 8 + 1 + 32 && bytes[90] == 0)
        let forged = bytes[..<90] + [1] + [UInt8](repeating: 1, count: 8) + bytes[91...]
        for contents in [Array(forged), [], [UInt8](repeating: 7, count: 5_000)] {
            try FileManager.default.removeItem(atPath: note)
            try Folders.write(contents, to: note)
            try box.run(["unlock"], [Box.pin]).succeeding()
            _ = try copies(of: box)
            try box.run(["backup", "verify", file], [key]).succeeding()
            #expect(Folders.contents(of: note) == contents)
            try box.run(["backup", "--force", file], [Box.pin]).succeeding()
            #expect(try copies(of: box) == (["backupUnverified"], true, false))
        }
        // A link leads nowhere that is written.
        let target = box.folder + "/target"
        try FileManager.default.removeItem(atPath: note)
        try FileManager.default.createSymbolicLink(atPath: note, withDestinationPath: target)
        #expect(try copies(of: box).warnings == ["backupMissing"])
        try box.run(["backup", "--force", file], [Box.pin]).succeeding()
        #expect(try copies(of: box).isMade)
        #expect(Folders.isAbsent(target))
    }

    @Test(.holds("B-05", "C14")) func `the JSON has every key, and says what guards the vault`() throws {
        let box = try Box.withVault("--biometrics")
        let status = try box.json(["status"])
        #expect(
            Set(status.keys) == [
                "vault", "device", "keys", "assurance", "condition", "mode", "state", "appUnlockState", "decision",
                "biometrics", "slots", "account", "policy", "nextPolicy", "walletCount", "attempts",
                "tpmRetryAfterSeconds", "trail", "backup", "warnings",
            ]
        )
        #expect(status["tpmRetryAfterSeconds"] is NSNull)
        #expect(status["device"] as? String == "simulated")
        #expect(status["assurance"] as? String == "simulated")
        #expect(status["condition"] as? String == "ready")
        #expect(status["mode"] as? String == "local")
        #expect(status["state"] as? String == "locked")
        #expect(status["appUnlockState"] as? String == "LOCKED")
        #expect((status["decision"] as? [String: Any])?["action"] as? String == "promptBiometrics")
        #expect(status["warnings"] as? [String] == ["recoveryKeyMissing", "assuranceBelowHardware"])
        let slots = try #require(status["slots"] as? [[String: Any]])
        #expect(slots.compactMap { $0["kind"] as? String } == ["localSecret", "biometric"])
        #expect(slots.allSatisfy { $0["assurance"] as? String == "simulated" })
        let biometrics = try #require(status["biometrics"] as? [String: Any])
        #expect(biometrics["isSupported"] as? Bool == true && biometrics["isEnabled"] as? Bool == true)
        #expect(biometrics["type"] as? String == "fingerprint")
        #expect(biometrics["reason"] is NSNull)
    }

    @Test(.holds("B-01")) func `the capability is looked at anew each time`() throws {
        let box = try Box.withVault("--biometrics")
        try box.run(["simulate", "lockout"])
        let locked = try #require(try box.json(["status"])["biometrics"] as? [String: Any])
        #expect(locked["reason"] as? String == "lockedOut" && locked["available"] as? Bool == false)
        try box.run(["simulate", "passcode"])
        let open = try #require(try box.json(["status"])["biometrics"] as? [String: Any])
        #expect(open["available"] as? Bool == true)
    }

    @Test func `a head that can't be read is warned of, and no number of wallets is made up`() throws {
        let box = try Box.withVault()
        try box.run(["wallet", "import", "Savings"], [Box.pin, Box.mnemonic]).succeeding()
        let store = try VaultStore(openingIn: box.vault, vfs: nil)
        let head = try #require(try store.contents().head)
        try store.setHead(VaultStore.TaggedRow(body: [UInt8](repeating: 0, count: 200), mac: head.mac))
        store.close()

        let status = try box.json(["status"])
        #expect((status["warnings"] as? [String])?.contains("headUnreadable") == true, "\(status)")
        #expect(status["walletCount"] is NSNull && status["slots"] is NSNull)
        for (locale, words) in [("en_US.UTF-8", "export the wallets"), ("fr_FR.UTF-8", "en-tête du coffre endommagé")] {
            let picture = try box.run(["status"], nil, ["LANG": locale]).standardOutput
            #expect(picture.contains(words), "\(picture)")
            #expect(!picture.contains("none yet") && !picture.contains("aucun"), "\(picture)")
        }
        #expect(try box.run(["wallet", "export", "Savings"], [Box.pin]).standardOutput == Box.mnemonic + "\n")
    }

    @Test(.holds("A8"), arguments: ["older", "ledger", "head"])
    func `what was put back or changed is told as found, with no count of what nobody typed`(change: String) throws {
        let box = try Box.withVault()
        let old = Folders.contents(of: box.database)
        if change == "older" {
            try box.run(["unlock"], [Box.wrongPIN])
            try Data(old).write(to: URL(fileURLWithPath: box.database))
        } else if change == "head" {
            try box.flip("SELECT mac FROM head WHERE id = ?", "UPDATE head SET mac = ? WHERE id = ?")
        } else {
            try box.flip(
                "SELECT mac FROM attempt_ledger WHERE id = ?",
                "UPDATE attempt_ledger SET mac = ? WHERE id = ?"
            )
        }
        let status = try box.json(["status"])
        #expect(status["condition"] as? String == "exportOnly", "\(status)")
        let attempts = try #require(status["attempts"] as? [String: Any])
        #expect(change == "head" ? attempts["failures"] as? Int == 0 : attempts["failures"] is NSNull)
        for (locale, found, use) in [
            ("en_US.UTF-8", "the record was changed or put back", "export"),
            ("fr_FR.UTF-8", "registre modifié ou ancien", "export"),
        ] {
            let picture = try box.run(["status"], nil, ["LANG": locale]).standardOutput
            #expect(picture.contains(found) == (change != "head"), "\(picture)")
            #expect(!picture.contains("10 of 10") && !picture.contains("10 sur 10"), "\(picture)")
            let headline = try #require(picture.split(separator: "\n").dropFirst(2).first)
            #expect(headline.contains(use), "\(picture)")
        }
        try box.run(["simulate", "advance", "25h"])
        let opened = try box.run(["unlock"], [Box.pin])
        #expect(opened.exitCode == 4 && opened.standardError.contains(change == "head" ? "ERR-TT-210" : "ERR-TT-218"))
        #expect(opened.standardError.contains("changed"), "\(opened)")
        try box.run(["simulate", "restore-elsewhere"]).succeeding()
        let elsewhere = try box.json(["status"])
        #expect((elsewhere["attempts"] as? [String: Any])?["failures"] is NSNull, "\(elsewhere)")
    }

    @Test func `a status changes nothing`() throws {
        let box = try Box.withVault("--biometrics")
        let before = box.contents()
        try box.run(["status"])
        #expect(box.contents() == before)
    }
}
