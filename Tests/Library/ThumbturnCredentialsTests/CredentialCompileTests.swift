import Foundation
import Testing
import ThumbturnRules
import ThumbturnTestKit

/// Sources that must not compile, each with the error that it must give, and one that must.
@Suite struct CredentialCompileTests {
    /// What each state has; the rest is refused by the compiler.
    private static let transitions: [(state: String, has: [String])] = [
        ("Unavailable", ["enableKeychainVault"]),
        ("Ready", ["enableKeychainVault", "enableSecureVaultWithBiometrics"]),
        ("KeychainSecured", ["upgradeKeychainWithBiometrics", "credentials"]),
        (
            "BiometricsSecured",
            ["downgradeBiometricsToKeychain", "disableBiometricsSecureVault", "lock", "credentials"]
        ),
        ("Locked", ["unlockWithBiometrics"]),
    ]

    private static let calls: [(name: String, call: String)] = [
        ("enableKeychainVault", "enableKeychainVault(saving: tokens)"),
        ("enableSecureVaultWithBiometrics", "enableSecureVaultWithBiometrics(saving: tokens, words)"),
        ("upgradeKeychainWithBiometrics", "upgradeKeychainWithBiometrics(words)"),
        ("downgradeBiometricsToKeychain", "downgradeBiometricsToKeychain(words)"),
        ("disableBiometricsSecureVault", "disableBiometricsSecureVault()"),
        ("lock", "lock()"),
        ("unlockWithBiometrics", "unlockWithBiometrics(words)"),
        ("credentials", "credentials()"),
    ]

    private static let head = """
        import Thumbturn
        import ThumbturnCredentials
        struct Tokens: Codable, Sendable { var access = "" }
        let tokens = Tokens()
        let words = PromptText(reason: "Use your tokens")
        typealias Handle<State> = CredentialHandle<State, Tokens>

        """

    /// One line for each handle and call.
    private static func source(legal: Bool) -> (text: String, lines: [Int: String]) {
        var text = head
        var lines: [Int: String] = [:]
        for (state, has) in transitions {
            for (name, call) in calls where has.contains(name) == legal {
                let access = call == "credentials()" ? "try" : ""
                text += """
                    func \(state)_\(name)(_ handle: consuming Handle<CredentialState.\(state)>) async throws {
                        _ = \(access) await handle.\(call)
                    }

                    """
                lines[text.count { $0 == "\n" } - 1] = "\(state).\(name)"
            }
        }
        return (text, lines)
    }

    @Test(.holds("V-04")) func `every transition that a state has compiles`() throws {
        let (text, lines) = Self.source(legal: true)
        let errors = try Compiler.errors(in: text)
        #expect(errors.isEmpty, "\(errors)")
        #expect(lines.count == 10)
    }

    @Test(.holds("V-04")) func `every transition that a state does not have is an error of its own`() throws {
        let (text, lines) = Self.source(legal: false)
        let errors = try Compiler.errors(in: text)
        #expect(lines.count == 30)
        for (line, what) in lines {
            let told = errors.filter { $0.line == line }.map(\.message)
            #expect(!told.isEmpty, "\(what) compiles")
            #expect(
                told.allSatisfy { $0.contains("CredentialState.") || $0.contains("no exact matches") },
                "\(what): \(told)"
            )
        }
        #expect(errors.allSatisfy { lines[$0.line] != nil }, "\(errors)")
    }

    @Test func `the page's example of transitions compiles, and is short`() throws {
        let page = Compiler.sources + "/Library/ThumbturnCredentials/ThumbturnCredentials.docc/ThumbturnCredentials.md"
        let text = try String(contentsOfFile: page, encoding: .utf8)
        let section = try #require(text.range(of: "### From one state to the next")).upperBound
        let start = try #require(text.range(of: "```swift\n", range: section..<text.endIndex)).upperBound
        let end = try #require(text.range(of: "```", range: start..<text.endIndex)).lowerBound
        let example = text[start..<end]
        #expect(example.contains("CredentialVault") && example.split(separator: "\n").count <= 10)
        // The page declares its credentials further up.
        let tokens = "struct Tokens: Codable, Sendable { var access, refresh: String }\n"
        let errors = try Compiler.errors(in: "import ThumbturnCredentials\n" + tokens + example)
        #expect(errors.isEmpty, "\(errors)")
    }

    /// A source with the error it must give; nil is a control.
    static let sources: [(name: String, body: String, error: String?)] = [
        (
            "control: a handle that moves on",
            "let next = try await ready.enableKeychainVault(saving: tokens).get(); _ = try await next.credentials()",
            nil
        ),
        (
            "a handle used twice",
            "_ = await ready.enableKeychainVault(saving: tokens); _ = await ready.enableKeychainVault(saving: tokens)",
            "'ready' consumed more than once"
        ),
        (
            "a handle copied",
            "let copy = ready; _ = await ready.reset(); _ = await copy.reset()",
            "'ready' consumed more than once"
        ),
        (
            "a handle made by hand",
            "_ = Handle<CredentialState.BiometricsSecured>(vault)",
            "initializer is inaccessible due to 'internal' protection level"
        ),
        (
            "a state claimed",
            "let secured: Handle<CredentialState.BiometricsSecured> = ready; _ = secured",
            "cannot assign value of type 'Handle<CredentialState.Ready>'"
        ),
        ("a key taken out", "_ = await vault.key", "'key' is inaccessible due to 'internal' protection level"),
        ("control: credentials", "_ = CredentialVault<Tokens>.self", nil),
        ("a wallet's secret", stored("WalletSecret"), notDecodable("WalletSecret")),
        ("secret bytes", stored("SecretBytes"), notDecodable("SecretBytes")),
        ("a mnemonic", stored("Mnemonic"), notDecodable("Mnemonic")),
        ("a vault's authorisation", stored("StrongAuthorization"), notDecodable("StrongAuthorization")),
        (
            "secret bytes inside",
            "struct Hidden: Codable { let key: SecretBytes }; " + stored("Hidden"),
            "has non-Copyable type 'SecretBytes'"
        ),
        (
            "credentials that may not cross tasks",
            "final class Loose: Codable { var a = 1 }; " + stored("Loose"),
            "type 'Loose' does not conform to the 'Sendable' protocol"
        ),
    ]

    private static func stored(_ type: String) -> String { "_ = CredentialVault<\(type)>.self" }

    private static func notDecodable(_ type: String) -> String {
        "type '\(type)' does not conform to protocol 'Decodable'"
    }

    @Test(.holds("V-01", "V-04", "C4"), arguments: sources.indices)
    func `what must not be written does not compile`(index: Int) throws {
        let (name, body, error) = Self.sources[index]
        let text =
            Self.head + """
                func body(
                    _ ready: consuming Handle<CredentialState.Ready>,
                    _ vault: CredentialVault<Tokens>
                ) async throws {
                    \(body)
                }
                """
        let errors = try Compiler.errors(in: text)
        if let error {
            #expect(errors.contains { $0.message.contains(error) }, "\(name): \(errors)")
        } else {
            #expect(errors.isEmpty, "\(name): \(errors)")
        }
    }
}
