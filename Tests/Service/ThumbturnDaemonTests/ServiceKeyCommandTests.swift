import Foundation
import Testing
import ThumbturnConsole
import ThumbturnTestKit

@Suite struct ServiceKeyCommandTests {
    @Test(.holds("SVC-37")) func `a service key is made for this user alone, once, and never shown`() throws {
        let site = try Site()
        let made = try site.run("service-key", "create")
        #expect(made.exitCode == 0)
        #expect(try site.mode(site.key) == 0o600)
        #expect(try site.mode((site.key as NSString).deletingLastPathComponent) == 0o700)
        let name = try site.run("service-key", "id").standardOutput.trimmingCharacters(in: .newlines)
        #expect(name.count == 16 && made.standardOutput.contains(name))

        let key = Folders.contents(of: site.key)
        let again = try site.run("service-key", "create")
        #expect(again.exitCode == 1 && Folders.contents(of: site.key) == key)
        let digits = key.suffix(32).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        for told in [made, again, try site.run("service-key", "id", "--json")] {
            #expect(!(told.standardOutput + told.standardError).contains(digits))
        }
    }

    @Test func `a key that is not there, or not in order, is told with what to do`() throws {
        let site = try Site()
        let absent = try site.run("service-key", "id")
        #expect(absent.exitCode == 3 && absent.standardError.contains("hint: "))
        try site.run("service-key", "create")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: site.key)
        #expect(try site.run("service-key", "id").exitCode == 3)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: site.key)
        try Data("no key".utf8).write(to: URL(fileURLWithPath: site.key))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: site.key)
        #expect(try site.run("service-key", "id").exitCode == 4)
    }

    @Test(.holds("SVC-34")) func `a rotation gives the file another key, and takes the former out`() throws {
        let site = try Site()
        #expect(try site.serve().stopped() == 0)
        let former = try site.run("service-key", "id").standardOutput
        let rotated = try site.run("service-key", "rotate")
        #expect(rotated.exitCode == 0)
        let newest = try site.run("service-key", "id").standardOutput
        #expect(newest != former && newest.split(separator: "\n").count == 1)
        #expect(try site.serve().stopped() == 0)
    }

    @Test func `a rotation that is prepared leaves both, and is prepared once`() throws {
        let site = try Site()
        #expect(try site.serve().stopped() == 0)
        try site.run("service-key", "rotate", "--prepare").succeeding()
        #expect(try site.run("service-key", "rotate", "--prepare").exitCode == 2)
        #expect(try site.run("service-key", "id").standardOutput.split(separator: "\n").count == 2)
        try site.run("service-key", "rotate").succeeding()
        #expect(try site.run("service-key", "id").standardOutput.split(separator: "\n").count == 1)
    }

    @Test(.holds("SVC-36")) func `what follows a restored database says how much it did`() throws {
        let site = try Site()
        #expect(try site.serve().stopped() == 0)
        let told = try site.run("restored", "--json")
        #expect(told.exitCode == 0 && told.standardOutput.hasPrefix(#"{"raised":0,"refused":0,"logs":["http"#))
        #expect(told.standardOutput.hasSuffix(#"/r1"]}"# + "\n"))
    }
}
