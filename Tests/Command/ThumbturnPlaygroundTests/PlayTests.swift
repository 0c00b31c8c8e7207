import Foundation
import Testing
import ThumbturnConsole
import ThumbturnJSON
import ThumbturnTestKit

#if canImport(Glibc)
import Glibc
#endif

@Suite struct PlayTests {
    @Test func `two pages see one change`() throws {
        let played = try Played()
        _ = try played.until("host.screens.onboarding.step", is: "secret")
        let revision = try #require(played.send("GET", "/state").json?["revision"]?.number)
        let pages = try [0, 1].map { _ in try played.open("GET", "/state?after=\(revision)") }
        try played.act(#"{"screen":"onboarding","name":"submitSecret","secret":"taken"}"#, Played.pin)
        for page in pages { #expect(try #require(page.receive().json?["revision"]?.number) > revision) }
        _ = try played.until("host.screens.onboarding.step", is: "repeated")
    }

    @Test func `a killed app is said, and starts again before its lock`() throws {
        let played = try Played()
        try played.makeVault()
        let phone = try #require(played.phone)
        #expect(try played.send("POST", "/kill").status == 200)
        #expect(kill(phone, 0) != 0)
        _ = try played.until("an app that was killed goes on") { $0.at("app.isRunning")?.isTrue == false }
        let refused = try played.act(#"{"screen":"unlock","name":"lock"}"#)
        #expect(refused.status == 409 && refused.code == "PHONE_NOT_RUNNING")
        #expect(try played.send("POST", "/start").status == 200)
        let state = try played.until("host.screens.unlock.screen.name", is: "secret")
        #expect(state.at("app.isRunning")?.isTrue == true && state.at("host.screens.unlock.scope")?.isNull == true)
        #expect(played.phone != nil && played.phone != phone)
    }

    @Test func `an app that dies by itself is said`() throws {
        let played = try Played()
        _ = try played.until("host.screens.onboarding.step", is: "secret")
        let revision = try #require(played.send("GET", "/state").json?["revision"]?.number)
        let page = try played.open("GET", "/state?after=\(revision)")
        kill(try #require(played.phone), SIGKILL)
        #expect(page.receive().json?.at("state.app.isRunning")?.isTrue == false)
    }

    @Test func `a reboot ends the app and starts it, and a new phone has nothing`() throws {
        let played = try Played()
        try played.makeVault()
        let phone = try #require(played.phone)
        #expect(try played.world("reboot").status == 200)
        _ = try played.until("host.screens.unlock.screen.name", is: "secret")
        _ = try played.until("inside.rule.name", is: "biometricsDisabled")
        #expect(played.phone != nil && played.phone != phone)
        try played.send("POST", "/start", body: Array(#"{"new":true}"#.utf8))
        _ = try played.until("host.screens.onboarding.step", is: "secret")
    }

    @Test func `the box of the PIN that made the vault is open, and closes with the lock`() throws {
        let played = try Played()
        try played.makeVault()
        _ = try played.until("the PIN's box stays closed") { Self.openBoxes($0) == ["localSecret"] }
        _ = try played.lock()
        _ = try played.until("a box stays open behind the lock") { Self.openBoxes($0) == [] }
    }

    private static func openBoxes(_ state: JSON) -> [String]? {
        state.at("inside.slots")?.elements.filter { $0["isOpen"]?.isTrue == true }.compactMap { $0["kind"]?.text }
    }

    @Test func `Control-C leaves no process and no file`() throws {
        let played = try Played()
        try played.makeVault()
        let phone = try #require(played.phone)
        let page = try played.open(
            "GET",
            "/state?after=\(try #require(played.send("GET", "/state").json?["revision"]?.number))"
        )
        #expect(played.files.count == 1)
        #expect(played.interrupt() == 0)
        #expect(kill(phone, 0) != 0 && errno == ESRCH)
        #expect(played.files == [])
        _ = page.receive()
    }

    @Test func `a killed server takes the phone and its folder along`() throws {
        let played = try Played()
        try played.makeVault()
        let phone = try #require(played.phone)
        kill(played.process, SIGKILL)
        #expect(played.endsWithin(30) { kill(phone, 0) != 0 && played.files == [] })
    }

    @Test func `a server that is killed while no app runs leaves no file`() throws {
        let played = try Played()
        try played.makeVault()
        #expect(try played.send("POST", "/kill").status == 200)
        #expect(played.files != [])
        kill(played.process, SIGKILL)
        #expect(played.endsWithin(30) { played.files == [] })
    }

    /// Looks at a locked account's phone with a page that waits, which nobody touches.
    ///
    /// A tick is 10 ms: the limit is half a percent of the span.
    @Test func `while nothing happens no process uses the processor`() throws {
        let played = try Played()
        try played.makeAccount()
        _ = try played.lock()
        // What the lock wrote, and sends to the service, has its time.
        var last = try played.ticks()
        for _ in 0..<30 {
            usleep(1_000_000)
            let now = try played.ticks()
            if now == last { break }
            last = now
        }
        let revision = try #require(played.send("GET", "/state").json?["revision"]?.number)
        let page = try played.open("GET", "/state?after=\(revision)")
        usleep(500_000)
        let before = try played.ticks()
        usleep(10_000_000)
        let after = try played.ticks()
        // Nothing was told, so the page has waited all the time.
        #expect(try played.send("GET", "/state").json?["revision"]?.number == revision)
        #expect(Set(after.keys) == Set(before.keys))
        let used = after.values.reduce(0, +) - before.values.reduce(0, +)
        #expect((0...5).contains(used), "\(used) ticks in ten seconds")
        _ = page
    }

    @Test func `the phone's folder is its own`() throws {
        let played = try Played()
        try played.makeVault()
        let name = try #require(played.files.first)
        var status = stat()
        #expect(unsafe stat(played.scratch + "/" + name, &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    @Test func `no secret is in a state, an answer or a file, but in the answer to an export`() throws {
        let played = try Played()
        let scanner = LeakScanner([
            "PIN": Array(Played.pin.utf8), "wrong PIN": Array(Played.wrongPIN.utf8),
            "mnemonic": Array(Played.mnemonic.utf8),
        ])
        try played.makeVault()
        let word = Played.mnemonic
        try played.act(#"{"screen":"wallets","name":"import","secret":"taken","wallet":"savings"}"#, word)
        let state = try played.until("host.screens.unlock.screen.name", is: "content")
        let wallet = try #require(state.at("host.screens.wallets.list")?.elements.first?["id"]?.text)
        let export = #"{"screen":"wallets","name":"export","secret":"taken","wallet":"\#(wallet)"}"#
        let refused = try played.act(export, Played.wrongPIN)
        #expect(refused.json?.at("answer.secret") == nil && refused.json?.at("answer.error.code") != nil)
        try played.act(#"{"screen":"trail","name":"export","secret":"taken"}"#, Played.pin)
        _ = try played.lock()
        try played.act(#"{"screen":"unlock","name":"submitSecret","secret":"taken"}"#, Played.wrongPIN)
        try played.rob(with: [Played.wrongPIN])
        _ = try played.state()
        #expect(scanner.leaks(in: Data(played.told)) == [])
        #expect(try scanner.leaks(below: played.scratch) == [])
        try played.act(#"{"screen":"unlock","name":"submitSecret","secret":"taken"}"#, Played.pin)
        let given = try played.act(export, Played.pin)
        #expect(given.json?.at("answer.secret")?.text == Played.mnemonic)
    }

    @Test func `a thief gets nothing without the device, and waits with it`() throws {
        let played = try Played()
        try played.makeVault()
        let answered = try played.rob(with: [Played.wrongPIN, Played.pin])
        let tries = try #require(answered.json?.at("answer.tries")).elements
        #expect(tries.map { $0["withDevice"]?.isTrue } == [false, false, true, true])
        #expect(tries.map { $0["opened"]?.isTrue } == [false, false, false, true])
        #expect(tries.allSatisfy { ($0["milliseconds"]?.number ?? -1) >= 0 })
        #expect(try played.state().at("inside.ledger.failures")?.number == 0)
    }

    @Test func `the verifier finds a letter that was changed by hand`() throws {
        let played = try Played()
        try played.makeVault()
        let none = try played.send("POST", "/verify", body: Array("{}".utf8))
        #expect(none.json?.at("answer.error.code") != nil)
        try played.act(#"{"screen":"trail","name":"export","secret":"taken"}"#, Played.pin)
        let export = try #require(
            played.send("POST", "/verify", body: Array("{}".utf8)).json?.at("answer.export")?.text
        )
        func verify(_ text: String) throws -> JSON? {
            try played.send("POST", "/verify", body: Array(JSON.object([("export", .string(text))]).wireText.utf8))
                .json?["answer"]
        }
        let whole = try #require(try verify(export))
        #expect(whole["isWhole"]?.isTrue == true)
        let changed = try #require(
            try verify(export.replacingOccurrences(of: "VAULT_CREATED", with: "VAULT_DELETED"))
        )
        #expect(changed["isWhole"]?.isTrue == false && changed["seq"]?.number != nil)
    }

    @Test func `a finger opens the vault while the prompt waits for it`() throws {
        let played = try Played()
        try played.makeVault(biometrics: true)
        _ = try played.lock()
        let waiting = try played.act(#"{"screen":"unlock","name":"unlockWithBiometric"}"#)
        #expect(waiting.json?.at("answer.isWaiting")?.isTrue == true)
        let state = try played.until("world.prompt.mode", is: "local")
        #expect(state.at("inside.machines")?.elements.first?["now"]?.text == "promptingBiometrics")
        try played.world("finger match")
        _ = try played.until("host.screens.unlock.scope", is: "full")
        _ = try played.until("another slot than the finger's is open") { state in
            let slots = state.at("inside.slots")?.elements ?? []
            return slots.filter { $0["isOpen"]?.isTrue == true }.map { $0["kind"]?.text } == ["biometric"]
        }
    }

    @Test func `a former app's wallet moves in by a finger, half`() throws {
        let played = try Played()
        _ = try played.until("host.screens.onboarding.step", is: "secret")
        try played.world("legacy wallet")
        #expect(try played.state().at("app.hasFormer")?.isTrue == true)
        let waiting = try played.act(#"{"screen":"onboarding","name":"migrate"}"#)
        #expect(waiting.json?.at("answer.isWaiting")?.isTrue == true)
        try played.world("finger match")
        _ = try played.until("host.screens.unlock.scope", is: "full")
        _ = try played.until("the migration's machine never was half") { state in
            state.at("inside.machines")?.elements.map { $0["now"]?.text }.contains("half") == true
        }
    }

    @Test func `credentials go through the five states of their vault`() throws {
        let played = try Played()
        _ = try played.until("credentials.state", is: "ready")
        func act(_ name: String) throws { try played.act(#"{"screen":"credentials","name":"\#(name)"}"#) }
        try act("enableKeychainVault")
        _ = try played.until("credentials.state", is: "keychainSecured")
        try act("upgradeKeychainWithBiometrics")
        try played.world("finger match")
        _ = try played.until("credentials.state", is: "biometricsSecured")
        try act("lock")
        let state = try played.until("credentials.state", is: "locked")
        let machine = state.at("inside.machines")?.elements.first { $0["name"]?.text == "credentials" }
        #expect(machine?["now"]?.text == "locked" && machine?["states"]?.elements.count == 5)
    }

    @Test func `the command starts the program beside it, and says so where there is none`() throws {
        let folder = try #require(try? TemporaryFolder())
        let own = Bundle.main.bundleURL.appendingPathComponent("thumbturn").path
        let alone = Bundle.main.bundleURL.appendingPathComponent("alone-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: alone, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: alone) }
        try FileManager.default.linkItem(atPath: own, toPath: alone + "/thumbturn")
        let result = try ChildProcess.run(
            alone + "/thumbturn",
            ["playground"],
            environment: ["HOME=" + folder.file("home")]
        )
        #expect(result.exitCode == 3 && result.standardError.contains("thumbturn-playground"))
    }
}
