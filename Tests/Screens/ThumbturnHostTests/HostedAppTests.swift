import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON
import ThumbturnTestKit

@testable import ThumbturnHost

/// An app with another kind of vault behind the same host.
@MainActor private final class Bell: HostedApp {
    let core: Vault? = nil
    let isOpen = false
    let secret = SecretKind.password
    var language = Language.english
    var changed: (@MainActor () -> Void)?
    var phases: [AppPhase] = []
    var calls: [String] = []
    private var rings: Int64 = 0

    var screens: [(String, JSON)] { [("bell", ["rings": .integer(rings)]), ("attic", .null)] }

    func action(_ json: JSON) throws(ScreenActionError) -> HostedAction {
        var members = try ActionMembers(json)
        guard try members.text("screen") == "bell" else { throw .unknownScreen }
        guard try members.text("name") == "ring" else { throw .unknownAction }
        try members.secret()
        try members.finish()
        return HostedAction(takesSecret: true) { [self] secret in
            rings += 1
            changed?()
            return secret.map { HostReply($0) } ?? HostReply(nil as UserError?)
        }
    }

    func start() async { calls.append("start") }
    func appBecame(_ phase: AppPhase) { phases.append(phase) }
    func stop() { calls.append("stop") }
    func close() async { calls.append("close") }
}

@MainActor @Suite struct HostedAppTests {
    @Test func `another kind of app brings its own screens and actions`() async {
        let bell = Bell()
        var told: [String] = []
        let host = VaultHost(bell) { told.append($0) }
        await host.start()
        host.appBecame(.active)
        #expect(host.fields.contains(#""screens":{"attic":null,"bell":{"rings":0}},"secret":{"kind":"password","#))
        let ring = Array(#"{"name":"ring","screen":"bell","secret":"taken"}"#.utf8)
        let answer = await host.send(ring, secret: SecretBytes(text: "a long password"))
        #expect(answer.code == nil && answer.withSecret { $0.exposedText } == "a long password")
        #expect(told.last == host.fields && host.fields.contains(#""rings":1"#))
        #expect(await host.send(ring).code == "SECRET_MISSING")
        #expect(await host.send(Array(#"{"name":"lock","screen":"unlock"}"#.utf8)).code == "UNKNOWN_SCREEN")
        host.language = .french
        #expect(bell.language == .french && bell.phases == [.active])
        await host.close()
        await host.close()
        #expect(bell.calls.suffix(2) == ["stop", "close"] && bell.calls.count(where: { $0 == "close" }) == 1)
    }
}
