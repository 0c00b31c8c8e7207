import ExpoModulesCore
import Foundation
import StandIn
import Testing
import Thumbturn
import ThumbturnApple
import ThumbturnHost
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnReactNative
@testable import ThumbturnUI

/// A JavaScript context: it calls the module as Expo does, on no actor, and knows JSON and numbers alone.
final class Script: @unchecked Sendable {
    // Safe to share: nothing is changed.
    let context = AppContext()
    private let definition: ModuleDefinition
    private let module: ThumbturnModule

    static let configuration = #"{"language":"en","policy":"wallet","secret":{"kind":"pin","length":6}}"#

    init() {
        module = ThumbturnModule(appContext: context)
        definition = module.definition()
    }

    func open(_ configuration: String = configuration) throws {
        let function = find(SyncFunctionDefinition<String, String, Void>.self) { $0._name == "open" }
        try function?._body(configuration)
    }

    var fields: String? {
        get throws {
            try find(SyncFunctionDefinition<(), Void, String?>.self) { $0._name == "fields" }?._body(())
        }
    }

    func send(_ ticket: Double, _ action: String, text: String? = nil, number: Double? = nil) async throws -> Reply {
        typealias Send = ConcurrentFunctionDefinition<(Double, String, Either<String, Double>?), Double, String>
        let secret = text.map { Either<String, Double>($0) } ?? number.map { Either<String, Double>($0) }
        return try await Reply(find(Send.self) { $0._name == "send" }?._body((ticket, action, secret)))
    }

    func cancel(_ ticket: Double) throws {
        try find(SyncFunctionDefinition<Double, Double, Void>.self) { $0._name == "cancel" }?._body(ticket)
    }

    func ownerSecret(_ request: String, text: String? = nil, number: Double? = nil, bytes: Data? = nil) async throws
        -> Reply
    {
        typealias Secret = EitherOfThree<String, Double, Data>
        typealias Call = ConcurrentFunctionDefinition<(String, Secret?), String, Any>
        let secret = text.map { Secret($0) } ?? number.map { Secret($0) } ?? bytes.map { Secret($0) }
        return try await Reply(find(Call.self) { $0._name == "ownerSecret" }?._body((request, secret)))
    }

    func derivedKey(_ label: String) async throws -> Reply {
        typealias Call = ConcurrentFunctionDefinition<String, String, Any>
        return try await Reply(find(Call.self) { $0._name == "derivedKey" }?._body(label))
    }

    var isAsking: Bool? {
        get throws {
            try find(SyncFunctionDefinition<(), Void, Bool>.self) { $0._name == "isAsking" }?._body(())
        }
    }

    /// What Expo calls when the context goes, if it calls it.
    func destroy() { find(_Listener.self) { _ in true }?.closure() }

    /// The definition of a view.
    func view<V>(_ type: V.Type) -> ViewDefinition<V>? { find(ViewDefinition<V>.self) { _ in true } }

    /// Every value that was told.
    var values: [String] { context._events.compactMap { $0.name == "onChange" ? $0.body["value"] as? String : nil } }

    /// All that came to JavaScript without being asked for.
    var heard: String { "\(context._events)" }

    private func find<D>(_ type: D.Type, where isMeant: (D) -> Bool) -> D? {
        definition._definitions.compactMap { $0 as? D }.first(where: isMeant)
    }
}

/// A JSON answer, or the bytes that were asked for.
struct Reply: Sendable {
    let json: String
    let code: String?
    let bytes: Data?
    /// The number of a secret for `<SecretText>`.
    let given: Double?
    var secret: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    init(_ answer: Any?) throws {
        if let bytes = answer as? Data {
            (json, code, given, self.bytes) = ("", nil, nil, bytes)
            return
        }
        json = try #require(answer as? String)
        bytes = nil
        let object = try JSONSerialization.jsonObject(with: Data(self.json.utf8)) as? [String: Any]
        let members = try #require(object)
        let error = try #require(members["error"])
        code = (error as? [String: Any])?["code"] as? String
        given = members["given"] as? Double
        #expect(members["secret"] == nil)
        #expect(code != nil || error is NSNull)
    }
}

/// An app on a phone: its vault outlives scripts.
@MainActor struct Stage {
    static let pin = "493817"
    /// The app's container, for all tests of this process: the module looks for it once.
    private static let container: String = {
        let folder = NSTemporaryDirectory() + "ThumbturnReactNative-\(getpid())"
        unsafe setenv("XDG_DATA_HOME", folder, 1)
        return folder
    }()

    let script: Script

    /// Starts the app anew on a new phone, with a script that has not opened anything.
    init(_ setup: PhoneSetup = PhoneSetup(sensor: .touchID)) throws {
        unsafe NotificationToken.isOnMainActor = { true }
        Phone.start(setup)
        try? FileManager.default.removeItem(atPath: Self.container)
        try FileManager.default.createDirectory(atPath: Self.container, withIntermediateDirectories: true)
        #expect(AppVault.home.hasPrefix(Self.container))
        AppVault.host = SharedHost(.ofApplication) {
            try await Device.apple(AppleConfiguration(accessGroup: "TEAM.app", folder: AppVault.home + "/app"))
        } changed: {
            AppVault.fields.show($0)
        }
        AppVault.fields.show(nil)
        AppVault.session = nil
        script = Script()
    }

    /// Opens, and makes a vault with its owner.
    func makeVault(biometrics: Bool = false) async throws {
        try await open()
        let secret = #"{"name":"submitSecret","screen":"onboarding","secret":"taken"}"#
        #expect(try await script.send(101, secret, text: Self.pin).code == nil)
        #expect(try await script.send(102, secret, text: Self.pin).code == nil)
        let answer = #"{"consent":\#(biometrics),"name":"answer","screen":"onboarding"}"#
        #expect(try await script.send(103, answer).code == nil)
        await until { screen == "content" }
    }

    func open() async throws {
        try script.open()
        await until { screens["onboarding"] is [String: Any] }
    }

    /// Keeps a wallet; returns its identifier.
    func importWallet() async throws -> String {
        let words = "legal winner thank year wave sausage worth useful legal winner thank yellow"
        let action = #"{"name":"import","screen":"wallets","secret":"taken","wallet":"savings"}"#
        #expect(try await script.send(105, action, text: words).code == nil)
        await until { wallets.first?["id"] is String }
        return try #require(wallets.first?["id"] as? String)
    }

    private var wallets: [[String: Any]] {
        (screens["wallets"] as? [String: Any])?["list"] as? [[String: Any]] ?? []
    }

    func lock() async throws {
        #expect(try await script.send(104, Self.action("lock")).code == nil)
        // What the vault says of itself may follow its answer.
        await until { screen != "content" }
    }

    /// What the lock screen shows.
    var screen: String? { (lockScreen?["screen"] as? [String: Any])?["name"] as? String }

    var lockScreen: [String: Any]? { screens["unlock"] as? [String: Any] }

    private var screens: [String: Any] {
        guard let text = AppVault.fields.text,
            let value = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        else { return [:] }
        return value["screens"] as? [String: Any] ?? [:]
    }

    static func action(_ name: String, secret: Bool = false) -> String {
        #"{"name":"\#(name)","screen":"unlock"\#(secret ? #","secret":"taken""# : "")}"#
    }
}

/// Lets everything else run until `condition` holds; ten seconds are its end.
@MainActor func until(_ condition: () async throws -> Bool) async rethrows {
    for _ in 0..<10_000 {
        if try await condition() { return }
        try? await Task.sleep(nanoseconds: 1_000_000)
    }
    Issue.record("it never came")
}
