import ExpoModulesCore
import SwiftUI
import Testing
import ThumbturnHost
import UIKit

@testable import ThumbturnReactNative
@testable import ThumbturnUI

/// A native field in a window, with somebody at its keyboard, and what JavaScript was told.
@MainActor final class Field {
    struct Entry: Equatable {
        let handle: Double
        let length: Int
    }

    let view = ThumbturnSecretField()
    private let window = UIWindow(windowScene: UIWindowScene())
    private(set) var entries: [Entry] = []

    init() {
        view.onEntry.onEventSent = { [weak self] body in
            guard let handle = body["handle"] as? Double, let length = body["length"] as? Int else { return }
            self?.entries.append(Entry(handle: handle, length: length))
        }
        window.addSubview(view)
    }

    var text: UITextField { Self.find(view) ?? UITextField(frame: CGRect()) }

    func type(_ string: String) { for key in string { text._type(String(key)) } }

    private static func find(_ view: UIView) -> UITextField? {
        view as? UITextField ?? view.subviews.lazy.compactMap { find($0) }.first
    }
}

@MainActor @Suite("React Native's views", .timeLimit(.minutes(5)))
struct NativeViewTests {
    @Test(.holds("P-107-04")) func `the field shows dots alone, offers nothing, and says no value`() async throws {
        let stage = try Stage()
        try await stage.open()
        let field = Field()
        field.type("4938")
        #expect(field.text.text == "••••")
        #expect(field.entries.map(\.length) == [1, 2, 3, 4])
        #expect(Set(field.entries.map(\.handle)).count == 4, "a number of its own for each change")
        #expect(field.text.isSecureTextEntry && field.text.textContentType == .oneTimeCode)
        #expect(field.text.autocorrectionType == .no && field.text.spellCheckingType == .no)
        #expect(field.text.autocapitalizationType == .none)
        #expect(field.text.accessibilityValue == nil)
        for action: Selector in ["copy:", "cut:", "paste:", "select:", "_share:"] {
            #expect(!field.text.canPerformAction(action, withSender: nil))
        }
        var seen = ""
        dump(field.view, to: &seen)
        #expect(seen.contains("••••") && !seen.contains("4938"))
    }

    @Test(.holds("P-107-04")) func `what was typed goes with the app's front, and with the window`() async throws {
        let stage = try Stage()
        try await stage.open()
        let field = Field()
        for leave in [
            { NotificationCenter.default.post(name: UIApplication.willResignActiveNotification, object: nil) },
            { NotificationCenter.default.post(name: UIApplication.didEnterBackgroundNotification, object: nil) },
            { field.view.removeFromSuperview() },
        ] {
            field.type("49")
            let number = try #require(field.entries.last?.handle)
            leave()
            #expect(field.text.text == "")
            #expect(field.entries.last == Field.Entry(handle: 0, length: 0))
            let submit = Stage.action("submitSecret", secret: true)
            #expect(try await stage.script.send(1, submit, number: number).code == "SECRET_GONE", "wiped")
        }
    }

    @Test func `a key deletes, replaces, or starts anew, and the number is always of what stands there`() async throws {
        let stage = try Stage()
        try await stage.open()
        let field = Field()
        field.view.use("ownerSecret")
        field.type("12é")
        field.text._delete()
        field.text._replace(0..<1, with: "🔑x")
        #expect(field.text.text == "•••" && field.entries.last?.length == 3)
        #expect(try await taken(field, stage) == "🔑x2")
        field.text._touch()
        field.type("9")
        #expect(field.text.text == "•")
        #expect(try await taken(field, stage) == "9")
        field.text._replace(5..<9, with: "8")
        #expect(try await taken(field, stage) == "98", "a place that is not there is the end")
        field.text._type(String(repeating: "7", count: 5_000))
        #expect(field.text.text == "••", "what no secret can be is not taken")
    }

    @Test func `the keyboard is that of the secret`() async throws {
        let stage = try Stage()
        let field = Field()
        let definition = try #require(stage.script.view(ThumbturnSecretField.self))
        #expect(definition._name == "ThumbturnSecretField")
        #expect(definition._elements.compactMap { ($0 as? EventsDefinition)?._names } == [["onEntry"]])
        let props = definition._elements.compactMap { $0 as? ConcreteViewProp<ThumbturnSecretField, String> }
        let kind = try #require(props.first { $0._name == "kind" })
        kind._setter(field.view, "pin")
        #expect(field.text.keyboardType == .numberPad)
        for other in ["password", "", "PIN"] {
            kind._setter(field.view, other)
            #expect(field.text.keyboardType == .asciiCapable)
        }
    }

    @Test func `without a vault there is no number`() throws {
        _ = try Stage()
        let field = Field()
        field.type("1")
        #expect(field.entries.last == Field.Entry(handle: 0, length: 1))
    }

