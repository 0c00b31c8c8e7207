import Foundation
import Testing
import ThumbturnConsole

@Suite struct AccountCommandTests {
    /// A registration; what it has in the place of a verifier is one of the group.
    private static func registration(_ name: String) -> String {
        let verifier = String(repeating: "0", count: 767) + "2"
        let kdf = #"{"name":"argon2id","memoryKiB":65536,"passes":3,"lanes":1}"#
        return #"{"account":"\#(name)","group":"rfc5054-3072","salt":"\#(String(repeating: "1", count: 32))","#
            + #""verifier":"\#(verifier)","kdf":\#(kdf)}"#
    }

    @Test func `a closed service answers a registration 403, and with an account that has no room 507`() throws {
        let site = try Site()
        let open = try site.serve("--accounts", "1")
        #expect(try open.ask("POST", "/v1/accounts", Self.registration("a")).contains(" 201 Created\r\n"))
        let full = try open.ask("POST", "/v1/accounts", Self.registration("b"))
        #expect(full.contains(" 507 Insufficient Storage\r\n") && full.contains(#""code":"ACCOUNTS_FULL""#))
        #expect(open.stopped() == 0)
        let closed = try site.serve("--registration", "closed")
        for body in ["", Self.registration("b")] {
            let answer = try closed.ask("POST", "/v1/accounts", body)
            #expect(answer.contains(" 403 Forbidden\r\n") && answer.contains("application/problem+json"))
            #expect(answer.contains(#""code":"REGISTRATION_CLOSED""#))
        }
        let form = try closed.ask("POST", "/v1/accounts", "a=b", type: "application/x-www-form-urlencoded")
        #expect(form.contains(#""code":"REGISTRATION_CLOSED""#))
        #expect(closed.stopped() == 0)
    }

    @Test func `an operator counts accounts, sees one and closes it, while the service runs`() throws {
        let site = try Site()
        let service = try site.serve()
        #expect(try site.run("account", "count", "--json").standardOutput == #"{"accounts":0}"# + "\n")
        for name in ["a", "b"] { _ = try service.ask("POST", "/v1/accounts", Self.registration(name)) }
        #expect(try site.run("account", "count", "--json").standardOutput == #"{"accounts":2}"# + "\n")
        let shown = try site.run("account", "show", "a")
        #expect(shown.exitCode == 0 && shown.standardOutput.hasPrefix("a, "))
        #expect(try site.run("account", "show", "a", "--json").standardOutput.hasPrefix(#"{"account":"a","userId":""#))
        #expect(try site.run("account", "close", "a").exitCode == 0)
        for command in ["show", "close"] {
            let told = try site.run("account", command, "a")
            #expect(told.exitCode == 1 && told.standardError.contains("ERR-TT-517"))
        }
        #expect(try site.run("account", "show", "A b").exitCode == 2)
        #expect(try site.run("account", "count", "--json").standardOutput == #"{"accounts":1}"# + "\n")
        #expect(try service.ask("POST", "/v1/accounts", Self.registration("a")).contains(" 201 "))
        #expect(service.stopped() == 0)
    }

    @Test func `a database that is not there is told, and none is made to look into`() throws {
        let site = try Site()
        for command in [["count"], ["show", "a"], ["close", "a"]] {
            let told = try site.run(["account"] + command)
            #expect(told.exitCode == 3 && told.standardError.contains("There is no database."))
        }
        #expect(Folders.isAbsent(site.database))
    }

    @Test func `a folder that is missing is told as that, and a service key that is there already`() throws {
        let site = try Site()
        let place = site.folder + "/no/such"
        let store = try site.run("serve", "--listen", "127.0.0.1:0", "--store", place + "/a.sqlite")
        #expect(store.exitCode == 3 && store.standardError.contains("The database's folder does not exist."))
        let count = try site.run("account", "count", "--store", place + "/a.sqlite")
        #expect(count.exitCode == 3 && count.standardError.contains("The database's folder does not exist."))
        let key = try site.run("service-key", "create", "--service-key", place + "/key")
        #expect(key.exitCode == 3 && key.standardError.contains("The folder for the service key does not exist."))
        #expect(try site.run("service-key", "create").exitCode == 0)
        let again = try site.run("service-key", "create")
        #expect(again.exitCode == 1 && again.standardError.contains("There is already a service key."))
        #expect(again.standardError.contains("service-key rotate"))
    }

    @Test func `metrics are at the service's own port where no proxy stands before it, else at their own alone`() throws
    {
        let plain = try Site().serve()
        #expect(try plain.ask("GET", "/metrics").contains("thumbturn_open_handshakes 0"))
        #expect(plain.stopped() == 0)
        let behind = try Site().serve("--trusted-proxy", "127.0.0.1", "--metrics", "127.0.0.1:0")
        let apart = try behind.address(of: "metrics")
        #expect(try behind.ask("GET", "/metrics").contains(" 404 "))
        #expect(try behind.ask("GET", "/metrics", at: apart).contains(#"status="404",code="NOT_FOUND"} 1"#))
        #expect(try behind.ask("GET", "/v1/account", at: apart).contains(" 404 "))
        #expect(behind.stopped() == 0)
    }
}
