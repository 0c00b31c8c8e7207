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

    private func get(_ stage: Stage) async throws -> Reply {
        try await stage.script.ownerSecret(#"{"call":"get","name":"key",\#(Self.prompt)}"#)
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
            #"{"call":"set","name":"key","protection":"none"}"#,
        ] {
            #expect(try await stage.script.ownerSecret(wrong).code == "REQUEST_WRONG", "\(wrong)")
        }
        #expect(try await stage.script.ownerSecret(#"{"call":"get","name":""}"#).code == "ERR-TT-310")
        #expect(try await set(stage, nil).code == "SECRET_MISSING")
        #expect(
            try await stage.script.ownerSecret(#"{"call":"get","name":"key"}"#, text: "x").code == "SECRET_UNEXPECTED"
        )
    }

    @Test func `a project that lacks something is said so`() async throws {
        let stage = try Stage(PhoneSetup(sensor: .touchID, accessGroups: []))
        try stage.script.open()
        try await until { try await get(stage).code != "HOST_NOT_OPEN" }
        #expect(try await get(stage).code == "SETUP_WRONG")
    }
}
