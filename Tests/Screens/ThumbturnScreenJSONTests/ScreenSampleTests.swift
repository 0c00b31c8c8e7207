import Foundation
import Testing
import ThumbturnJSON
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnScreenJSON

/// The samples of `Tests/Vectors/screens`: what a host in another language is written against.
///
/// Samples are added, never made anew: `THUMBTURN_FREEZE_SCREENS=Tests/Vectors/screens swift test --filter ScreenSample`
/// writes those that are not there.
@Suite struct ScreenSampleTests {
    private static let folder = VectorFolder.own + "/screens/"

    @Test func `each screen and each action is written as its sample`() throws {
        let made = try Self.made()
        if let folder = ProcessInfo.processInfo.environment["THUMBTURN_FREEZE_SCREENS"] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for (name, bytes) in made where !FileManager.default.fileExists(atPath: "\(folder)/\(name)") {
                try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
            }
        }
        let frozen = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        #expect(Set(frozen) == Set(made.keys))
        for (name, bytes) in made {
            let text = try String(contentsOfFile: Self.folder + name, encoding: .utf8)
            #expect(String(decoding: bytes, as: UTF8.self) == text, "\(name)")
        }
    }

    @Test func `each action is read back from its sample`() throws {
        for action in ScreenSamples.actions {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: Self.folder + Self.file(of: action))).dropLast()
            #expect(try ScreenAction(reading: Array(bytes)) == action)
        }
    }

    @Test func `every screen, step and action of the sources has its sample`() throws {
        let names = try Self.made().keys
        let rules = "Library/ThumbturnRules/Screens/"
        for (screen, enumeration, file) in [
            ("unlock-", "Screen", rules + "AppUnlockFields.swift"),
            ("unlock-completion-", "CompletionStep", rules + "CompletionStep.swift"),
            ("unlock-olderCopy-", "OlderCopyStep", rules + "OlderCopyStep.swift"),
            ("system-step-", "Step", rules + "SystemSettingsFields.swift"),
            ("pin-step-", "Step", rules + "PINChangeFields.swift"),
            ("recoveryKey-step-", "Step", rules + "RecoveryKeyFields.swift"),
            ("action-pin-", "PINChangeAction", "Screens/ThumbturnScreenJSON/Actions/PINChangeAction.swift"),
            (
                "action-recoveryKey-", "RecoveryKeyAction",
                "Screens/ThumbturnScreenJSON/Actions/RecoveryKeyAction.swift"
            ),
            ("action-unlock-", "UnlockAction", "Screens/ThumbturnScreenJSON/Actions/UnlockAction.swift"),
            ("action-biometrics-", "BiometricsAction", "Screens/ThumbturnScreenJSON/Actions/BiometricsAction.swift"),
            ("action-system-", "SystemAction", "Screens/ThumbturnScreenJSON/Actions/SystemAction.swift"),
        ] {
            let cases = try EnumerationCases.names(of: enumeration, in: file)
            #expect(!cases.isEmpty, "\(enumeration)")
            for name in cases {
                #expect(names.contains { $0.hasPrefix(screen + name) }, "no sample of \(enumeration).\(name)")
            }
        }
    }

    @Test func `each text of a screen is in both languages`() throws {
        for (name, json) in ScreenSamples.screens {
            let (english, french) = (json(.english), json(.french))
            #expect(english["texts"]?.count == french["texts"]?.count, "\(name)")
            #expect(english["offers"]?.count == french["offers"]?.count, "\(name)")
        }
        #expect(Words.json(in: .english)["cancel"]?.text == "Cancel")
        #expect(Words.json(in: .french)["cancel"]?.text == "Annuler")
        #expect(Set(Words.named.values).isSuperset(of: Words.ours))
        #expect(Words.named["recoveryKeyDone"] == .recoveryKeyDone)
    }

    private static func made() throws -> [String: [UInt8]] {
        var made: [String: [UInt8]] = [:]
        for (name, json) in ScreenSamples.screens {
            made[name + ".json"] = try line(["en": json(.english), "fr": json(.french)])
        }
        for action in ScreenSamples.actions { made[file(of: action)] = try line(action.json) }
        return made
    }

    private static func file(of action: ScreenAction) -> String {
        let isBare = action == .biometrics(.disable(withSecret: false))
        return "action-\(action.screen)-\(action.json["name"]?.text ?? "")\(isBare ? "-bare" : "").json"
    }

    /// - Returns: the canonical form, which is the only one that is written.
    private static func line(_ json: JSON) throws -> [UInt8] {
        let bytes = try json.canonical()
        #expect(Array(json.wireText.utf8) == bytes)
        return bytes + [UInt8(ascii: "\n")]
    }
}

extension JSON {
    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var count: Int? {
        guard case .array(let elements) = self else { return nil }
        return elements.count
    }
}
