import Foundation
import Testing
import ThumbturnConsole
import ThumbturnRules
import ThumbturnSQLite
import ThumbturnTestKit

@testable import Thumbturn
@testable import ThumbturnCommand

/// `audit log`, and what `status` says of the trail.
struct AuditLogTests {
    @Test(.holds("F-107-10")) func `the log tells in words what happened, newest last, and needs no secret`() throws {
        let box = try Box.withVault("--biometrics")
        try box.run(["simulate", "finger", "match"]).succeeding()
        try box.run(["unlock"]).succeeding()
        for _ in 0..<2 { try box.run(["unlock"], [Box.wrongPIN]) }
        try box.run(["unlock"], [Box.pin]).succeeding()
        try box.run(["wallet", "import", "A"], [Box.pin, Box.mnemonic]).succeeding()
        try box.run(["wallet", "import", "B"], [Box.pin, Box.mnemonic]).succeeding()
        try box.run(["wallet", "export", "--all"], [Box.pin]).succeeding()
        try box.run(["biometrics", "disable"], [Box.pin]).succeeding()
        let log = try box.run(["audit", "log"])
        #expect(log.exitCode == 0 && log.standardError.isEmpty, "\(log)")
        #expect(
            Self.plain(log.standardOutput) == [
                " 0  TIME  trail begun (with the vault)",
                " 1  TIME  vault made",
                " 2  TIME  biometrics enabled",
                " 3  TIME  opened by biometrics (fingerprint, SPAN)",
                " 4  TIME  wrong PIN or password",
                " 5  TIME  wrong PIN or password (1 failure before)",
                " 6  TIME  opened by PIN or password (2 failures before, SPAN)",
                " 7  TIME  opened by PIN or password (SPAN)",
                " 8  TIME  opened by PIN or password (SPAN)",
                " 9  TIME  opened by PIN or password (SPAN)",
                "10  TIME  secret exported (2 wallets)",
                "11  TIME  opened by PIN or password (SPAN)",
                "12  TIME  biometrics disabled (by the owner)",
            ],
            "\(log.standardOutput)"
        )
        // Not even its reading is an event.
        #expect(try box.run(["audit", "log"]).standardOutput == log.standardOutput)
    }

    @Test(.holds("F-107-10")) func `French is French to the last word of the log`() throws {
        let box = try Box.withVault("--biometrics")
        try box.run(["simulate", "finger", "match"]).succeeding()
        try box.run(["unlock"]).succeeding()
        for _ in 0..<2 { try box.run(["unlock"], [Box.wrongPIN]) }
        try box.run(["biometrics", "disable"], [Box.pin]).succeeding()
        let log = try box.run(["audit", "log"], nil, ["LANG": "fr_FR.UTF-8"])
        #expect(
            Self.plain(log.standardOutput) == [
                "0  TIME  journal commencé (avec le coffre)",
                "1  TIME  coffre créé",
                "2  TIME  biométrie activée",
                "3  TIME  ouvert par biométrie (empreinte, SPAN)",
                "4  TIME  code ou mot de passe faux",
                "5  TIME  code ou mot de passe faux (1 échec avant)",
                "6  TIME  ouvert par code ou mot de passe (2 échecs avant, SPAN)",
                "7  TIME  biométrie désactivée (par le propriétaire)",
            ],
            "\(log.standardOutput)"
        )
    }

    @Test(.holds("A46")) func `failures that are only counted yet are one line, and then one record`() throws {
        let box = try Box.withVault()
        _ = try box.recoveryKey()
        let other = try Box.withVault().recoveryKey()
        for _ in 0..<4 { try box.run(["unlock", "--recovery"], [other, Box.wrongPIN]) }
        let counted = Self.plain(try box.run(["audit", "log"]).standardOutput)
        let begun = try #require(counted.firstIndex { $0.hasSuffix("wrong recovery key") })
        #expect(counted[(begun + 1)...] == ["+  TIME  wrong recovery key (3 more, until TIME)"], "\(counted)")
        let french = Self.plain(try box.run(["audit", "log"], nil, ["LANG": "fr_FR.UTF-8"]).standardOutput)
        #expect(french.last == "+  TIME  clé de secours fausse (3 de plus, jusqu'à TIME)", "\(french)")
        let events = try #require(box.json(["audit", "log"])["events"] as? [[String: Any]])
        let run = try #require(events.last)
        #expect(run["seq"] is NSNull && run["count"] as? Int == 3 && run["until"] is Int, "\(run)")
        #expect(
            run["reason"] as? String == "recoveryKey" && run["kind"] as? String == "PASSWORD_AUTH_FAILURE",
            "\(run)"
        )

        try box.run(["unlock"], [Box.pin]).succeeding()
        let written = Self.plain(try box.run(["audit", "log"]).standardOutput)
        #expect(
            written[(begun + 1)...].map { $0.drop { $0 != " " } } == [
                "  TIME  wrong recovery key (3 more, until TIME)", "  TIME  opened by PIN or password (SPAN)",
            ],
            "\(written)"
        )
    }

    @Test(.holds("F-107-10")) func `the newest twenty are shown, or all`() throws {
        let box = try Box.withVault()
        for _ in 0..<21 { try box.run(["unlock"], [Box.pin]).succeeding() }
        let usual = try box.run(["audit", "log"]).standardOutput.split(separator: "\n")
        #expect(usual.first == "3 earlier: `thumbturn --device simulated audit log --all`", "\(usual)")
        #expect(usual.count == 21 && usual[1].hasPrefix(" 3  ") && usual[20].hasPrefix("22  "), "\(usual)")
        let all = try box.run(["audit", "log", "--all"]).standardOutput.split(separator: "\n")
        #expect(all.count == 23 && all[0].hasPrefix(" 0  ") && all[3...].elementsEqual(usual[1...]), "\(all)")
        #expect((try box.json(["audit", "log"])["events"] as? [Any])?.count == 20)
        #expect((try box.json(["audit", "log", "--all"])["events"] as? [Any])?.count == 23)
    }

    @Test(.holds("A47")) func `times are those of this machine's zone, with their distance to UTC`() throws {
        let box = try Box.withVault()
        let at = try #require((box.json(["audit", "log"])["events"] as? [[String: Any]])?.first?["at"] as? Int64)
        for (zone, shift, end) in [
            ("TST-3:30", 12_600_000, "+03:30"), ("TST8", -28_800_000, "-08:00"), ("UTC0", 0, "Z"),
        ] {
            let line = try box.run(["audit", "log"], nil, ["TZ": zone]).standardOutput.split(separator: "\n")[0]
            let time = Milliseconds(at + Int64(shift)).date.dropLast() + end
            #expect(line == "0  \(time)  trail begun (with the vault)")
        }
        #expect(Milliseconds(1_999).date == "1970-01-01T00:00:01Z")
    }

    @Test(arguments: ["C", "fr_FR"]) func `where only ASCII can be shown, the log is ASCII`(locale: String) throws {
        let log = try Box.withVault().run(["audit", "log"], nil, ["LC_ALL": locale]).standardOutput
        #expect(!log.isEmpty && log.utf8.allSatisfy { $0 < 0x80 }, "\(log)")
    }

    /// What befalls a trail that can't be continued then.
    enum Mishap: String, CaseIterable {
        case lost, damaged, cut, putBack

        /// - Returns: whether the former chain is kept, as far as it stands.
        func happen(in box: Box) throws -> Bool {
            switch self {
            case .lost:
                try box.sql { database in
                    try database.run("DELETE FROM trail")
                    try database.run("DELETE FROM event")
                }
                return false
            case .damaged:
                try box.flip(
                    "SELECT box FROM event WHERE number = ?",
                    "UPDATE event SET box = ? WHERE number = ?",
                    .integer(2)
                )
                return true
            case .cut:
                try box.sql { try $0.run("DELETE FROM event WHERE number = 2") }
                return true
            case .putBack:
                let old = Folders.contents(of: box.database)
                try box.run(["unlock"], [Box.wrongPIN])
                try box.replace(box.database, old)
                return true
            }
        }
    }

    @Test(.holds("A43"), arguments: Mishap.allCases, ["en_US.UTF-8", "fr_FR.UTF-8"])
    func `a trail that was tampered with says so first, and what to do, and status does too`(
        mishap: Mishap,
        locale: String
    ) throws {
        let box = try Box.withVault()
        try box.run(["unlock"], [Box.pin]).succeeding()
        let isKept = try mishap.happen(in: box)
        let health = try #require(TrailHealth(rawValue: mishap.rawValue))
        let language = locale.hasPrefix("fr") ? Language.french : .english
        let first = try #require(health.firstLine(hasFormer: isKept)).in(language)
            .replacing("`thumbturn ", with: "`thumbturn --device simulated ")
        let log = try box.run(["audit", "log"], nil, ["LANG": locale])
        #expect(log.exitCode == 0 && log.standardOutput.hasPrefix(first + "\n0  "), "\(log)")
        let offer = locale.hasPrefix("fr") ? "audit export FICHIER --former" : "audit export FILE --former"
        #expect(first.contains(offer) == isKept && first.contains("pin change"))
        let shown = try #require((box.json(["status"])["trail"]) as? [String: Any])
        #expect(shown["health"] as? String == mishap.rawValue && shown["beganBecause"] as? String == mishap.rawValue)
        let status = try box.run(["status"], nil, ["LANG": locale]).standardOutput
        #expect(status.contains(health.text.in(language) + "\n"), "\(status)")
        let former = try box.run(["audit", "export", box.folder + "/former", "--former"], [Box.pin])
        // An older copy's own count of tries has to be waited for.
        guard mishap != .putBack else { return }
        #expect((former.exitCode == 0) == isKept, "\(former)")
    }

    @Test(.holds("A42", "F-107-10"), arguments: [true, false])
    func `where an event is missing or damaged the log ends, and says so`(isMissing: Bool) throws {
        let box = try Box.withVault()
        for _ in 0..<3 { try box.run(["unlock"], [Box.pin]).succeeding() }
        if isMissing {
            try box.sql { try $0.run("DELETE FROM event WHERE number = 2") }
        } else {
            try box.flip(
                "SELECT box FROM event WHERE number = ?",
                "UPDATE event SET box = ? WHERE number = ?",
                .integer(2)
            )
        }
        let log = try box.run(["audit", "log"])
        #expect(log.exitCode == 4, "\(log)")
        #expect(Self.plain(log.standardOutput) == ["0  TIME  trail begun (with the vault)", "1  TIME  vault made"])
        #expect(log.standardError.contains("ERR-TT-222 Event 2 of the trail is missing or damaged"), "\(log)")
        #expect(log.standardError.contains("hint: `thumbturn --device simulated audit export FILE`"), "\(log)")
        let json = try box.json(["audit", "log"])
        #expect((json["events"] as? [Any])?.count == 2 && json["count"] as? Int == 5)
        #expect((json["error"] as? [String: Any])?["code"] as? String == "ERR-TT-222")
    }

    @Test(.holds("F-107-10")) func `the log of a vault that only its recovery key opens, or of none, is refused`()
        throws
    {
        let absent = try Box().run(["audit", "log"])
        #expect(absent.exitCode == 3 && absent.standardError.contains("ERR-TT-201"), "\(absent)")
        let box = try Box.withVault()
        try box.run(["simulate", "lock-device"]).succeeding()
        let locked = try box.run(["audit", "log"])
        #expect(locked.exitCode == 3 && locked.standardOutput.isEmpty, "\(locked)")
        try box.run(["simulate", "unlock-device"]).succeeding()
        try box.run(["audit", "log"]).succeeding()
        Folders.remove(box.device)
        let lost = try box.run(["audit", "log"])
        #expect(lost.exitCode == 3 && lost.standardError.contains("ERR-TT-209"), "\(lost)")
        #expect(try box.json(["status"])["trail"] is NSNull)
        let status = try box.run(["status"]).standardOutput
        #expect(status.contains("\ntrail: can't be read now\n"), "\(status)")
    }

    @Test func `status tells the trail's length, its health, and the fingerprint of its key`() throws {
        let box = try Box.withVault()
        let trail = try #require(box.json(["status"])["trail"] as? [String: Any])
        #expect(trail["count"] as? Int == 2 && trail["health"] as? String == "whole")
        #expect(trail["beganBecause"] as? String == "created")
        let fingerprint = try #require(trail["fingerprint"] as? String)
        #expect(fingerprint.wholeMatch(of: /[0-9a-f]{64}/) != nil)
        let lines = try box.run(["status"]).standardOutput
        #expect(lines.contains("\ntrail: 2 events, whole\ntrail: its key's fingerprint \(fingerprint)\n"), "\(lines)")
        let french = try box.run(["status"], nil, ["LANG": "fr_FR.UTF-8"]).standardOutput
        #expect(
            french.contains("\njournal : 2 événements, entier\njournal : empreinte de sa clé \(fingerprint)\n"),
            "\(french)"
        )
        #if os(Linux)
        let picture = try box.screen(["status"], columns: 80)
        #expect(picture.contains("● 2 events · whole · its key's fingerprint:"), "\(picture)")
        #expect(picture.contains("│    \(fingerprint) "), "\(picture)")
        #endif
    }

    /// Lines without what differs from run to run.
    static func plain(_ text: String) -> [String] {
        text.split(separator: "\n").map { line in
            String(line).replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)/, with: "TIME")
                .replacing(/\d+ ms|\d+[.,]\d s/, with: "SPAN")
        }
    }
}
