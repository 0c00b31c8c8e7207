import Foundation
import Glibc
import Testing
import ThumbturnConsole

@Suite struct LedgerCommandTests {
    @Test(.holds("F-107-10")) func `an auditor gets a token once, and reads with it until he is removed`() throws {
        let site = try Site()
        let service = try site.serve()
        let made = try site.run("auditor", "create", "siem")
        let token = made.standardOutput.trimmingCharacters(in: .newlines)
        #expect(made.exitCode == 0 && token.wholeMatch(of: /[0-9a-f]{64}/) != nil)
        let taken = try site.run("auditor", "create", "siem")
        #expect(
            taken.exitCode == 1 && taken.standardOutput.isEmpty && taken.standardError.contains("There is an auditor")
        )
        let json = try site.run("auditor", "create", "second", "--json").standardOutput
        #expect(json.hasPrefix(#"{"auditor":"second","token":""#))
        #expect(try service.ask("GET", "/v1/audit/events", token: token).contains(" 200 OK\r\n"))
        #expect(try service.ask("GET", "/v1/audit/events").contains(" 401 Unauthorized\r\n"))
        #expect(try site.run("auditor", "remove", "siem").exitCode == 0)
        #expect(try service.ask("GET", "/v1/audit/events", token: token).contains(" 401 Unauthorized\r\n"))
        #expect(try site.run("auditor", "remove", "siem").exitCode == 1)
        #expect(try site.run("auditor", "create", "a b").exitCode == 2)
        #expect(service.stopped() == 0)
        let database = try Data(contentsOf: URL(fileURLWithPath: site.database))
        #expect(database.range(of: Data(token.utf8)) == nil)
    }

    @Test func `a ledger that is not there is told, and no database is made to look into`() throws {
        let site = try Site()
        for words in [["export"], ["check"], ["auditor", "create", "a"], ["auditor", "remove", "a"]] {
            let told = try site.run(words)
            #expect(told.exitCode == 3 && told.standardError.contains("There is no database."), "\(words)")
        }
        #expect(Folders.isAbsent(site.database))
    }

    @Test(.holds("F-107-10")) func `a log is exported and checked while the service runs, and behind it`() throws {
        let site = try Site()
        let service = try site.serve("--origin", "https://id.example.com", "--public-tiles")
        let note = try service.waitForNote("/v1/audit/checkpoint")
        #expect(note.hasPrefix("https://id.example.com\n0\n"))
        #expect(try service.ask("GET", "/v1/audit/tile/0/000.p/1").contains("BEYOND_HEAD"))
        let running = try site.run("export")
        #expect(service.stopped() == 0)
        let stopped = try site.run("export", "--log", "0")
        #expect(running.exitCode == 0 && running.standardOutput == stopped.standardOutput)
        let lines = stopped.standardOutput.split(separator: "\n")
        #expect(lines.map { $0.prefix(8) } == [#"{"header"#, #"{"key":{"#, #"{"checkp"#])
        let check = try site.run("check", "--json")
        #expect(check.exitCode == 0)
        #expect(check.standardOutput.contains(#""origin":"https://id.example.com","size":0,"ended":false,"keys":[""#))
        #expect(check.standardOutput.contains(#""signed":0,"faults":[],"faultCount":0,"remarks":[]"#))
        let dated = try site.run("check", "--before", "2026-01-31")
        #expect(dated.exitCode == 0 && dated.standardOutput.contains("older: none"))
        #expect(try site.run("export", "--log", "1").exitCode == 2)
    }

    @Test(.holds("F-107-10")) func `a log that is signed gets no new key where its key is not`() throws {
        let site = try Site()
        let service = try site.serve()
        _ = try service.waitForNote("/v1/audit/checkpoint")
        #expect(service.stopped() == 0)
        let key = site.auditKey
        try FileManager.default.moveItem(atPath: key, toPath: key + ".away")
        let refused = try site.run("serve")
        #expect(refused.exitCode == 3 && refused.standardError.contains("is not here: \(key)"))
        #expect(Folders.isAbsent(key))
        try FileManager.default.moveItem(atPath: key + ".away", toPath: key)
        #expect(try site.serve().stopped() == 0)
    }

    @Test(.holds("SVC-23", "F-107-10")) func `a restored database goes on with another log, and the former one stays`()
        throws
    {
        let site = try Site()
        let first = try site.serve("--origin", "https://id.example.com", "--logs", "2")
        _ = try first.waitForNote("/v1/audit/logs/1/checkpoint")
        _ = try first.waitForNote("/v1/audit/checkpoint")
        #expect(first.stopped() == 0)
        #expect(try site.run("export").exitCode == 2)
        let restored = try site.run("restored", "--json").standardOutput
        #expect(restored.contains(#""logs":["https://id.example.com/r1/0","https://id.example.com/r1/1"]"#))
        let second = try site.serve("--logs", "3")
        #expect(second.log.contains("another --logs than the database's"))
        #expect(try second.waitForNote("/v1/audit/checkpoint", size: 1).hasPrefix("https://id.example.com/r1/0\n1\n"))
        #expect(
            try second.waitForNote("/v1/audit/logs/3/checkpoint", size: 1).hasPrefix("https://id.example.com/r1/1\n1\n")
        )
        #expect(try second.waitForNote("/v1/audit/logs/0/checkpoint").hasPrefix("https://id.example.com/0\n0\n"))
        #expect(second.stopped() == 0)
        for log in 0..<4 { #expect(try site.run("export", "--log", "\(log)").exitCode == 0) }
        #expect(try site.run("export", "--log", "3").standardOutput.contains("LOG_RESTORED"))
        let check = try site.run("check")
        #expect(
            check.exitCode == 0
                && check.standardOutput.contains("log 0, https://id.example.com/0: leaves 0, signed 0, ended")
        )
    }

    @Test(.holds("SVC-23", "F-107-10"))
    func `a database that was put back without restored is not served, until that was run or the heads are removed`()
        throws
    {
        let site = try Site()
        let first = try site.serve("--origin", "https://id.example.com")
        _ = try first.waitForNote("/v1/audit/checkpoint")
        #expect(first.stopped() == 0)
        #expect(try site.run("restored").exitCode == 0)
        let backup = Folders.contents(of: site.database)
        let second = try site.serve()
        _ = try second.waitForNote("/v1/audit/checkpoint", size: 1)
        #expect(second.stopped() == 0)
        #expect(try site.mode(site.heads) == 0o600)
        // What is as far as it was goes on.
        #expect(try site.serve().stopped() == 0)

        try FileManager.default.removeItem(atPath: site.database)
        try Folders.write(backup, to: site.database)
        let refused = try site.run("serve", "--listen", "127.0.0.1:0")
        #expect(refused.exitCode == 4 && refused.standardError.contains("ERR-TT-518"), "\(refused)")
        let told = "older than its audit log: https://id.example.com/r1 was signed up to 1."
        #expect(refused.standardError.contains(told), "\(refused)")
        #expect(refused.standardError.contains("`thumbturnd restored`") && refused.standardError.contains(site.heads))
        let kept = Folders.contents(of: site.heads)
        #expect(try site.run("restored", "--json").standardOutput.contains("https://id.example.com/r2"))
        let third = try site.serve()
        _ = try third.waitForNote("/v1/audit/checkpoint", size: 1)
        #expect(third.stopped() == 0)

        // The owner of another database says so by removing them.
        try FileManager.default.removeItem(atPath: site.database)
        try Folders.write(backup, to: site.database)
        #expect(try site.run("serve", "--listen", "127.0.0.1:0").exitCode == 4)
        try FileManager.default.removeItem(atPath: site.heads)
        #expect(try site.serve().stopped() == 0)
        try FileManager.default.removeItem(atPath: site.heads)
        try Folders.write(kept.dropLast(), to: site.heads)
        let damaged = try site.run("serve", "--listen", "127.0.0.1:0")
        #expect(damaged.exitCode == 3 && damaged.standardError.contains("remove it"), "\(damaged)")
    }
}

extension RunningService {
    /// Asks for a log's signed head until there is one of this size.
    fileprivate func waitForNote(_ path: String, size: Int = 0) throws -> String {
        for _ in 0..<100 {
            let answer = try ask("GET", path)
            let note = answer.components(separatedBy: "\r\n\r\n").last ?? ""
            if answer.contains(" 200 OK\r\n"), Int(note.split(separator: "\n")[1]) ?? -1 >= size { return note }
            usleep(50_000)
        }
        throw CancellationError()
    }
}
