import Foundation
import Testing
import ThumbturnConsole

extension OverSocketTests {
    /// `thumbturn account …` against a real service, by the transport that the product has.
    @Suite struct AccountCommandTests {
        private let service: TestService
        private var place: [String] { ["--service", service.origin] }

        init() throws { service = try TestService() }

        @Test(.holds("F-107-02", "F-107-04", "F-107-05", "F-107-09", "ERR-107-080"))
        func `two devices in a shell, line by line: the password changes on one, and the other's finger dies`() throws {
            let (a, b) = (try Box(), try Box())
            let at = "--service \(service.origin) --secret-fd 0"
            try a.line("thumbturn --device simulated account register ada \(at) <<< \"$old\"").ends(0)
            try b.line("thumbturn --device simulated account login ada \(at) <<< \"$old\"").ends(0)
            try b.line("thumbturn biometrics enable --secret-fd 0 <<< \"$old\"").ends(0)
            try b.line("thumbturn simulate finger match; thumbturn unlock < /dev/null").ends(0)
            try a.line("thumbturn account password --secret-fd 0 <<< \"$old\"$'\\n'\"$new\"").ends(0)
            try b.line("thumbturn account contact").ends(0)
            try b.line("thumbturn simulate finger match; thumbturn unlock < /dev/null").ends(1, "ERR-107-080")
            try b.line("thumbturn account login --secret-fd 0 <<< \"$old\"").ends(1, "ERR-107-040")
            try b.line("thumbturn account login --secret-fd 0 <<< \"$new\"").ends(0)
            service.stop()
            try b.line("thumbturn account login --secret-fd 0 <<< \"$new\"").ends(3, "ERR-TT-501")
        }

        @Test func `without its service nothing of an account is done, and what needs none goes on`() throws {
            let box = try Box.device("register", at: service)
            try box.run(["biometrics", "enable"], [Passwords.old]).ends(0)
            service.stop()
            let password = [Passwords.old]
            for (words, secrets) in [
                (["account", "devices"], password), (["account", "contact"], nil), (["unlock"], password),
                (["account", "password"], password + [Passwords.new]), (["wallet", "create", "Main"], password),
            ] {
                try box.run(words, secrets).ends(3, "ERR-TT-501")
            }
            try box.unlock("match").ends(0)
            try box.run(["status"]).ends(0)
        }

        @Test(.holds("B-08", "C5"))
        func `biometrics go off while the service is away, with no password, and stay off`() throws {
            let box = try Box.device("register", at: service)
            try box.run(["biometrics", "enable"], [Passwords.old]).ends(0)
            service.stop()
            try box.run(["biometrics", "disable"]).ends(0)
            #expect(try box.json(["biometrics", "status"])["state"] as? String == "disabled")
            #expect(try !box.run(["status"]).ends(0).standardError.contains("revoked"))
            try box.unlock("match").ends(2, "ERR-TT-302")
            try box.run(["biometrics", "disable"], [Passwords.old]).ends(0)
            try service.start()
            try box.run(["biometrics", "enable"], [Passwords.old]).ends(0)
            try box.unlock("match").ends(0)
        }

        @Test func `a vault that a PIN opens is refused an account, and nothing changes, here or at the service`()
            throws
        {
            let box = try Box.withVault()
            try box.run(["status"]).ends(0)
            let before = box.contents()
            try box.run(["account", "register", "ada"] + place, [Passwords.old]).ends(1, "ERR-TT-202")
            for words in [["login", "ada"] + place, ["login"], ["password"], ["devices"], ["contact"], ["close"]] {
                let lines = [Passwords.old, words == ["close"] ? "ada" : Passwords.new]
                try box.run(["account"] + words, lines).ends(1, "ERR-TT-507")
            }
            #expect(box.contents() == before)
            try Box().run(["account", "login", "ada"] + place, [Passwords.old]).ends(1, "ERR-107-040")
        }

        @Test func `another account's vault is refused, by another name or at another service, and nothing changes`()
            throws
        {
            let (box, other) = (try Box.device("register", at: service), try TestService())
            try Box.device("register", "eve", at: service).run(["status"]).ends(0)
            try Box.device("register", at: other).run(["status"]).ends(0)
            func refusals() throws {
                try box.run(["account", "register", "bob"] + place, [Passwords.old]).ends(1, "ERR-TT-202")
                try box.run(["account", "login", "eve"] + place, [Passwords.old]).ends(1, "ERR-TT-507")
                let elsewhere = ["--service", other.origin]
                try box.run(["account", "login", "ada"] + elsewhere, [Passwords.old]).ends(1, "ERR-TT-511")
            }
            try refusals()
            try Box().run(["account", "login", "bob"] + place, [Passwords.old]).ends(1, "ERR-107-040")
            // What the service said is written down; where it says nothing, not a byte is.
            service.stop()
            let before = box.contents()
            try refusals()
            #expect(box.contents() == before)
            try service.start()
            try box.run(["account", "login", "ada"] + place, [Passwords.old]).ends(0)
        }

