import Testing
import ThumbturnConsole

extension OverSocketTests {
    /// `docs/json.md` holds for the commands of an account, against a real service.
    @Suite struct AccountFieldTests {
        @Test
        func `every field that an account's commands print is on the page, and every field of the page is printed`()
            throws
        {
            let service = try TestService()
            let box = try Box()
            var fields = try JSONFields()
            func run(_ command: String, _ rest: [String] = [], _ secrets: [String]? = nil) throws -> String {
                let printed = try box.run(command.split(separator: " ").map(String.init) + rest + ["--json"], secrets)
                try fields.take(printed.standardOutput, of: command)
                return printed.standardOutput
            }
            _ = try run("account register", ["ada", "--service", service.origin], [Passwords.old])
            _ = try run("account login", [], [Passwords.old])
            _ = try run("status")
            _ = try run("audit push")
            _ = try run("audit log")
            _ = try run("account contact")
            _ = try run("account move", [service.origin], [Passwords.old])
            _ = try run("account devices", [], [Passwords.old])
            _ = try run("account devices", ["--revoke", "nobody"], [Passwords.old])
            _ = try run("account password", [], [Passwords.old, Passwords.new])
            let made = try box.run(["recovery", "create"], [Passwords.new]).standardOutput
            try box.run(["recovery", "check"], [Passwords.new, String(made.prefix { $0 != "\n" })]).ends(0)
            _ = try run("account close", [], [Passwords.new, "ada"])

            let own = ["register", "devices", "move", "contact", "close"].map { "account \($0)" }
            #expect(fields.unseen(of: own + ["audit push"]) == [])
            #expect(fields.unseen(of: ["status"]).filter { $0.contains(": account") } == [])
            #expect(fields.unseen(of: ["status", "audit log"]).filter { $0.contains("delivery") } == [])
        }
    }
}
