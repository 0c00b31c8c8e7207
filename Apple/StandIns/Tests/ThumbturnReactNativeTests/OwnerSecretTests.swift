import Foundation
import StandIn
import Testing
import ThumbturnTestKit

@testable import ThumbturnReactNative

@MainActor @Suite("A secret behind its owner, for React Native", .timeLimit(.minutes(5)))
struct OwnerSecretTests {
    private static let prompt = #""prompt":{"cancel":"No","reason":"Open your wallet"}"#

    private func set(_ stage: Stage, _ secret: String?, number: Double? = nil, _ kind: String = "ownerPresence")
        async throws -> Reply
    {
        try await stage.script.ownerSecret(
            #"{"call":"set","name":"key","protection":"\#(kind)",\#(Self.prompt)}"#,
            text: secret,
            number: number
        )
    }

    private func get(_ stage: Stage, _ kind: String = "ownerPresence") async throws -> Reply {
        try await stage.script.ownerSecret(#"{"call":"get","name":"key","protection":"\#(kind)",\#(Self.prompt)}"#)
    }

    private func remove(_ stage: Stage) async throws -> Reply {
        try await stage.script.ownerSecret(#"{"call":"remove","name":"key"}"#)
    }

    @Test func `is set, read by its owner and removed; missing is an error of its own`() async throws {
        let stage = try Stage()
        try await stage.open()
        #expect(try await get(stage).code == "ERR-TT-402")
        #expect(try await set(stage, "dé \u{0}\" 🔑").code == nil)
        #expect(try await set(stage, "other").code == "ERR-TT-407")
        #expect(try await get(stage).secret == "dé \u{0}\" 🔑")
        Phone.current.script(.passcode)
        #expect(try await get(stage).secret == "dé \u{0}\" 🔑")
        let shown = Phone.current.prompts.count
        #expect(try await remove(stage).code == nil)
        #expect(Phone.current.prompts.count == shown, "no prompt")
        #expect(try await get(stage).code == "ERR-TT-402")
        #expect(try await remove(stage).code == nil)
    }

    @Test func `what was typed natively is kept as well, and no answer but one has it`() async throws {
        let stage = try Stage()
        try await stage.open()
        let field = Field()
        field.view.use("ownerSecret")
        field.type("secret")
        let number = try #require(field.entries.last?.handle)
        let kept = try await set(stage, nil, number: number)
        #expect(kept.code == nil && !kept.json.contains("secret\":\"secret"))
        #expect(try await set(stage, nil, number: number).code == "SECRET_GONE")
        #expect(try await get(stage).secret == "secret")
        #expect(!stage.script.heard.contains("secret\":\"secret"))
    }

    @Test func `ends with the fingers of now where it was set so`() async throws {
        let stage = try Stage()
        try await stage.open()
        #expect(try await set(stage, "value", "currentBiometrics").code == nil)
        Phone.current.changeEnrolment()
        #expect(try await get(stage).code == "ERR-107-060")
        #expect(try await remove(stage).code == nil)
        #expect(try await set(stage, "value").code == nil)
        Phone.current.changeEnrolment()
        #expect(try await get(stage).secret == "value", "any finger")
    }

    @Test func `a prompt that ends otherwise gives nothing, and a reload takes it away`() async throws {
        let stage = try Stage()
        try await stage.open()
        #expect(try await set(stage, "value").code == nil)
        Phone.current.script(.cancel)
        let ended = try await get(stage)
        #expect(ended.code == "ERR-107-031" && ended.secret == nil)
        Phone.current.script(.hesitates)
        async let asked = get(stage)
        await until { Phone.current.isPrompting }
        stage.script.destroy()
        #expect(try await asked.secret == nil)
        #expect(!Phone.current.isPrompting)
    }

    @Test func `a wrong request is a typed answer`() async throws {
        let stage = try Stage()
        try await stage.open()
        for wrong in [
            "", "[]", "{}", #"{"call":"drop","name":"key"}"#, #"{"call":"get","name":1}"#,
            #"{"call":"set","name":"key","protection":"none",\#(Self.prompt)}"#,
            #"{"call":"get","name":"key","protection":"ownerPresence"}"#,
            #"{"call":"get","name":"key",\#(Self.prompt)}"#,
        ] {
            #expect(try await stage.script.ownerSecret(wrong).code == "REQUEST_WRONG", "\(wrong)")
        }
        let nameless = #"{"call":"get","name":"","protection":"ownerPresence",\#(Self.prompt)}"#
        #expect(try await stage.script.ownerSecret(nameless).code == "ERR-TT-310")
        #expect(try await set(stage, nil).code == "SECRET_MISSING")
        #expect(
            try await stage.script.ownerSecret(#"{"call":"remove","name":"key"}"#, text: "x").code
                == "SECRET_UNEXPECTED"
        )
        #expect(try await set(stage, String(repeating: "x", count: 4_097)).code == "SECRET_TOO_LONG")
    }

    @Test func `bytes are kept as they are`() async throws {
        let stage = try Stage()
        try await stage.open()
        let key = Data((0..<32).map { $0 | 0x80 })
        let rest = #""name":"key","protection":"ownerPresence",\#(Self.prompt)}"#
        #expect(try await stage.script.ownerSecret(#"{"call":"set",\#(rest)"#, bytes: key).code == nil)
        #expect(try await get(stage).bytes == key)
    }

    @Test func `what is kept behind less than was asked for is refused, without a prompt`() async throws {
        let stage = try Stage()
        try await stage.open()
        #expect(try await set(stage, "value").code == nil)
        let shown = Phone.current.prompts.count
        let refused = try await get(stage, "currentBiometrics")
        #expect(refused.code == "PROTECTION_WEAKER" && refused.secret == nil)
        #expect(Phone.current.prompts.count == shown)
        #expect(try await get(stage).secret == "value")
        #expect(try await remove(stage).code == nil)
        #expect(try await set(stage, "value", "currentBiometrics").code == nil)
        #expect(try await get(stage, "currentBiometrics").secret == "value")
        #expect(try await get(stage).secret == "value", "more than was asked for")
        #expect(try await remove(stage).code == nil)
        #expect(try await get(stage, "currentBiometrics").code == "ERR-TT-402")
    }

    @Test func `whether its owner is asked can be seen on any thread`() async throws {
        let stage = try Stage()
        try await stage.open()
        #expect(try await set(stage, "value").code == nil)
        let script = stage.script
        #expect(try await Task.detached { try script.isAsking }.value == false)
        Phone.current.script(.hesitates)
        async let asked = get(stage)
        await until { Phone.current.isPrompting }
        #expect(try await Task.detached { try script.isAsking }.value == true)
        script.destroy()
        _ = try await asked
        await until { (try? script.isAsking) == false }
    }

    @Test(.holds("K-02")) func `a derived key comes as bytes, while the vault is open`() async throws {
        let stage = try Stage()
        try await stage.makeVault()
        let key = try await stage.script.derivedKey("com.example/store")
        #expect(key.bytes?.count == 32)
        #expect(try await stage.script.derivedKey("com.example/store").bytes == key.bytes)
        #expect(try await stage.script.derivedKey("com.example/other").bytes != key.bytes)
        try await stage.lock()
        #expect(try await stage.script.derivedKey("com.example/store").code == "ERR-TT-104")
        #expect(try await Script().derivedKey("com.example/store").code == "HOST_NOT_OPEN")
    }

    @Test func `a project that lacks something is said so`() async throws {
        let stage = try Stage(PhoneSetup(sensor: .touchID, accessGroups: []))
        try stage.script.open()
        try await until { try await get(stage).code != "HOST_NOT_OPEN" }
        #expect(try await get(stage).code == "SETUP_WRONG")
    }
}
