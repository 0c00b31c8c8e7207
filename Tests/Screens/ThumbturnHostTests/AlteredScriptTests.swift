import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnHost

/// A script whose sources were altered, before React Native's way to the vault.
///
/// It sends what it likes, with what it likes beside it, and replays what it heard. `Tests/ReactNative/altered.test.ts` does
/// the same to the phone process.
@MainActor @Suite("An altered script", .waitsEnd)
struct AlteredScriptTests {
    @Test(.holds("C13", "P-107-01", "K-01"), arguments: Stop.allCases)
    func `no secret comes out without finger or PIN, whatever is sent from whatever screen`(stop: Stop) async throws {
        let script = try AlteredScript()
        try await script.makeVault()
        let before = try await script.hearEverything()
        try await script.lock()
        try await script.go(to: stop)
        script.forget()
        await script.sendEverything(replaying: before)
        #expect(script.secrets == [])
        #expect(script.values.count > 0)
        for value in script.values {
            #expect(value["screens"]?["unlock"]?["scope"]?.wireText == "null")
            #expect(value["screens"]?["unlock"]?["state"]?.wireText != #""UNLOCKED""#)
            #expect(value["screens"]?["wallets"]?["list"]?.wireText == "[]")
        }
        let heard = script.answers.joined() + script.values.map(\.wireText).joined()
        for word in [FormerApp.words, "legal winner", AlteredScript.wallet, AlteredScript.pin, AlteredScript.token] {
            #expect(!heard.contains(word))
        }

        // Nothing was lost, and there was something to come out.
        try await script.returnHome()
        #expect(await script.submit(AlteredScript.pin) == nil)
        await script.until { script.isOpen }
        let after = try await script.hearEverything()
        #expect(script.secrets.contains(FormerApp.words) && after.key == before.key)
    }

    @Test(.holds("C13", "P-107-04")) func `a number is one secret's, for its use, once`() async throws {
        let script = try AlteredScript()
        try await script.makeVault()
        try await script.lock()
        let session = script.session
        let submit = #"{"name":"submitSecret","screen":"unlock","secret":"taken"}"#
        // What was typed for the vault is kept for nobody who can read it again.
        let typed = session.keep(SecretBytes(text: AlteredScript.pin))
        let set = AlteredScript.request("set", "stolen")
        #expect(await session.ownerSecret(set, number: typed).code == "SECRET_GONE")
        #expect(await session.ownerSecret(AlteredScript.request("get", "stolen")).code == "ERR-TT-402")
        #expect(await session.send(1, submit, number: typed).code == "SECRET_GONE", "it was used up")
        // Nor the other way round.
        let own = session.keep(SecretBytes(text: AlteredScript.pin), for: .ownerSecret)
        #expect(await session.send(2, submit, number: own).code == "SECRET_GONE")
        let next = session.keep(SecretBytes(text: AlteredScript.pin))
        #expect(await session.send(3, submit, number: next).code == nil)
        #expect(await session.send(4, submit, number: next).code == "SECRET_GONE")
        await script.until { script.isOpen }
        // A given one is for a view alone, until another is given.
        let first = try await script.export()
        let second = try await script.export()
        let text = #"{"name":"import","screen":"wallets","secret":"taken","wallet":"copy"}"#
        #expect(await session.send(5, text, number: second).code == "SECRET_GONE")
        let kept = AlteredScript.request("set", "words")
        #expect(await session.ownerSecret(kept, number: second).code == "SECRET_GONE")
        #expect(script.take(first) == nil && script.take(second) == FormerApp.words && script.take(second) == nil)
    }

    @Test(.holds("A37", "P-107-04"), arguments: ["lock", "background", "reload", "end"])
    func `what was given goes with the session, before and after it is shown`(why: String) async throws {
        let script = try AlteredScript()
        try await script.makeVault()
        let shown = try await script.export()
        var hidden = 0
        #expect(script.take(shown, hide: { hidden += 1 }) == FormerApp.words)
        let waiting = try await script.export()
        let session = script.session
        #expect(hidden == 0)
        switch why {
        case "lock": try await script.lock()
        case "background": script.shared.appBecame(.background)
        case "reload": script.reload()
        default: session.end()
        }
        #expect(hidden == 1)
        #expect(script.take(waiting, from: session) == nil)
    }

