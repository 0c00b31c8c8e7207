import ExpoModulesCore
import StandIn
import Testing
import ThumbturnCrypto
import ThumbturnTestKit
import UIKit

@testable import ThumbturnReactNative

@MainActor @Suite("React Native's module", .timeLimit(.minutes(5)))
struct ModuleTests {
    @Test func `actions reach the vault, and the value follows`() async throws {
        let stage = try Stage()
        #expect(try stage.script.fields == nil)
        try await stage.makeVault()
        #expect(try stage.script.fields == stage.script.values.last)
        try await stage.lock()
        let wrong = try await stage.script.send(1, Stage.action("submitSecret", secret: true), text: "605040")
        #expect(wrong.code == "ERR-107-040")
        #expect(stage.screen != "content")
        #expect(try await stage.script.send(2, Stage.action("submitSecret", secret: true), text: Stage.pin).code == nil)
        #expect(stage.screen == "content")
        #expect(!stage.script.heard.contains(Stage.pin), "no secret is told")
    }

    @Test(.holds("P-107-04")) func `what is typed natively opens the vault as a number, once`() async throws {
        let stage = try Stage()
        try await stage.makeVault()
        try await stage.lock()
        let field = Field()
        field.type(Stage.pin)
        let number = try #require(field.entries.last?.handle)
        #expect(field.entries.last?.length == 6)
        let action = Stage.action("submitSecret", secret: true)
        #expect(try await stage.script.send(1, action, number: number).code == nil)
        #expect(stage.screen == "content")

        #expect(try await stage.script.send(2, action, number: number).code == "SECRET_GONE")
        for stale in [0, number + 1, -1, 0.5, Double.nan, .infinity] {
            #expect(try await stage.script.send(3, action, number: stale).code == "SECRET_GONE")
        }
        field.type("1")
        let next = try #require(field.entries.last?.handle)
        #expect(next > number, "a number never comes again")
        #expect(try await stage.script.send(4, Stage.action("lock"), number: next).code == "SECRET_UNEXPECTED")
        #expect(try await stage.script.send(5, action, number: next).code == "SECRET_GONE", "refused is used up")
    }

    @Test func `a script that has not opened the vault gets an answer, and so does one that another replaced`()
        async throws
    {
        let stage = try Stage()
        #expect(try await stage.script.send(1, Stage.action("lock")).code == "HOST_NOT_OPEN")
        #expect(try await stage.script.ownerSecret(#"{"call":"get","name":"key"}"#).code == "HOST_NOT_OPEN")
        try stage.script.cancel(1)
        try await stage.open()
        let second = Script()
        try second.open()
        try await until { try await stage.script.send(2, Stage.action("lock")).code == "HOST_NOT_OPEN" }
        #expect(try await second.send(2, Stage.action("resetError")).code != "HOST_NOT_OPEN")
    }