    @Test(.holds("A37", "P-107-04"))
    func `the cover is up before the system takes its picture, as long as it is there`() throws {
        let stage = try Stage()
        #expect(stage.script.view(ThumbturnCover.self)?._name == "ThumbturnCover")
        let scene = UIWindowScene()
        let window = UIWindow(windowScene: scene)
        let cover = ThumbturnCover()
        scene._move(to: .foregroundInactive)
        #expect(scene.windows.count == 1, "it is in no window yet")
        scene._move(to: .foregroundActive)
        window.addSubview(cover)
        scene._move(to: .foregroundInactive)
        #expect(scene.windows.count == 2)
        #expect(scene.windows.last.map { $0.windowLevel.rawValue > UIWindow.Level.alert.rawValue } == true)
        scene._move(to: .foregroundActive)
        #expect(scene.windows.count == 1)
        cover.removeFromSuperview()
        scene._move(to: .background)
        #expect(scene.windows.count == 1)
    }

    @Test(.holds("P-107-04"))
    func `a secret that was given is shown natively, once, and JavaScript has its number alone`()
        async throws
    {
        let stage = try Stage()
        try await stage.makeVault()
        let text = try #require(stage.script.view(ThumbturnSecretText.self))
        #expect(text._name == "ThumbturnSecretText")
        let number = try #require(
            text._elements.lazy.compactMap { $0 as? ConcreteViewProp<ThumbturnSecretText, Double> }.first
        )
        #expect(number._name == "number")
        let wallet = try await stage.importWallet()
        let export =
            #"{"name":"export","screen":"wallets","secret":"taken","wallet":"\#(wallet)"}"#
        let given = try await stage.script.send(301, export, text: Stage.pin)
        #expect(given.code == nil && given.given != nil && !given.json.contains("legal"))

        let window = UIWindow(windowScene: UIWindowScene())
        let (view, other) = (ThumbturnSecretText(), ThumbturnSecretText())
        for each in [view, other] { window.addSubview(each) }
        number._setter(view, try #require(given.given))
        #expect(view._shown.contains("1. legal") && view._shown.contains("12. yellow"))
        number._setter(other, try #require(given.given))
        #expect(!other._shown.contains("legal"), "once")
        number._setter(view, 0)
        #expect(!view._shown.contains("legal"))
        for leave in [
            { NotificationCenter.default.post(name: UIApplication.willResignActiveNotification, object: nil) },
            { view.removeFromSuperview() },
            { stage.script.destroy() },
        ] {
            // The vault may not have heard yet that the app is in front again.
            var again: Double?
            try await until {
                again = try await stage.script.send(302, export, text: Stage.pin).given
                return again != nil
            }
            NotificationCenter.default.post(name: UIApplication.didBecomeActiveNotification, object: nil)
            window.addSubview(view)
            number._setter(view, try #require(again))
            #expect(view._shown.contains("1. legal"))
            leave()
            await until { !view._shown.contains("legal") }
            NotificationCenter.default.post(
                name: UIApplication.didBecomeActiveNotification,
                object: UIApplication.shared
            )
            await until { stage.lockScreen?["isCovered"] as? Bool == false }
        }
        #expect(!stage.script.heard.contains("legal"))
    }

    @Test func `what is typed for one use is kept for no other, and a field that is used for another forgets`()
        async throws
    {
        let stage = try Stage()
        try await stage.makeVault()
        try await stage.lock()
        let field = Field()
        let definition = try #require(stage.script.view(ThumbturnSecretField.self))
        let props = definition._elements.compactMap { $0 as? ConcreteViewProp<ThumbturnSecretField, String> }
        let use = try #require(props.first { $0._name == "use" })
        use._setter(field.view, "ownerSecret")
        field.type(Stage.pin)
        let submit = Stage.action("submitSecret", secret: true)
        let number = try #require(field.entries.last?.handle)
        #expect(try await stage.script.send(1, submit, number: number).code == "SECRET_GONE")
        field.type("1")
        use._setter(field.view, "vault")
        #expect(field.entries.last == Field.Entry(handle: 0, length: 0))
        field.type(Stage.pin)
        #expect(try await stage.script.send(2, submit, number: try #require(field.entries.last?.handle)).code == nil)
    }

    /// What stands in a field whose secrets the app can read again.
    private func taken(_ field: Field, _ stage: Stage) async throws -> String? {
        let number = try #require(field.entries.last?.handle)
        let rest = #""name":"taken-\#(Int(number))","prompt":{"cancel":"","reason":""},"protection":"ownerPresence"}"#
        #expect(try await stage.script.ownerSecret(#"{"call":"set",\#(rest)"#, number: number).code == nil)
        return try await stage.script.ownerSecret(#"{"call":"get",\#(rest)"#).secret
    }
}

extension ThumbturnSecretText {
    /// What its owner reads.
    fileprivate var _shown: String { text.inside._screen }
}