    @Test func `what is kept for the app behind less than was asked for is refused`() async throws {
        let script = try AlteredScript()
        try await script.makeVault()
        let (session, simulated) = (script.session, script.simulated)
        for (protection, weaker) in [("ownerPresence", true), ("currentBiometrics", false)] {
            let name = "kept-\(protection)"
            try simulated.simulate(.finger(.match))
            let kept = await session.ownerSecret(AlteredScript.request("set", name, protection), secret: [0xFF, 0, 7])
            #expect(kept.code == nil)
            let shown = simulated.promptsShown
            if !weaker { try simulated.simulate(.finger(.match)) }
            let got = await session.ownerSecret(AlteredScript.request("get", name, "currentBiometrics"))
            #expect(got.code == (weaker ? "PROTECTION_WEAKER" : nil))
            #expect(simulated.promptsShown == shown + (weaker ? 0 : 1))
            try simulated.simulate(.finger(.match))
            let any = await session.ownerSecret(AlteredScript.request("get", name))
            #expect(any.secret?.bytes.withBytes { bytes in (0..<3).map { bytes.byte(at: $0) } } == [0xFF, 0, 7])
            #expect(await session.ownerSecret(#"{"call":"remove","name":"\#(name)"}"#).code == nil)
            #expect(await session.ownerSecret(AlteredScript.request("get", name)).code == "ERR-TT-402")
        }
    }

    @Test(.holds("A61")) func `it can type the word of a reset, and gets nothing by it`() async throws {
        let script = try AlteredScript()
        try await script.makeVault()
        try await script.lock()
        script.forget()
        let reset = #"{"name":"reset","screen":"unlock","typed":"RESET"}"#
        #expect(await script.session.send(1, reset).code == nil)
        await script.until { script.value?["screens"]?["unlock"]?["screen"]?["name"]?.wireText == #""erased""# }
        #expect(script.secrets == [])
    }

    @Test(.holds("K-02")) func `a derived key is the open vault's alone`() async throws {
        let script = try AlteredScript()
        try await script.open()
        #expect(await script.session.derivedKey("com.example/a").code == ErrorCode.vaultMissing.text)
        try await script.makeVault()
        let session = script.session
        let keys = [
            await session.derivedKey("com.example/a"), await session.derivedKey("com.example/a"),
            await session.derivedKey("com.example/b"),
        ].map { $0.secret?.bytes.withBytes { bytes in (0..<bytes.byteCount).map { bytes.byte(at: $0) } } }
        #expect(keys[0]?.count == 32 && keys[0] == keys[1] && keys[0] != keys[2])
        #expect(await session.derivedKey("").code == ErrorCode.usage.text)
        try await script.lock()
        #expect(await session.derivedKey("com.example/a").code == ErrorCode.locked.text)
        session.end()
        #expect(await session.derivedKey("com.example/a").code == "HOST_NOT_OPEN")
    }
}

/// Where the owner is not there.
enum Stop: String, CaseIterable {
    case locked, threeWrongFingers, enrolment, idle, reboot, waiting, background, deviceLocked
}

@MainActor private final class AlteredScript {
    static let pin = HostRoom.pin
    static let wallet = "family-treasure"
    static let token = "a-token-of-the-app"

    let simulated = SimulatedDevice()
    let shared: SharedHost
    private(set) var session: HostSession
    private(set) var secrets: [String] = []
    private(set) var answers: [String] = []
    private(set) var values: [JSON] = []
    private let folder: TemporaryFolder
    private let ear: Ear
    private var ticket = 100.0

    /// What the script was told.
    private final class Ear {
        var told: [String] = []
    }

    /// What it heard while the vault was open.
    struct Loot {
        var numbers: [Double]
        var key: [UInt8]
    }

    init() throws {
        let (folder, simulated, ear) = (try TemporaryFolder(), simulated, Ear())
        (self.folder, self.ear) = (folder, ear)
        shared = SharedHost(.active, vaultConfiguration: { _ in TestVault.configuration() }) {
            simulated.device
        } changed: { _ in
        }
        session = shared.open(Self.configuration(folder)) { ear.told.append($0) }
    }