    @Test func `a second open shows nothing of the former vault, and is told its own`() async throws {
        let stage = try Stage()
        try await stage.makeVault()
        let french = Script.configuration.replacingOccurrences(of: #""en""#, with: #""fr""#)
        for (configuration, language) in [(french, "fr"), (Script.configuration, "en"), (Script.configuration, "en")] {
            let told = stage.script.values.count
            try stage.script.open(configuration)
            #expect(try stage.script.fields == nil, "the former one's")
            try await until { try stage.script.fields?.contains(#""language":"\#(language)""#) == true }
            await until { stage.script.values.count > told }
            #expect(stage.screen == "content", "another language is the same vault")
        }
        let other = french.replacingOccurrences(of: #""wallet""#, with: #""pd107""#)
        try stage.script.open(other)
        #expect(try stage.script.fields == nil)
        try await until { try stage.script.fields?.contains(#""language":"fr""#) == true }
        await until { stage.screen == "secret" }
    }

    @Test func `bad input is a typed answer`() async throws {
        let stage = try Stage()
        for wrong in [
            "", "{}", "[]", #"{"home":"/","language":"en","policy":"wallet","secret":{"kind":"pin","length":6}}"#,
        ] {
            #expect(throws: (any Error).self) { try stage.script.open(wrong) }
        }
        try await stage.open()
        let long = String(repeating: "7", count: 10_000_000)
        let submit = Stage.action("submitSecret", secret: true)
        #expect(try await stage.script.send(1, long).code == "NOT_JSON")
        #expect(try await stage.script.send(2, submit, text: long).code == "SECRET_TOO_LONG")
        #expect(try await stage.script.send(3, submit).code == "SECRET_MISSING")
        for ticket in [Double.nan, .infinity, -.infinity] {
            #expect(try await stage.script.send(ticket, submit, text: "1").code == "TICKET_TAKEN")
            try stage.script.cancel(ticket)
        }
        #expect(try await stage.script.send(4, #"{"name":"lock","screen":"unlock"}"#).code != nil, "there is no vault")
    }

    @Test func `a prompt goes with its call, which is answered once`() async throws {
        let stage = try Stage()
        try await stage.makeVault(biometrics: true)
        try await stage.lock()
        Phone.current.forgetPrompts()
        Phone.current.script(.hesitates)
        async let first = stage.script.send(1, Stage.action("unlockWithBiometric"))
        await until { Phone.current.isPrompting }
        #expect(try await stage.script.send(1, Stage.action("unlockWithBiometric")).code == "TICKET_TAKEN")
        try stage.script.cancel(1)
        #expect(try await first.code == "ERR-107-031")
        #expect(!Phone.current.isPrompting)
        #expect(Phone.current.prompts.count == 1)

        try stage.script.cancel(2)
        await Task.yield()
        _ = try await stage.script.send(2, Stage.action("unlockWithBiometric"))
        #expect(Phone.current.prompts.count == 1, "cancelled before it came")
        #expect(try await stage.script.send(3, Stage.action("unlockWithBiometric")).code == nil)
        #expect(stage.screen == "content")
    }

    @Test(arguments: [true, false]) func `a reload cancels calls, wipes secrets and leaves the vault`(isTold: Bool)
        async throws
    {
        let stage = try Stage()
        try await stage.makeVault(biometrics: true)
        let field = Field()
        field.type(Stage.pin)
        let number = try #require(field.entries.last?.handle)
        try await stage.lock()
        Phone.current.script(.hesitates)
        async let asked = stage.script.send(1, Stage.action("unlockWithBiometric"))
        await until { Phone.current.isPrompting }

        if isTold { stage.script.destroy() }
        let reloaded = Script()
        if !isTold { try reloaded.open() }
        #expect(try await asked.code != nil)
        #expect(!Phone.current.isPrompting)
        if isTold { try reloaded.open() }
        let told = stage.script.values.count
        let submit = Stage.action("submitSecret", secret: true)
        try await until { try await reloaded.send(1, submit, number: number).code != "HOST_NOT_OPEN" }
        #expect(try await reloaded.send(1, submit, number: number).code == "SECRET_GONE", "another context's")
        #expect(try reloaded.fields != nil, "there at once")

        #expect(try await reloaded.send(2, submit, text: Stage.pin).code == nil)
        #expect(stage.screen == "content")
        #expect(stage.script.values.count == told, "the former script hears nothing more")
        let again = Script()
        try again.open()
        try await until { try await again.send(1, Stage.action("resetError")).code != "HOST_NOT_OPEN" }
        #expect(stage.screen == "content", "still unlocked")
    }

    @Test(.holds("A37", "P-107-04")) func `the app's life is followed without a script, before the system goes on`()
        async throws
    {
        let stage = try Stage()
        try await stage.makeVault()
        let count = stage.script.values.count
        NotificationCenter.default.post(name: UIApplication.willResignActiveNotification, object: UIApplication.shared)
        #expect(stage.lockScreen?["isCovered"] as? Bool == true)
        #expect(stage.script.values.count == count + 1, "told once")
        NotificationCenter.default.post(name: UIApplication.didBecomeActiveNotification, object: UIApplication.shared)
        await until { stage.lockScreen?["isCovered"] as? Bool == false }
    }
}
