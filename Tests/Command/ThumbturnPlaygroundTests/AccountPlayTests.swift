import Foundation
import Testing
import ThumbturnFiles
import ThumbturnJSON
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnPlayground

#if canImport(Glibc)
import Glibc
#endif

/// The phone with an account: a real `thumbturnd` beside it, and the owner's other device.
@Suite struct AccountPlayTests {
    private static func changeElsewhere(_ played: Played) throws -> Answered {
        try played.act(
            #"{"screen":"elsewhere","name":"changePassword","secret":"taken"}"#,
            Played.password + "\n" + Played.newPassword
        )
    }

    /// The app leaves the front and comes back, which asks the service.
    private static func returnToFront(_ played: Played) throws {
        for phase in ["background", "active"] {
            try played.act(#"{"screen":"app","name":"appBecame","phase":"\#(phase)"}"#)
        }
    }

    @Test func `a password that was changed elsewhere ends the finger, and the new one brings it back`() throws {
        let played = try Played()
        try played.makeAccount(biometrics: true)
        _ = try played.lock()
        let changed = try Self.changeElsewhere(played)
        #expect(changed.json?.at("answer.error")?.isNull == true, "\(changed.text)")
        try Self.returnToFront(played)
        _ = try played.until("host.screens.unlock.state", is: "REVOKED")
        _ = try played.until("inside.rule.name", is: "policyEpochOld")
        let old = try played.act(#"{"screen":"unlock","name":"submitSecret","secret":"taken"}"#, Played.password)
        #expect(old.json?.at("answer.error.code")?.text == "ERR-107-040", "\(old.text)")
        try played.act(#"{"screen":"unlock","name":"submitSecret","secret":"taken"}"#, Played.newPassword)
        _ = try played.until("host.screens.unlock.screen.name", is: "offer")
        try played.act(#"{"screen":"unlock","name":"answerOffer","consent":true}"#)
        _ = try played.until("the finger is not back") { state in
            state.at("inside.machines")?.elements.first { $0["name"]?.text == "biometrics" }?["now"]?.text == "enabled"
        }
    }

    @Test func `a phone that another device removed says so, and no finger opens it`() throws {
        let played = try Played()
        try played.makeAccount(biometrics: true)
        _ = try played.lock()
        let revoked = try played.act(#"{"screen":"elsewhere","name":"revoke","secret":"taken"}"#, Played.password)
        #expect(revoked.json?.at("answer.error")?.isNull == true, "\(revoked.text)")
        try Self.returnToFront(played)
        _ = try played.until("it was never removed, or a finger is still asked for") { state in
            state.at("host.screens.account.isRemoved")?.isTrue == true
                && state.at("host.screens.unlock.biometry")?.isNull == true
        }
    }

    @Test func `while the service is away only the password waits for it, and all is well once it is back`() throws {
        let played = try Played()
        try played.makeAccount(biometrics: true)
        let service = try #require(played.service)
        _ = try played.lock()
        #expect(try played.world("service away").status == 200)
        #expect(try played.send("GET", "/state").json?["isServiceAway"]?.isTrue == true)
        #expect(played.service == nil && kill(service, 0) != 0)
        let start = MonotonicClock.milliseconds
        try Self.returnToFront(played)
        let refused = try played.act(#"{"screen":"unlock","name":"submitSecret","secret":"taken"}"#, Played.password)
        #expect(refused.json?.at("answer.error.code")?.text == ErrorCode.serviceUnreachable.text, "\(refused.text)")
        let state = try played.until("host.screens.unlock.error.code", is: ErrorCode.serviceUnreachable.text)
        // It was no attempt, and nothing is taken from the finger.
        #expect(state.at("inside.ledger.failures")?.number == 0)
        try played.act(#"{"screen":"unlock","name":"unlockWithBiometric"}"#)
        _ = try played.until("world.prompt.mode", is: "local")
        try played.world("finger match")
        _ = try played.until("host.screens.unlock.scope", is: "full")
        #expect(MonotonicClock.milliseconds - start < Patience.service.count)
        let devices = #"{"screen":"accountDevices","name":"submitSecret","secret":"taken"}"#
        let unlisted = try played.act(devices, Played.password)
        #expect(unlisted.json?.at("answer.error.code")?.text == ErrorCode.serviceUnreachable.text)
        #expect(try played.world("service back").status == 200)
        #expect(try played.send("GET", "/state").json?["isServiceAway"]?.isTrue == false)
        let listed = try played.act(devices, Played.password)
        #expect(listed.json?.at("answer.error")?.isNull == true, "\(listed.text)")
        _ = try played.until("host.screens.accountDevices.step", is: "list")
        _ = try played.lock()
        try played.act(#"{"screen":"unlock","name":"submitSecret","secret":"taken"}"#, Played.password)
        _ = try played.until("host.screens.unlock.scope", is: "full")
        // What happened meanwhile reaches its log.
        let isDelivered = played.endsWithin(60) {
            _ = try? played.act(#"{"screen":"delivery","name":"refresh"}"#)
            return (try? played.state().at("host.screens.delivery.count")?.number) == 0
        }
        #expect(isDelivered)
    }

    @Test func `no service goes away or comes back where none was started`() throws {
        let played = try Played()
        for word in ServiceWord.allCases {
            let refused = try played.world(word.rawValue)
            #expect(refused.status == 503 && refused.code == "SERVICE_NOT_STARTED")
        }
        #expect(try played.send("GET", "/state").json?["isServiceAway"]?.isTrue == false)
        // One that is away does not stay away from the next account.
        try played.makeAccount()
        #expect(try played.world("service away").status == 200)
        try played.makeAccount()
        #expect(try played.send("GET", "/state").json?["isServiceAway"]?.isTrue == false)
    }

    @Test func `the other device is on the account's list`() throws {
        let played = try Played()
        try played.makeAccount()
        _ = try Self.changeElsewhere(played)
        try played.act(#"{"screen":"accountDevices","name":"submitSecret","secret":"taken"}"#, Played.newPassword)
        let state = try played.until("host.screens.accountDevices.step", is: "list")
        let names = state.at("host.screens.accountDevices.devices")?.elements.compactMap { $0["name"]?.text }
        #expect(names == ["phone", "tablet"])
    }

    @Test func `the other device needs the password`() throws {
        let played = try Played()
        try played.makeAccount()
        let change = #"{"screen":"elsewhere","name":"changePassword","secret":"taken"}"#
        let wrong = try played.act(change, Played.newPassword + "\n" + Played.newPassword)
        #expect(wrong.json?.at("answer.error.code")?.text == "ERR-107-040", "\(wrong.text)")
        let half = try played.act(change, Played.password)
        #expect(half.json?.at("answer.error.code")?.text != nil, "\(half.text)")
        _ = try played.lock()
        try played.act(#"{"screen":"unlock","name":"submitSecret","secret":"taken"}"#, Played.password)
        _ = try played.until("host.screens.unlock.screen.name", is: "content")
    }

    @Test func `a password that comes while another is on its way is refused, and not dropped`() throws {
        let played = try Played()
        try played.makeAccount()
        _ = try played.lock()
        let devices = #"{"act":{"screen":"accountDevices","name":"submitSecret","secret":"taken"}}"#
        // The first waits for its service as long as this holds it.
        let service = try #require(played.service)
        kill(service, SIGSTOP)
        defer { kill(service, SIGCONT) }
        let first = try played.open("POST", "/act", body: Array((devices + "\n" + Played.password).utf8))
        _ = try played.until("it was never on its way") { $0.at("host.screens.accountDevices.isBusy")?.isTrue == true }
        let second = try played.send("POST", "/act", body: Array((devices + "\n" + Played.password).utf8))
        #expect(second.json?.at("answer.error.code")?.text == ErrorCode.busy.text, "\(second.text)")
        kill(service, SIGCONT)
        #expect(first.receive().json?.at("answer.error")?.isNull == true)
    }

    @Test func `no password is in a state, an answer or a file`() throws {
        let played = try Played()
        let scanner = LeakScanner([
            "password": Array(Played.password.utf8), "new password": Array(Played.newPassword.utf8),
        ])
        try played.makeAccount(biometrics: true)
        try played.act(#"{"screen":"accountPassword","name":"submitSecret","secret":"taken"}"#, Played.password)
        _ = try played.until("host.screens.accountPassword.step", is: "new")
        try played.act(#"{"screen":"accountPassword","name":"cancel"}"#)
        try played.act(#"{"screen":"trail","name":"export","secret":"taken"}"#, Played.password)
        _ = try Self.changeElsewhere(played)
        _ = try played.state()
        #expect(scanner.leaks(in: Data(played.told)) == [])
        #expect(try scanner.leaks(below: played.scratch) == [])
    }

    @Test func `a new account's phone has a service that knows nobody`() throws {
        let played = try Played()
        try played.makeAccount()
        let service = try #require(played.service)
        _ = try Self.changeElsewhere(played)
        // The same name once more, with the password that it had at first.
        try played.makeAccount()
        #expect(kill(service, 0) != 0)
        #expect(try #require(played.service) != service)
    }

    @Test func `a server that ends, or is killed, takes its service along`() throws {
        for signal in [SIGINT, SIGKILL] {
            let played = try Played()
            try played.makeAccount()
            let service = try #require(played.service)
            kill(played.process, signal)
            #expect(played.endsWithin(30) { kill(service, 0) != 0 && played.files == [] })
        }
    }

    @Test func `a phone without an account has no other device`() throws {
        let played = try Played()
        try played.makeVault()
        let answered = try Self.changeElsewhere(played)
        #expect(answered.json?.at("answer.error.code")?.text != nil, "\(answered.text)")
    }

    @Test func `without thumbturnd the page is told so, and shows the rest`() throws {
        let alone = Bundle.main.bundleURL.appendingPathComponent("alone-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: alone, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: alone) }
        let program = alone + "/thumbturn-playground"
        try FileManager.default.linkItem(atPath: Played.program, toPath: program)
        let played = try Played(program)
        #expect(try played.send("GET", "/state").json?["hasService"]?.isTrue == false)
        let refused = try played.send("POST", "/start", body: Array(#"{"account":true}"#.utf8))
        #expect(refused.status == 409 && refused.code == "SERVICE_MISSING")
        try played.makeVault()
    }
}