    private static func configuration(_ folder: TemporaryFolder) -> HostConfiguration {
        HostConfiguration(home: folder.path, policy: TestVault.policy, secret: .pin(length: nil))
    }

    /// A new context of the same script.
    func reload() { session = shared.open(Self.configuration(folder)) { [ear] in ear.told.append($0) } }

    static func request(_ call: String, _ name: String, _ protection: String = "ownerPresence") -> String {
        #"{"call":"\#(call)","name":"\#(name)","prompt":{"cancel":"","reason":""},"protection":"\#(protection)"}"#
    }

    var value: JSON? { ear.told.last.flatMap { try? JSON(reading: Array($0.utf8), byteLimit: 1 << 20) } }
    var isOpen: Bool { value?["screens"]?["unlock"]?["scope"]?.wireText == #""full""# }

    func until(_ condition: () -> Bool) async {
        while !condition() {
            guard !Task.isCancelled else {
                Issue.record("it never came: \(ear.told.last ?? "")")
                return
            }
            await Task.yield()
        }
    }

    // The owner.

    func open() async throws {
        await until { value?["screens"]?["onboarding"]?["step"] != nil }
    }

    func makeVault() async throws {
        try await open()
        let secret = #"{"name":"submitSecret","screen":"onboarding","secret":"taken"}"#
        for _ in 0..<2 { #expect(await send(secret, Self.pin) == nil) }
        #expect(await send(#"{"consent":true,"name":"answer","screen":"onboarding"}"#) == nil)
        await until { isOpen }
        let add = #"{"name":"import","screen":"wallets","secret":"taken","wallet":"\#(Self.wallet)"}"#
        #expect(await send(add, FormerApp.words) == nil)
        await until { walletID != nil }
        try simulated.simulate(.finger(.match))
        let kept = await session.ownerSecret(Self.request("set", "token"), secret: Array(Self.token.utf8))
        #expect(kept.code == nil)
    }

    func submit(_ pin: String) async -> String? {
        await send(#"{"name":"submitSecret","screen":"unlock","secret":"taken"}"#, pin)
    }

    func lock() async throws {
        #expect(await send(#"{"name":"lock","screen":"unlock"}"#) == nil)
        await until { value?["screens"]?["unlock"]?["scope"]?.wireText == "null" }
        await settle()
    }

    /// Exports the wallet; returns the number of its words.
    func export() async throws -> Double {
        let action = #"{"name":"export","screen":"wallets","secret":"taken","wallet":"\#(try #require(walletID))"}"#
        ticket += 1
        let json = await session.send(ticket, action, secret: Self.pin).json
        #expect(json.hasPrefix(#"{"error":null,"given":"#))
        let answer = try JSON(reading: Array(json.utf8), byteLimit: 1_000)
        guard case .integer(let number)? = answer["given"] else { throw VaultError(.usage) }
        return Double(number)
    }

    /// Shows what was given; returns it.
    func take(
        _ number: Double,
        from former: HostSession? = nil,
        hide: @escaping @MainActor () -> Void = {}
    ) -> String? {
        (former ?? session).take(number, hide: hide)?.withBytes { $0.exposedText }
    }

    /// What the open vault gives: two exports, of which one is shown, the owner's secret, a derived key.
    func hearEverything() async throws -> Loot {
        let shown = try await export()
        secrets.append(take(shown) ?? "")
        let waiting = try await export()
        let typed = session.keep(SecretBytes(text: Self.pin))
        #expect(await session.send(1, #"{"name":"refresh","screen":"biometrics"}"#, number: typed).code != nil)
        try simulated.simulate(.finger(.match))
        let token = await session.ownerSecret(Self.request("get", "token"))
        #expect(token.given == Self.token && !token.json.contains(Self.token))
        let key = await session.derivedKey("com.example/store")
        #expect(key.json == #"{"error":null}"#)
        let bytes = key.secret?.bytes.withBytes { key in (0..<key.byteCount).map { key.byte(at: $0) } }
        return Loot(numbers: [shown, waiting, typed], key: try #require(bytes))
    }

    func go(to stop: Stop) async throws {
        switch stop {
        case .locked: break
        case .threeWrongFingers: for _ in 0..<3 { try await touch(.mismatch) }
        case .enrolment:
            try simulated.simulate(.enroll)
            _ = await send(Self.askForFinger)
        case .idle: try simulated.simulate(.advance(.minutes(31)))
        case .reboot: try simulated.simulate(.reboot)
        case .waiting:
            for _ in 0..<6 { #expect(await submit(HostRoom.wrongPIN) != nil) }
            await until { value?["screens"]?["unlock"]?["screen"]?["name"]?.wireText == #""wait""# }
        case .background:
            try simulated.simulate(.background)
            shared.appBecame(.background)
        case .deviceLocked: try simulated.simulate(.lockDevice)
        }
        await settle()
    }

    func returnHome() async throws {
        try simulated.simulate(.unlockDevice)
        try simulated.simulate(.foreground)
        shared.appBecame(.active)
        try simulated.simulate(.advance(.days(1)))
        await settle()
    }

    private func touch(_ touch: SimulatedTouch) async throws {
        try simulated.simulate(.finger(touch))
        _ = await send(Self.askForFinger)
    }

    private static let askForFinger = #"{"name":"unlockWithBiometric","screen":"unlock"}"#

    // The script.

    func forget() { (secrets, answers, values) = ([], [], []) }

    /// Every action of every screen, and every call beside them, as the owner who is not there would never.
    ///
    /// No finger touches the sensor: the system takes each prompt away.
    func sendEverything(replaying loot: Loot) async {
        let actions = Self.frozen.compactMap { action in
            walletID.map { action.replacingOccurrences(of: Self.sampleWallet, with: $0) } ?? action
        }
        #expect(actions.count > 60)
        for action in actions {
            await hear(action)
            await hear(action, secret: HostRoom.wrongPIN)
            for number in loot.numbers + [0, 1, -1, .nan] { await hear(action, number: number) }
        }
        for number in loot.numbers + (0..<200).map(Double.init) {
            if let secret = take(number) { secrets.append(secret) }
        }
        for (call, protection) in [("get", "ownerPresence"), ("get", "currentBiometrics"), ("set", "ownerPresence")] {
            let beside = call == "set" ? Array("another".utf8) : nil
            keep(await session.ownerSecret(Self.request(call, "token", protection), secret: beside))
        }
        for label in ["com.example/store", "app", " "] { keep(await session.derivedKey(label)) }
        await settle()
        values = ear.told.suffix(1).compactMap { try? JSON(reading: Array($0.utf8), byteLimit: 1 << 20) } + values
    }

    private func hear(_ action: String, secret: String? = nil, number: Double? = nil) async {
        ticket += 1
        let heard = ear.told.count
        keep(await session.send(ticket, action, secret: secret, number: number))
        values += ear.told.dropFirst(heard).compactMap { try? JSON(reading: Array($0.utf8), byteLimit: 1 << 20) }
    }

    private func keep(_ answer: HostAnswer) {
        answers.append(answer.json)
        if let secret = answer.given { secrets.append(secret) }
        if answer.json.contains(#""given":"#) { secrets.append(answer.json) }
    }

    private func send(_ action: String, _ secret: String? = nil) async -> String? {
        ticket += 1
        return await session.send(ticket, action, secret: secret).code
    }

    private func settle() async { for _ in 0..<2_000 { await Task.yield() } }

    private var knownWallet: String?
    private var walletID: String? {
        if case .array(let list)? = value?["screens"]?["wallets"]?["list"], case .string(let id)? = list.first?["id"] {
            knownWallet = id
        }
        return knownWallet
    }

    private static let sampleWallet = Identifier(high: 0x0123_4567_89AB_CDEF, low: 7).text

    /// The actions as they are frozen, but for those whose word erases: whoever erases gets nothing.
    private static let frozen: [String] = {
        let folder = "\(VectorFolder.own)/screens/"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix("action-") }.sorted()
            .compactMap { try? String(contentsOfFile: folder + $0, encoding: .utf8) }
            .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            .filter { !$0.contains(#""typed""#) }
    }()
}
