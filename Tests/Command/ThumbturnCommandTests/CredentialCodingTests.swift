import Foundation
import Testing
import ThumbturnCredentials
import ThumbturnCrypto
import ThumbturnRules

@testable import ThumbturnCommand

/// What the command stores of a credential, against the coders that wrote it first.
struct CredentialCodingTests {
    static let credentials: [Credential] = [
        .text(""), .text("correct horse / battery"), .text("\"\\\u{0}\u{1F}\u{7F}\u{85}\u{2028}\t\r"), .text("é 🗝 한글"),
        .bytes([]), .bytes([0xFF]), .bytes(Array(0...255)),
    ]

    @Test(arguments: credentials) func `what Foundation's coders wrote is read, and they read what is written`(
        credential: Credential
    ) throws {
        let theirs = try JSONEncoder().encode(credential)
        let stored = unsafe SecretBytes(byteCount: theirs.count) { buffer in _ = unsafe theirs.copyBytes(to: buffer) }
        #expect(try CredentialCoding.lines.decode(stored) == credential)
        let ours = try CredentialCoding.lines.encode(credential).withBytes { bytes in
            unsafe bytes.withUnsafeBytes { unsafe Data($0) }
        }
        #expect(try JSONDecoder().decode(Credential.self, from: ours) == credential)
    }

    @Test(arguments: [
        "", "{}", "{\"text\":{}}", "{\"text\":{\"_0\":1}}", "{\"bytes\":{\"_0\":[256]}}", "{\"bytes\":{\"_0\":[-1]}}",
        "{\"bytes\":{\"_0\":[\"a\"]}}", "{\"text\":{\"_0\":\"a\"}} ,", "null",
    ])
    func `what is no credential is not read`(text: String) {
        let stored = unsafe SecretBytes(byteCount: text.utf8.count) { unsafe $0.copyBytes(from: text.utf8) }
        #expect(throws: VaultError(.credentialsNotRead)) { try CredentialCoding.lines.decode(stored) }
    }
}