        @Test func `a new device needs name and service, a name that is free, and a password that is one`() throws {
            let box = try Box.device("register", at: service)
            let new = try Box()
            try new.run(["account", "login"], [Passwords.old]).ends(2, "ERR-TT-301")
            try new.run(["account", "register", "ada"] + place, [Passwords.new]).ends(1, "ERR-TT-504")
            try new.run(["account", "register", "Ada"] + place, [Passwords.old]).ends(2, "ERR-TT-505")
            try new.run(["account", "register", "bob"] + place, ["short"]).ends(2, "ERR-TT-305")
            try new.run(["account", "login", "ada"] + place, [Passwords.new]).ends(1, "ERR-107-040")
            try new.run(["account", "login", "ada", "--service", "http://192.0.2.1"], [Passwords.old])
                .ends(2, "ERR-TT-301")
            try new.run(["status"]).ends(3, "ERR-TT-201")
            try new.run(["account", "login", "ada"] + place, [Passwords.old]).ends(0)
            try box.run(["unlock"], [Passwords.old]).ends(0)
        }

        @Test
        func `whoever registers is told of the recovery key, and of letters that another keyboard may write otherwise`()
            throws
        {
            let letters = "another keyboard"
            let plain = try Box().run(["account", "register", "ada"] + place, [Passwords.old]).ends(0).standardError
            #expect(plain.contains("recovery create`") && !plain.contains(letters))
            let box = try Box()
            let words = "cheval agrafé 41 batterie"
            let told = try box.run(["account", "register", "eve"] + place, [words]).ends(0).standardError
            #expect(told.contains("recovery create`") && told.contains(letters))
            try box.run(["account", "login"], [words]).ends(0)
        }

        @Test(.holds("F-107-09"))
        func `a contact after eight days keeps the finger: the service is asked before the first look`() throws {
            let box = try Box.device("register", at: service)
            try box.run(["biometrics", "enable"], [Passwords.old]).ends(0)
            try box.run(["simulate", "advance", "8d"]).ends(0)
            let told = try box.run(["account", "contact"]).ends(0)
            #expect(told.standardOutput.contains("enabled"))
            service.stop()
            try box.run(["simulate", "advance", "8d"]).ends(0)
            try box.run(["account", "contact"]).ends(3, "ERR-TT-501")
            try box.unlock("match").ends(1, "ERR-107-080")
        }

        @Test(.holds("F-107-09"))
        func `a revoked device's contact says so, its finger is dead, and its next login lists it under another id`()
            throws
        {
            let a = try Box.device("register", at: service)
            let c = try Box.device("login", at: service)
            let b = try Box.device("login", at: service)
            try b.run(["biometrics", "enable"], [Passwords.old]).ends(0)
            let (own, lost) = (try a.devices()[0], try b.devices()[0])
            try a.run(["account", "devices", "--revoke", own], [Passwords.old]).ends(2, "ERR-TT-301")
            try a.run(["account", "devices", "--revoke", lost], [Passwords.old]).ends(0)
            #expect(try a.devices().contains(lost) == false)
            try b.run(["account", "contact"]).ends(1, "ERR-107-080")
            try b.unlock("match").ends(1, "ERR-107-080")
            // Every command says so, with the way that is open, also while the service can't be reached.
            service.stop()
            for words in [["status"], ["unlock"], ["wallet", "list"], ["policy", "show"], ["account", "login"]] {
                let told = try b.run(words, [Passwords.old]).standardError
                #expect(told.contains("revoked this device") && told.contains("account login`"), "\(words): \(told)")
                #expect(told.contains("--recovery"), "\(words)")
            }
            try service.start()
            #expect(try !a.run(["status"]).standardError.contains("revoked"))
            // The third device has not logged in since: the key that both need is still there.
            try b.run(["account", "login"], [Passwords.old]).ends(0)
            let again = try b.devices()
            #expect(again.count == 3 && again[0] != lost && again.contains(own) && !again.contains(lost))
            #expect(try !b.run(["account", "contact"]).ends(0).standardError.contains("revoked"))
            try b.run(["biometrics", "enable"], [Passwords.old]).ends(0)
            try b.unlock("match").ends(0)
            try c.run(["unlock"], [Passwords.old]).ends(0)
        }

