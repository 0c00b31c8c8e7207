import Testing
import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON

@testable import ThumbturnAccountUI

@Suite struct AccountSampleTests {
    private static let frozen = FrozenScreens("account-screens")

    @Test func `each screen and each action of an account is written as its sample`() throws {
        try Self.frozen.expect(Self.made)
    }

    @Test func `each action of an account is read back from its sample`() throws {
        for action in AccountSamples.actions {
            #expect(try AccountScreenAction(reading: Self.frozen.bytes(of: Self.name(of: action))) == action)
        }
    }

    @Test func `every screen, step and action of an account has its sample`() throws {
        let names = Self.made.keys
        let room = "Screens/ThumbturnAccountUI/"
        for (screen, enumeration, file) in [
            ("account-", "Screen", "Fields/AccountScreensFields"),
            ("accountEntry-step-", "Step", "Fields/AccountEntryFields"),
            ("accountDevices-step-", "Step", "Fields/AccountDevicesFields"),
            ("accountPassword-step-", "Step", "Fields/PasswordChangeFields"),
            ("accountMove-step-", "Step", "Fields/AccountMoveFields"),
            ("delivery-obstacle-", "Obstacle", "Fields/DeliveryFields"),
            ("action-account-", "AccountScreensAction", "JSON/AccountScreensAction"),
            ("action-accountEntry-", "AccountEntryAction", "JSON/AccountEntryAction"),
            ("action-accountDevices-", "AccountDevicesAction", "JSON/AccountDevicesAction"),
            ("action-accountPassword-", "PasswordChangeAction", "JSON/PasswordChangeAction"),
            ("action-accountMove-", "AccountMoveAction", "JSON/AccountMoveAction"),
            ("action-delivery-", "DeliveryAction", "JSON/DeliveryAction"),
        ] {
            let cases = try EnumerationCases.names(of: enumeration, in: "\(room)\(file).swift")
            #expect(!cases.isEmpty, "\(enumeration)")
            for name in cases {
                #expect(names.contains { $0.hasPrefix(screen + name) }, "no sample of \(enumeration).\(name)")
            }
        }
    }

    @Test func `every field of an account's value is a member of its JSON`() {
        for screen in AccountSamples.screens {
            #expect(!screen.fields.isEmpty)
            // Of the policy a screen shows what keeps biometrics from being offered: `obstacle`.
            for field in screen.fields where field != "policy" {
                #expect(screen.json(.english)[field] != nil, "\(screen.name) lacks \(field)")
            }
        }
    }

    @Test func `each text of an account's screens is in both languages, and has a name`() {
        for screen in AccountSamples.screens {
            let (english, french) = (screen.json(.english), screen.json(.french))
            #expect(english["texts"]?.elements?.count == french["texts"]?.elements?.count, "\(screen.name)")
            #expect(english["offers"]?.elements?.count == french["offers"]?.elements?.count, "\(screen.name)")
        }
        #expect(Words.accountJSON(in: .english)["logIn"]?.plainText == "Log in")
        #expect(Words.accountJSON(in: .french)["logIn"]?.plainText == "Se connecter")
        #expect(Set(Words.accountNamed.values) == Set(Words.accountWords))
    }

    @Test(
        arguments: [
            ("{", .notJSON), ("[]", .notObject), ("{}", .memberMissing),
            (#"{"name":"send","name":"send","screen":"delivery"}"#, .notJSON),
            (#"{"name":"lock","screen":"unlock"}"#, .unknownScreen),
            (#"{"name":"open","screen":"account"}"#, .unknownAction),
            (#"{"name":"open","screen":"delivery"}"#, .unknownAction),
            (#"{"name":"agree","screen":"accountEntry"}"#, .unknownAction),
            (#"{"name":"send","screen":"delivery","secret":"taken"}"#, .memberUnknown),
            (#"{"name":"choose","screen":"accountEntry"}"#, .memberMissing),
            (#"{"name":"choose","screen":"accountEntry","way":"steal"}"#, .memberWrong),
            (#"{"name":"answerOffer","screen":"accountEntry","consent":"yes"}"#, .memberWrong),
            (#"{"name":"submitSecret","screen":"accountDevices"}"#, .memberMissing),
            (#"{"name":"submitSecret","screen":"accountPassword","secret":"correct horse"}"#, .memberWrong),
            (#"{"name":"askToRevoke","screen":"accountDevices","device":7}"#, .memberWrong),
            (#"{"name":"back","screen":"accountMove","to":"question"}"#, .memberUnknown),
        ] as [(String, ScreenActionError)]
    )
    func `what is no action of an account is refused, and said why`(text: String, expected: ScreenActionError) {
        #expect(throws: expected) { try AccountScreenAction(reading: Array(text.utf8)) }
    }

    @Test func `an account's actions are no actions of the vault's screens`() {
        for action in AccountSamples.actions {
            #expect(action.takesSecret == (action.json["secret"] != nil))
            #expect(throws: ScreenActionError.unknownScreen) { try ScreenAction(action.json) }
        }
    }

    private static var made: [String: JSON] {
        var made: [String: JSON] = [:]
        for screen in AccountSamples.screens { made[screen.name] = screen.both }
        for action in AccountSamples.actions { made[name(of: action)] = action.json }
        return made
    }

    private static func name(of action: AccountScreenAction) -> String {
        "action-\(action.screen)-\(action.json["name"]?.plainText ?? "")"
    }
}
