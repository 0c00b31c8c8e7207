import Foundation
import Testing
import ThumbturnConsole

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
    }
}

extension RunningService {
    /// Stops it; returns its exit code.
    consuming func stopped() -> Int32 {
        send(SIGTERM)
        return finish().exitCode
    }
}