        @Test func `devices have names, which the system gives by default, and are revoked by a name or a beginning`()
            throws
        {
            let place = ["--service", service.origin]
            func device(_ words: String..., called name: String? = nil) throws -> Box {
                let box = try Box()
                let options = name.map { ["--device", "simulated", "--device-name", $0] } ?? []
                try box.run(["account"] + words + place + options, [Passwords.old]).ends(0)
                return box
            }
            let a = try device("register", "ada", called: "Desk")
            _ = try device("login", "ada")
            _ = try device("login", "ada")
            _ = try device("login", "ada", called: "Phone of Ada")
            _ = try device("login", "ada", called: "Phone")
            func names() throws -> [String] {
                let listed = try #require(
                    a.json(["account", "devices"], [Passwords.old])["devices"] as? [[String: Any]]
                )
                return listed.compactMap { $0["name"] as? String }.sorted()
            }
            // Not the host's: the service reads it.
            #expect(try names() == ["Desk", "Linux", "Linux", "Phone", "Phone of Ada"])
            let shown = try a.run(["account", "devices"], [Passwords.old]).ends(0).standardOutput
            #expect(shown.split(separator: "\n").contains { $0.contains("Desk") && $0.hasSuffix("this device") })

            func revoke(_ text: String) throws -> ChildProcess {
                try a.run(["account", "devices", "--revoke", text], [Passwords.old])
            }
            for ambiguous in ["Linux", "L", "Ph", "Desk", "D", "", "none of them"] {
                try revoke(ambiguous).ends(2, "ERR-TT-301")
            }
            #expect(try names().count == 5)
            try revoke("Phone").ends(0)
            #expect(try names() == ["Desk", "Linux", "Linux", "Phone of Ada"])
            try revoke("Pho").ends(0)
            let listed = try #require(a.json(["account", "devices"], [Passwords.old])["devices"] as? [[String: Any]])
            let ids = listed.filter { $0["name"] as? String == "Linux" }.compactMap { $0["deviceId"] as? String }
            let told = try a.json(
                ["account", "devices", "--revoke", String(ids[0].prefix(12))],
                [Passwords.old]
            )
            #expect(told["revoked"] as? String == ids[0])
            try revoke("Lin").ends(0)
            #expect(try names() == ["Desk"])
            let renamed =
                ["account", "login", "ada", "--device", "simulated", "--device-name", "Desk upstairs"] + place
            try a.run(renamed, [Passwords.old]).ends(0)
            #expect(try names() == ["Desk upstairs"])
            try a.run(["account", "login", "ada"] + place, [Passwords.old]).ends(0)
            #expect(try names() == ["Desk upstairs"])
            for wrong in ["", String(repeating: "x", count: 65), "a\u{202E}b", "a\nb"] {
                let words = ["--device", "simulated", "account", "login", "ada", "--device-name", wrong] + place
                try Box().run(words, [Passwords.old]).ends(2, "ERR-TT-301")
            }
        }

