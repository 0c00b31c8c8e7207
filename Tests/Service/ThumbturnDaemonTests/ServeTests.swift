import Foundation
import Glibc
import Testing
import ThumbturnConsole
import ThumbturnTestKit

@Suite struct ServeTests {
    @Test func `without any configuration it serves, from files for this user alone`() throws {
        let site = try Site()
        let service = try site.serve()
        let address = try service.address()
        let answer = try ChildProcess.run("/usr/bin/curl", ["-fsS", address + "/readyz"], environment: [])
        #expect(answer.standardOutput == #"{"status":"ok"}"#, "\(answer.standardError)")
        for file in [site.database, site.key] {
            #expect(try site.mode(file) == 0o600)
            #expect(try site.mode((file as NSString).deletingLastPathComponent) == 0o700)
        }
        #expect(service.stopped() == 0)
    }

    @Test(arguments: [SIGTERM, SIGINT]) func `a signal ends it in order`(signal: Int32) throws {
        let service = try Site().serve()
        service.send(signal)
        let end = service.finish()
        #expect(end.exitCode == 0 && end.standardError.contains(#""answeredAll":true"#))
    }

    @Test(.holds("A53")) func `it leaves no core`() throws {
        let service = try Site().serve()
        let limits = try String(contentsOfFile: "/proc/\(service.process)/limits", encoding: .utf8)
        let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
        #expect(core.split(separator: " ").dropFirst(4).prefix(2).elementsEqual(["0", "0"]))
        #expect(service.stopped() == 0)
    }

    @Test func `a database that was served under a key gets no new one`() throws {
        let site = try Site()
        #expect(try site.serve().stopped() == 0)
        try FileManager.default.removeItem(atPath: site.key)
        let lost = try site.run("serve", "--listen", "127.0.0.1:0")
        #expect(lost.exitCode == 3 && lost.standardError.contains("service key"))
        #expect(Folders.isAbsent(site.key))
        try site.run("service-key", "create")
        #expect(try site.run("serve", "--listen", "127.0.0.1:0").exitCode == 4)
    }

    @Test(.holds("SVC-39")) func `a start that finds no database where its key is says that it makes one`() throws {
        let site = try Site()
        let warning = "a new database beside a service key that was there"
        let first = try site.serve()
        #expect(!first.log.contains(warning))
        #expect(first.stopped() == 0)
        for name in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: site.database + name) }
        let second = try site.serve()
        #expect(second.log.contains(warning))
        #expect(second.stopped() == 0)
    }

    @Test func `the first origin names the service for good, and another one later is told and changes nothing`() throws
    {
        let site = try Site()
        let warning = "another --origin than the service's name, which stays"
        let (first, second) = ("https://id.example.com", "https://id.example.net")
        for (given, isTold) in [(first, false), (second, true), (first, false)] {
            let service = try site.serve("--origin", given)
            #expect(service.log.contains(#""origin":"\#(first)","version""#), "\(service.log)")
            #expect(service.log.contains(warning) == isTold)
            #expect(service.log.contains(second) == isTold)
            #expect(service.stopped() == 0)
        }
        // Who names none is told of none, wherever it listens.
        let plain = try site.serve()
        #expect(plain.log.contains(#""origin":"\#(first)""#) && !plain.log.contains(warning))
        #expect(plain.stopped() == 0)
    }

    @Test func `an address that is taken is told`() throws {
        let site = try Site()
        let service = try site.serve()
        let port = try #require(service.address().split(separator: ":").last)
        let second = try Site().run("serve", "--listen", "127.0.0.1:\(port)")
        #expect(second.exitCode == 3 && second.standardError.contains("127.0.0.1:\(port)"))
        #expect(service.stopped() == 0)
    }

    @Test func `a certificate that is none is told before anything is served`() throws {
        let site = try Site()
        for name in ["chain.pem", "key.pem"] { try Folders.write(Array("none".utf8), to: site.folder + "/" + name) }
        let told = try site.run(
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--tls-cert",
            site.folder + "/chain.pem",
            "--tls-key",
            site.folder + "/key.pem"
        )
        #expect(told.exitCode == 2 && told.standardError.contains("certificate"))
        #expect(site.files == ["chain.pem", "key.pem"], "nothing was made")
    }

    @Test func `a start that finds its address taken, or its key open to others, makes nothing`() throws {
        let site = try Site()
        let service = try site.serve()
        let port = try #require(service.address().split(separator: ":").last)
        let second = try Site()
        #expect(try second.run("serve", "--listen", "127.0.0.1:\(port)").exitCode == 3)
        #expect(second.files.isEmpty)
        #expect(service.stopped() == 0)

        try Folders.makeParents(of: second.folder + "/state/thumbturnd/keys/service.key")
        try Folders.write([], to: second.folder + "/state/thumbturnd/keys/service.key")
        try #require(unsafe chmod(second.folder + "/state/thumbturnd/keys", 0o777) == 0)
        let refused = try second.run("serve", "--listen", "127.0.0.1:0")
        #expect(refused.standardError.contains("ERR-TT-205"), "\(refused)")
        #expect(second.files == ["service.key"])
    }

    @Test func `a start that finds the port of its metrics taken, or no folder for its key, makes nothing`() throws {
        let service = try Site().serve()
        let port = try #require(service.address().split(separator: ":").last)
        let site = try Site()
        let taken = "127.0.0.1:\(port)"
        let metrics = try site.run("serve", "--listen", "127.0.0.1:0", "--metrics", taken)
        #expect(metrics.exitCode == 3 && metrics.standardError.contains(taken), "\(metrics)")
        #expect(site.files.isEmpty)
        #expect(service.stopped() == 0)
        // The one would take it from the other.
        let both = try site.run("serve", "--listen", taken, "--metrics", taken)
        #expect(both.exitCode == 3 && both.standardError.contains(taken), "\(both)")
        #expect(site.files.isEmpty)

        let key = site.folder + "/missing/keys/service.key"
        let missing = try site.run("serve", "--listen", "127.0.0.1:0", "--service-key", key)
        #expect(missing.exitCode == 3 && missing.standardError.contains("folder for the service key"), "\(missing)")
        #expect(site.files.isEmpty)
    }

    @Test func `what changes keys or epochs of a database makes none`() throws {
        let site = try Site()
        try site.run("service-key", "create").succeeding()
        for words in [["service-key", "rotate"], ["restored"], ["account", "count"]] {
            let refused = try site.run(words)
            #expect(refused.exitCode == 3 && refused.standardError.contains("no database"), "\(refused)")
        }
        #expect(site.files == ["service.key"])
    }

    @Test(.enabled(if: geteuid() == 0, "only the superuser makes files in another's folder"))
    func `the superuser makes no key in another user's folder`() throws {
        let site = try Site()
        try #require(unsafe chown(site.folder, 12_345, 12_345) == 0)
        for words in [["serve", "--listen", "127.0.0.1:0"], ["service-key", "create"]] {
            let refused = try site.run(words)
            #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-205"), "\(refused)")
        }
        #expect(site.files.isEmpty)
        try #require(unsafe chown(site.folder, 0, 0) == 0)
    }
}

extension RunningService {
    /// Stops it; returns its exit code.
    consuming func stopped() -> Int32 {
        send(SIGTERM)
        return finish().exitCode
    }
}
