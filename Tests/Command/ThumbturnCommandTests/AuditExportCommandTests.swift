import Foundation
import Testing
import ThumbturnConsole
import ThumbturnSQLite
import ThumbturnTestKit

@testable import Thumbturn
@testable import ThumbturnCommand

/// `audit export` and `audit verify` as owner and auditor meet them.
struct AuditExportCommandTests {
    /// A vault that a finger opened once, and its export.
    private static func boxWithExport() throws -> (Box, file: String) {
        let box = try Box.withVault("--biometrics")
        try box.run(["simulate", "finger", "match"]).succeeding()
        try box.run(["unlock"]).succeeding()
        let file = box.folder + "/trail.jsonl"
        try box.run(["audit", "export", file], [Box.pin]).succeeding()
        return (box, file)
    }

    private static func lines(of file: String) -> [String] {
        String(decoding: Folders.contents(of: file), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Writes a file whose lines were changed, and verifies it.
    private func verify(
        _ file: String,
        changed change: (inout [String]) -> Void,
        in box: Box,
        _ variables: [String: String] = [:]
    ) throws -> ChildProcess {
        var lines = Self.lines(of: file)
        change(&lines)
        let path = box.folder + "/changed-" + UUID().uuidString
        try Folders.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: path)
        return try box.run(["audit", "verify", path], nil, variables)
    }

    /// A PEM file of the key that an export names.
    private func key(of file: String, in box: Box) throws -> String {
        let device = try #require(
            JSONSerialization.jsonObject(with: Data(Self.lines(of: file)[1].utf8)) as? [String: Any]
        )
        let code = try #require((device["device"] as? [String: Any])?["publicKey"] as? String)
        let path = box.folder + "/key-" + UUID().uuidString
        let pem =
            "The phone's\n-----BEGIN PUBLIC KEY-----\n\(code.prefix(64))\n\(code.dropFirst(64))\n-----END PUBLIC KEY-----\n"
        try Folders.write(Array(pem.utf8), to: path)
        return path
    }