        @Test(.holds("F-107-09", "P-107-01"))
        func
            `once no listed device needs its key a revoked vault opens with no password, and its recovery key exports`()
            throws
        {
            let (a, b) = (try Box.device("register", at: service), try Box.device("login", at: service))
            let password = [Passwords.old]
            try b.run(["wallet", "import", "Main"], password + [Box.mnemonic]).ends(0)
            let made = try b.run(["recovery", "create"], password).ends(0)
            let key = String(try #require(made.standardOutput.split(separator: "\n").first))
            try b.run(["recovery", "check"], password + [key]).ends(0)
            let lost = try b.devices()[0]
            try a.run(["account", "devices", "--revoke", lost], password).ends(0)
            try b.run(["account", "login"], password).ends(4, "ERR-TT-506")
            let exported = try b.run(["wallet", "export", "--recovery", "--all"], [key]).ends(0)
            #expect(exported.standardOutput.contains(Box.mnemonic))
            try b.run(["reset"], ["RESET"]).ends(0)
            try b.run(["account", "login", "ada"] + place, password).ends(0)
            let again = try b.devices()
            #expect(again.count == 2 && !again.contains(lost))
        }

        @Test(.holds("P-107-01"))
        func `an account closes once a recovery key was typed back and its name is typed, and that key exports`() throws
        {
            let (a, b) = (try Box.device("register", at: service), try Box.device("login", at: service))
            let password = Passwords.old
            try a.run(["wallet", "import", "Main"], [password, Box.mnemonic]).ends(0)
            try a.run(["account", "close"], [password, "ada"]).ends(1, "ERR-TT-115")
            let made = try a.run(["recovery", "create"], [password]).ends(0)
            let key = String(try #require(made.standardOutput.split(separator: "\n").first))
            try a.run(["account", "close"], [password, "ada"]).ends(1, "ERR-TT-115")
            try a.run(["recovery", "check"], [password, key]).ends(0)
            try a.run(["account", "close"], [password, "eve"]).ends(1, "ERR-TT-318")
            try a.run(["account", "close"], [Passwords.new, "ada"]).ends(1, "ERR-107-040")
            try b.run(["unlock"], [password]).ends(0)

            try a.run(["account", "close"], [password, "ada"]).ends(0)
            for box in [a, b] {
                // No login works: what does is said.
                let contact = try box.run(["account", "contact"]).ends(4, "ERR-TT-512")
                let login = try box.run(["account", "login"], [password]).ends(1, "ERR-107-040")
                for told in [contact, login] {
                    #expect(told.standardError.contains("wallet export --recovery --all`"), "\(told)")
                }
            }
            let exported = try a.run(["wallet", "export", "--recovery", "--all"], [key]).ends(0)
            #expect(exported.standardOutput.contains(Box.mnemonic))
        }

        @Test func `such a vault has no PIN: none is changed, and no other vault takes its place`() throws {
            let box = try Box.device("register", at: service)
            try box.run(["pin", "change"], [Passwords.old, "40718263"]).ends(1, "ERR-TT-111")
            service.stop()
            let before = box.contents()
            try box.run(["pin", "change"], [Passwords.old, "40718263"]).ends(1, "ERR-TT-111")
            try box.run(["init"], ["40718263"]).ends(1, "ERR-TT-202")
            #expect(box.contents() == before)
        }

        @Test func `status names the account, in words and as an object`() throws {
            let box = try Box.device("register", "ada.l@example.org", at: service)
            service.stop()
            for language in [[:], Box.french] {
                let told = try box.run(["status"], nil, language).ends(0).standardOutput
                #expect(told.contains("ada.l@example.org") && told.contains(service.origin))
            }
            let account = try #require(box.json(["status"])["account"] as? [String: Any])
            #expect(account["name"] as? String == "ada.l@example.org")
            #expect(account["service"] as? String == service.origin)
            #expect((account["deviceId"] as? String)?.count == 32 && (account["userId"] as? String)?.count == 32)
        }

        @Test func `each object is one line of JSON, also of what is refused`() throws {
            let (a, b, password) = (try Box(), try Box(), [Passwords.old])
            func object(_ box: Box, _ words: [String], _ lines: [String]?) throws -> [String: Any] {
                let printed = try box.run(["account"] + words + ["--json"], lines).standardOutput
                #expect(printed.hasSuffix("\n") && printed.count { $0 == "\n" } == 1, "\(printed)")
                return try #require(JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [String: Any])
            }
            func code(_ box: Box, _ words: [String], _ lines: [String]?) throws -> String? {
                (try object(box, words, lines)["error"] as? [String: Any])?["code"] as? String
            }
            let made = try object(a, ["register", "ada"] + place, password)
            #expect(made["account"] as? String == "ada" && made["service"] as? String == service.origin)
            #expect(try object(b, ["login", "ada"] + place, password)["deviceId"] as? String != nil)
            #expect(try object(b, ["login"], password)["unlocked"] as? Bool == true)
            #expect(try object(b, ["contact"], nil)["contact"] as? Bool == true)
            let lost = try a.devices()[1]
            let revoked = try object(a, ["devices", "--revoke", lost], password)
            #expect(revoked["revoked"] as? String == lost && (revoked["devices"] as? [Any])?.count == 1)
            #expect(try code(b, ["contact"], nil) == "ERR-107-080")
            #expect(try object(a, ["password"], password + [Passwords.new])["changed"] as? Bool == true)
            #expect(try code(a, ["login"], password) == "ERR-107-040")
            #expect(try code(a, ["close"], [Passwords.new, "ada"]) == "ERR-TT-115")
            service.stop()
            #expect(try code(a, ["login"], password) == "ERR-TT-501")
        }
    }
}

extension Box {
    /// Runs a line of a shell in which `thumbturn` is the command.
    fileprivate func line(_ script: String) throws -> ChildProcess {
        let tools = (Box.tool as NSString).deletingLastPathComponent
        let path = tools + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        let variables = ["PATH": path, "old": Passwords.old, "new": Passwords.new]
        return try ChildProcess.run("/bin/bash", ["-c", script], environment: environment(variables))
    }
}
