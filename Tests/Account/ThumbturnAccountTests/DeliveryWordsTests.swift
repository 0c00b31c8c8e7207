import Testing
import ThumbturnAccount
import ThumbturnConsole
import ThumbturnRules

@testable import Thumbturn
@testable import ThumbturnCommand

/// What a person is told of events that wait.
@Suite struct DeliveryWordsTests {
    @Test(.holds("F-107-10", "ERR-107-090"))
    func `what waits exits as for a service that can't be reached, one that was caught as a failed check`() throws {
        #expect(Failure(.complete, refusal: nil) == nil)
        for halt in TrailHalt.allCases {
            let failure = try #require(Failure(.halted(halt), refusal: "CODE"))
            #expect(failure.code == (halt.isEvidence ? .logContradicted : .auditUnavailable))
            #expect(failure.exitCode == (halt.isEvidence ? 4 : 3))
            let (statement, hint) = (try #require(failure.statement), try #require(failure.hint))
            for text in [statement, hint] { #expect(!text.english.isEmpty && text.english != text.french) }
            #expect(statement.english.contains("CODE") == (halt == .refused))
            #expect(statement.english.hasSuffix(".") && statement.english.first?.isUppercase == true)
        }
        let unreached = try #require(Failure(.failed(VaultError(.auditUnavailable), asked: nil), refusal: nil))
        #expect(unreached.code.text == "ERR-107-090" && unreached.exitCode == 3)
        let unproved = try #require(Failure(.failed(VaultError(.serviceNotProved), asked: nil), refusal: nil))
        #expect(unproved.exitCode == 4)
    }

    @Test(.holds("F-107-10")) func `a line says how many wait, since when, and why`() {
        func line(_ undelivered: UInt64, at: Milliseconds? = nil, _ halt: TrailHalt? = nil) -> Words {
            TrailDelivery(undelivered: undelivered, deliveredAt: at, origin: nil, halt: halt, refusal: nil).line
        }
        #expect(line(0).english == "all sent" && line(0).french == "tout est envoyé")
        #expect(line(1).english == "1 event waits" && line(1).french == "en attente : 1")
        #expect(line(2, .otherLog).english == "2 events wait · the service keeps another log now")
        let dated = line(0, at: Milliseconds(0))
        #expect(dated.english.hasPrefix("all sent · last sent 19") && dated.french.contains("dernier envoi 19"))
    }
}

extension OverSocketTests {
    /// The commands beside a service that keeps a log.
    @Suite struct DeliveryCommandTests {
        @Test(.holds("F-107-10", "P-107-09"))
        func `a service's log gets every event, and status and push say so`() throws {
            let service = try TestService()
            let box = try Box.device("register", at: service)
            let push = try box.run(["audit", "push"])
            #expect(push.exitCode == 0, "\(push)")
            let again = try box.run(["audit", "push"])
            #expect(again.exitCode == 0 && again.standardOutput == "The log has all events already.\n", "\(again)")
            let status = try box.run(["status"]).standardOutput
            #expect(status.contains("log: all sent, last sent "), "\(status)")
            let reset = try box.run(["reset"], ["RESET"])
            #expect(reset.exitCode == 0 && !reset.standardError.contains("could not be sent"), "\(reset)")
        }

        @Test(.holds("F-107-10", "A45"))
        func `a log with two faces is found by its user, whose vault keeps its last head`() throws {
            // Two databases under one name, which only whoever holds the service can have.
            let (service, other) = (try TestService("--origin", name), try TestService("--origin", name))
            let box = try Box.device("register", at: service)
            try box.run(["audit", "push"]).ends(0)
            let older = try service.export(to: box.folder + "/older.jsonl")
            try box.run(["unlock"], [Passwords.old]).ends(0)
            try box.run(["audit", "push"]).ends(0)
            let own = try service.export(to: box.folder + "/own.jsonl")
            let whole = try box.run(["audit", "verify", own]).ends(0)
            #expect(whole.standardOutput.contains("\nIt passes through the head that this device keeps.\n"), "\(whole)")

            let stranger = try Box.device("register", at: other)
            for _ in 0..<3 { try stranger.run(["unlock"], [Passwords.old]).ends(0) }
            try stranger.run(["audit", "push"]).ends(0)
            let face = try other.export(to: box.folder + "/face.jsonl")
            let told = "The log showed this device other events: up to \(try size(of: own)), the two are not the same."
            try box.run(["audit", "verify", face]).ends(4, "ERR-TT-222", told).tells("keep this file")
            try box.run(["audit", "verify", face], nil, Box.french).ends(4, "ERR-TT-222").tells("deux visages")
            #expect(try box.json(["audit", "verify", face])["isWhole"] as? Bool == false)
            let piped = try box.shell("\"$0\" audit verify - < '\(face)'")
            #expect(piped.exitCode == 4 && piped.standardError.contains(told), "\(piped)")

            let early = try box.run(["audit", "verify", older]).ends(0)
            let remark = "\nRemark: This device knows \(try size(of: own)) events"
            #expect(early.standardOutput.contains(remark), "\(early)")
            #expect(!early.standardOutput.contains("passes through"), "\(early)")
        }

        @Test(.holds("F-107-10"))
        func `another log's export, and one beside a vault that can't be read, are only verified`() throws {
            let (service, other) = (try TestService("--origin", name), try TestService())
            let (box, stranger) = (try Box.device("register", at: service), try Box.device("register", at: other))
            for box in [box, stranger] { try box.run(["audit", "push"]).ends(0) }
            let foreign = try other.export(to: box.folder + "/foreign.jsonl")
            let verified = try box.run(["audit", "verify", foreign]).ends(0)
            #expect(verified.standardError.isEmpty && !verified.standardOutput.contains("this device"), "\(verified)")
            let own = try service.export(to: box.folder + "/own.jsonl")
            Folders.remove(box.device)
            let apart = try box.run(["audit", "verify", own]).ends(0).tells("nothing was compared with what it keeps")
            #expect(!apart.standardOutput.contains("passes through"), "\(apart)")
            let trail = try stranger.run(["audit", "export", box.folder + "/trail"], [Passwords.old]).ends(0)
            #expect(trail.exitCode == 0)
            #expect(try box.run(["audit", "verify", box.folder + "/trail"]).ends(0).standardError.isEmpty)
        }

        private var name: String { "https://id.example.com" }

        private func size(of export: String) throws -> Int {
            try #require(Box().json(["audit", "verify", export])["size"] as? Int)
        }

        @Test(.holds("F-107-10")) func `a vault without an account has nothing to push`() throws {
            let box = try Box.withVault()
            let push = try box.run(["audit", "push"])
            push.ends(1, "ERR-TT-507", "This vault has no account").tells("audit export FILE")
            #expect(!(try box.run(["status"]).standardOutput.contains("log: ")))
        }
    }
}
