import Foundation
import Testing
import ThumbturnRules

@testable import WriteStrings

@Suite struct ErrorCodeTests {
    /// Seed 002, section 6, word for word.
    static let seed: [(code: String, french: String)] = [
        ("ERR-107-001", "Face ID/Touch ID non disponible sur cet appareil."),
        ("ERR-107-010", "Mot de passe incorrect."),
        ("ERR-107-020", "Impossible d'activer la biométrie."),
        ("ERR-107-021", "Désactivation incomplète, nouvelle tentative requise."),
        ("ERR-107-030", "Authentification biométrique échouée."),
        ("ERR-107-031", "Authentification annulée."),
        ("ERR-107-040", "Impossible de vous authentifier."),
        ("ERR-107-050", "Vérification de sécurité requise."),
        ("ERR-107-060", "Vos données biométriques ont changé. Réactivez la biométrie."),
        ("ERR-107-070", "Session expirée. Mot de passe requis."),
        ("ERR-107-080", "Vérification de sécurité requise."),
        ("ERR-107-090", "Connexion limitée. Action enregistrée localement."),
    ]

    @Test("the French of seed 002 is word for word", arguments: seed)
    func french(code: String, french: String) throws {
        let entry = try #require(ErrorCode.allCases.first { $0.text == code })
        #expect(Array(entry.message(in: .french).unicodeScalars) == Array(french.unicodeScalars))
    }

    @Test func `the twelve codes of seed 002 come first, in its order`() {
        #expect(ErrorCode.allCases.prefix(12).map(\.text) == Self.seed.map(\.code))
        #expect(ErrorCode.allCases.filter { $0.text.hasPrefix("ERR-107-") }.count == 12)
    }

    @Test func `codes are unique and leave no gap`() {
        let texts = ErrorCode.allCases.map(\.text)
        #expect(Set(texts).count == texts.count)
        let ours = [101...120, 201...223, 301...327, 401...412, 501...518].flatMap {
            $0.map { "ERR-TT-\($0)" }
        }
        #expect(Array(texts.dropFirst(12)) == ours)
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func `docs/errors.md is what the catalogue says; else run swift run WriteStrings`() throws {
        let text = try String(contentsOf: Self.root.appendingPathComponent("docs/errors.md"), encoding: .utf8)
        #expect(text == ErrorTable.file)
    }

    @Test func `docs/errors.md has a row for every code, in order`() {
        let rows = ErrorTable.file.split(separator: "\n").filter { $0.hasPrefix("| `ERR-") }
        #expect(rows.count == ErrorCode.allCases.count)
        for (row, code) in zip(rows, ErrorCode.allCases) { #expect(row.hasPrefix("| `\(code.text)` |")) }
    }

    @Test("every code speaks both languages and says what to do", arguments: ErrorCode.allCases)
    func languages(code: ErrorCode) {
        for language in Language.allCases {
            let message = code.message(in: language)
            #expect(message.count > 5 && message.last == ".")
            #expect(!code.hint(in: language).isEmpty && code.hint(in: language).last != ".")
        }
        for language in Language.allCases {
            let named = code.hint(in: language, recoveryKeyOpens: true)
            #expect(
                (named != code.hint(in: language)) == (code == .attemptDelayed),
                "only a wait is overtaken by the key"
            )
        }
        #expect(code.message(in: .english) != code.message(in: .french))
        #expect(code.hint(in: .english) != code.hint(in: .french))
    }

    @Test(
        "every reason ends in a code that asks for the strong factor",
        .holds("C16"),
        arguments: StrongFactorReason.allCases
    )
    func strongFactor(reason: StrongFactorReason) {
        #expect([.offerStrongFactor, .strongFactorThenReenable].contains(reason.errorCode.recovery))
        #expect(reason.errorCode.category == .refused)
    }

    @Test func `the reasons of seed 002 have the codes of seed 002`() {
        let codes: [(StrongFactorReason, String)] = [
            (.ledgerUnreliable, "050"), (.biometricsChanged, "060"), (.rebooted, "070"), (.clockIncoherent, "070"),
            (.idle, "070"), (.strongFactorAged, "070"), (.policyEpochOld, "080"), (.serverUnheard, "080"),
            (.biometricsUnavailable, "001"), (.cancelled, "031"),
        ]
        for (reason, code) in codes { #expect(reason.errorCode.text == "ERR-107-\(code)") }
        #expect(StrongFactorReason.unclassified.errorCode == .strongFactorRequired)
    }

    @Test(.holds("F-107-01")) func `the message names the sensor that the device has`() {
        let code = ErrorCode.biometricsUnavailable
        for language in Language.allCases {
            let plain = code.message(in: language)
            #expect(plain.contains("Face ID/Touch ID"))
            #expect(code.message(in: language, naming: BiometricCapability.BiometryType.none) == plain)
            for type in [BiometricCapability.BiometryType.touchID, .faceID] {
                #expect(!code.message(in: language, naming: type).contains("ID/"))
            }
        }
        #expect(code.message(in: .french, naming: .touchID) != code.message(in: .french, naming: .faceID))
    }

    @Test func `two codes are equal when their texts are`() {
        #expect(ErrorCode.ledgerUnreliable != ErrorCode.securityEventMissing, "the same words, another cause")
        #expect(Set(ErrorCode.allCases).count == ErrorCode.allCases.count)
    }
}