    @Test(.holds("F-107-10")) func `an export verifies without its vault, and names the key that status shows`() throws
    {
        let (box, file) = try Self.boxWithExport()
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let trail = try #require(box.json(["status"])["trail"] as? [String: Any])
        let fingerprint = try #require(trail["fingerprint"] as? String)
        let again = try box.run(["audit", "export", file + "2"], [Box.pin])
        #expect(again.standardOutput == "Trail exported: 6 events.\nfingerprint: \(fingerprint)\n", "\(again)")

        let auditor = try Box()
        let verified = try auditor.run(["audit", "verify", file])
        #expect(verified.exitCode == 0 && verified.standardError.isEmpty, "\(verified)")
        let text = AuditLogTests.plain(verified.standardOutput)
        #expect(
            text[0].hasPrefix("Whole, and signed. Whose key signed it") && text[0].contains("`thumbturn"),
            "\(text)"
        )
        #expect(
            text[2...] == [
                "events       5", "first        TIME", "last         TIME", "exported     TIME",
                "fingerprint  \(fingerprint)", "  1  biometrics enabled", "  1  opened by biometrics",
                "  1  opened by PIN or password", "  1  vault made", "  1  trail begun",
            ],
            "\(text)"
        )
        let french = try auditor.run(["audit", "verify", file], nil, ["LANG": "fr_FR.UTF-8"]).standardOutput
        #expect(french.contains("\névénements   5\n") && french.contains("\n  1  ouvert par biométrie\n"), "\(french)")
        #expect(Folders.isAbsent(auditor.vault) && Folders.isAbsent(auditor.device))
        let json = try auditor.json(["audit", "verify", file])
        #expect(json["isWhole"] as? Bool == true && json["isPinned"] as? Bool == false && json["count"] as? Int == 5)
        #expect(json["fingerprint"] as? String == fingerprint)
    }

    @Test(.holds("A42")) func `a changed event is named, in each language`() throws {
        let (box, file) = try Self.boxWithExport()
        func tamper(_ lines: inout [String]) {
            guard let place = lines.firstIndex(where: { $0.contains("AUTH_SUCCESS") }) else { return }
            lines[place] = lines[place].replacing("AUTH_SUCCESS", with: "AUTH_FAILURE")
        }
        let refused = try verify(file, changed: tamper, in: box)
        #expect(refused.exitCode == 4 && refused.standardOutput.isEmpty, "\(refused)")
        #expect(refused.standardError.contains("ERR-TT-222 Event 3 was changed after it was written."), "\(refused)")
        let french = try verify(file, changed: tamper, in: box, ["LANG": "fr_FR.UTF-8"])
        #expect(french.standardError.contains("ERR-TT-222 L'événement 3 a été modifié"), "\(french)")
        let path = box.folder + "/tampered"
        var lines = Self.lines(of: file)
        tamper(&lines)
        try Folders.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: path)
        let json = try box.json(["audit", "verify", path])
        #expect(json["isWhole"] as? Bool == false && json["seq"] as? Int == 3, "\(json)")
        #expect((json["error"] as? [String: Any])?["code"] as? String == "ERR-TT-222")
    }

    @Test(.holds("A42", "A43")) func `an event that is missing, moved or cut off is named`() throws {
        let (box, file) = try Self.boxWithExport()
        // Header, device, five events, head.
        let changes: [(String, (inout [String]) -> Void)] = [
            ("Event 2 is missing there, or stands further down.", { $0.remove(at: 4) }),
            ("Event 2 is missing there, or stands further down.", { $0.swapAt(4, 5) }),
            ("Event 1 stands where event 2 is expected", { $0.insert($0[3], at: 4) }),
            ("The last event, 4, was removed.", { $0.remove(at: 6) }),
            ("The last events, 3 to 4, were removed.", { $0.removeSubrange(5...6) }),
            ("it ends where event 5, or the signature, is expected", { $0.removeLast() }),
            ("it ends where event 3, or the signature, is expected", { $0.removeSubrange(5...) }),
            ("Event 2 is damaged: its line is not one that a device writes.", { $0[4] = "{}" }),
            (
                "The first line counts 4 events, and there are 5",
                { $0[0] = $0[0].replacing("\"to\":5", with: "\"to\":4") }
            ),
            ("Something was added behind the line", { $0.append("{}") }),
        ]
        for (told, change) in changes {
            let refused = try verify(file, changed: change, in: box)
            #expect(refused.exitCode == 4 && refused.standardError.contains("ERR-TT-222"), "\(told): \(refused)")
            #expect(refused.standardError.contains(told) || told.contains("counts 4"), "\(told): \(refused)")
        }
        let (other, foreign) = try Self.boxWithExport()
        let exchanged = try verify(file, changed: { $0[4] = Self.lines(of: foreign)[4] }, in: other)
        #expect(exchanged.standardError.contains("Event 2 is from another device"), "\(exchanged)")
        let head = try verify(file, changed: { $0[7] = Self.lines(of: foreign)[7] }, in: other)
        #expect(head.standardError.contains("The last line was signed for another device"), "\(head)")
    }

    @Test(.holds("F-107-10")) func `what is no export, or of another version, is a usage error`() throws {
        let (box, file) = try Self.boxWithExport()
        for (path, code) in [
            ("/etc/passwd", "ERR-TT-327"), (box.database, "ERR-TT-327"), (box.folder, "ERR-TT-301"),
            ("/dev/null", "ERR-TT-327"),
        ] {
            let refused = try box.run(["audit", "verify", path])
            #expect(refused.exitCode == 2 && refused.standardError.contains(code), "\(path): \(refused)")
            #expect(refused.standardOutput.isEmpty)
        }
        let newer = try verify(
            file,
            changed: { $0[0] = $0[0].replacing("\"version\":1", with: "\"version\":2") },
            in: box
        )
        #expect(newer.exitCode == 2 && newer.standardError.contains("version 2 of the format"), "\(newer)")
        #expect(newer.standardError.contains("a newer release"))
        let absent = try box.run(["audit", "verify", box.folder + "/none"])
        #expect(absent.exitCode == 3 && absent.standardError.contains("There is no file"), "\(absent)")
        #expect(absent.standardError.contains("hint: name an export"), "\(absent)")
        let json = try box.json(["audit", "verify", "/etc/passwd"])
        #expect((json["error"] as? [String: Any])?["code"] as? String == "ERR-TT-327" && json.count == 1)
    }

    @Test(.holds("F-107-10")) func `an export comes through a pipe`() throws {
        let (box, file) = try Self.boxWithExport()
        for script in ["cat '\(file)' | \"$0\" audit verify -", "\"$0\" audit verify - < '\(file)'"] {
            let verified = try box.shell(script)
            #expect(verified.exitCode == 0 && verified.standardOutput.contains("\nevents       5\n"), "\(verified)")
        }
        let cut = try box.shell("head -c 2000 '\(file)' | \"$0\" audit verify -")
        #expect(cut.exitCode == 4 && cut.standardError.contains("is cut off"), "\(cut)")
        let named = try box.shell(
            "mkfifo '\(box.folder)/fifo'; cat '\(file)' > '\(box.folder)/fifo' & \"$0\" audit verify '\(box.folder)/fifo'"
        )
        #expect(named.exitCode == 0, "\(named)")
    }

    @Test(.holds("A42")) func `a key that is given must be the export's own`() throws {
        let (box, file) = try Self.boxWithExport()
        let (elsewhere, other) = try Self.boxWithExport()
        let own = try key(of: file, in: box)
        let foreign = try withExtendedLifetime(elsewhere) { try key(of: other, in: box) }
        let verified = try box.run(["audit", "verify", file, "--key", own])
        #expect(verified.exitCode == 0, "\(verified)")
        #expect(verified.standardOutput.hasPrefix("Whole, and signed by a device whose key you gave.\n"), "\(verified)")
        #expect(try box.json(["audit", "verify", file, "--key", foreign, "--key", own])["isPinned"] as? Bool == true)
        let both = box.folder + "/both"
        try Folders.write(Folders.contents(of: foreign) + Folders.contents(of: own), to: both)
        try box.run(["audit", "verify", file, "--key=\(both)"]).succeeding()

        let refused = try box.run(["audit", "verify", file, "--key", foreign])
        #expect(refused.exitCode == 4 && refused.standardError.contains("by none of the keys given"), "\(refused)")
        #expect(refused.standardError.contains("`thumbturn --device simulated status` shows"), "\(refused)")
        for path in ["/etc/passwd", file, "/dev/null"] {
            let none = try box.run(["audit", "verify", file, "--key", path])
            #expect(none.exitCode == 2 && none.standardError.contains("has no public key of a device"), "\(none)")
        }
        let absent = try box.run(["audit", "verify", file, "--key", box.folder + "/none"])
        #expect(absent.exitCode == 3 && absent.standardError.contains("PEM file"), "\(absent)")
    }

    @Test(.holds("F-107-10")) func `a file that exists stays, and is refused before the PIN is tried`() throws {
        let (box, file) = try Self.boxWithExport()
        let before = box.contents()
        let refused = try box.run(["audit", "export", file], [Box.wrongPIN])
        #expect(refused.exitCode == 1 && refused.standardError.contains("ERR-TT-319"), "\(refused)")
        #expect(
            refused.standardError.contains("hint: name another file: an existing file is never overwritten"),
            "\(refused)"
        )
        #expect(box.contents() == before)
        let nowhere = try box.run(["audit", "export", box.folder + "/none/trail"], [Box.pin])
        #expect(nowhere.exitCode == 3 && nowhere.standardError.contains("There is no folder"), "\(nowhere)")
        let pipe = try box.run(["audit", "export", "-"], [Box.pin])
        #expect(pipe.exitCode == 2 && pipe.standardError.contains("needs the name of a file"), "\(pipe)")
    }

    @Test(.holds("F-107-10")) func `a wrong PIN, and a finger in its place, leave no file`() throws {
        let box = try Box.withVault("--biometrics")
        let file = box.folder + "/trail"
        let wrong = try box.run(["audit", "export", file], [Box.wrongPIN])
        #expect(wrong.exitCode == 1 && wrong.standardError.contains("ERR-107-040"), "\(wrong)")
        try box.run(["simulate", "finger", "match"]).succeeding()
        let finger = try box.run(["audit", "export", file], [""])
        #expect(finger.exitCode == 1 && finger.standardOutput.isEmpty, "\(finger)")
        let silent = try box.shell("\"$0\" audit export '\(file)' < /dev/null")
        #expect(silent.exitCode == 2 && silent.standardError.contains("ERR-TT-302"), "\(silent)")
        let names = try FileManager.default.contentsOfDirectory(atPath: box.folder)
        #expect(!names.contains { $0 == "trail" || $0.hasSuffix(".partial") }, "\(names)")
    }

    @Test(.holds("A42", "A43")) func `of a trail with a broken event the export has what stands before, and says so`()
        throws
    {
        let box = try Box.withVault()
        for _ in 0..<3 { try box.run(["unlock"], [Box.pin]).succeeding() }
        try box.flip("SELECT box FROM event WHERE number = ?", "UPDATE event SET box = ? WHERE number = ?", .integer(3))
        let file = box.folder + "/trail"
        let partial = try box.run(["audit", "export", file], [Box.pin])
        #expect(partial.exitCode == 4 && partial.standardOutput.hasPrefix("Trail exported: 3 events.\n"), "\(partial)")
        #expect(partial.standardError.contains("ERR-TT-222 The file is not the whole trail: event 3"), "\(partial)")
        #expect(try box.json(["audit", "verify", file])["count"] as? Int == 3)
        // The trail goes on in another, and what stands of the former one is kept.
        let log = try box.run(["audit", "log"])
        #expect(log.exitCode == 0 && log.standardOutput.hasPrefix("The trail before this one is damaged"), "\(log)")
        let former = try box.json(["audit", "export", file + "2", "--former"], [Box.pin])
        #expect(former["count"] as? Int == 3 && former["isWhole"] as? Bool == true, "\(former)")
        #expect(try box.json(["audit", "verify", file + "2"])["count"] as? Int == 3)
        let next = try box.json(["audit", "export", file + "3"], [Box.pin])
        #expect(next["isWhole"] as? Bool == true && next["error"] == nil, "\(next)")
    }

    @Test(.holds("A43")) func `a trail without its first event exports nothing, and another begins`() throws {
        let box = try Box.withVault()
        try box.sql { try $0.run("DELETE FROM event WHERE number = 0") }
        let file = box.folder + "/trail"
        let none = try box.run(["audit", "export", file], [Box.pin])
        #expect(none.exitCode == 4 && none.standardError.contains("ERR-TT-222 No event of the trail"), "\(none)")
        #expect(Folders.isAbsent(file))
        try box.run(["audit", "export", file], [Box.pin]).succeeding()
    }

    @Test(.holds("F-107-10")) func `a part of a trail is told in JSON too, and a former trail that is not there`()
        throws
    {
        let box = try Box.withVault()
        try box.run(["unlock"], [Box.pin]).succeeding()
        let none = try box.run(["audit", "export", box.folder + "/former", "--former"], [Box.pin])
        #expect(none.exitCode == 2 && none.standardError.contains("There is no trail before this one"), "\(none)")
        #expect(Folders.isAbsent(box.folder + "/former"))
        try box.sql { try $0.run("DELETE FROM event WHERE number = 1") }
        let partial = try box.json(["audit", "export", box.folder + "/trail"], [Box.pin])
        #expect(partial["isWhole"] as? Bool == false && partial["count"] as? Int == 1, "\(partial)")
        #expect((partial["error"] as? [String: Any])?["code"] as? String == "ERR-TT-222")
    }
}
