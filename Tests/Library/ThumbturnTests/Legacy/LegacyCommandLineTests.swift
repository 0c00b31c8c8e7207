import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import Thumbturn

/// Against the real `openssl` command, where there is one.
@Suite(.enabled(if: opensslCommand != nil, "there is no openssl command here"))
struct LegacyCommandLineTests {
    @Test(arguments: Mnemonic.WordCount.allCases, [["-a"], ["-a", "-A"], []])
    func `what the openssl command seals, opens`(count: Mnemonic.WordCount, form: [String]) throws {
        let entropy = Mnemonic.makeEntropy(words: count)
        let words = try Mnemonic.text(of: entropy).revealed()
        let pin = "\(Int.random(in: 100_000...999_999))"
        let file = try Self.seal(words, pin, ["-md", "md5"] + form)
        let sealed = try LegacySealed(reading: secret(file))
        #expect(sealed.format == .openSSL)
        #expect(try sealed.open(with: secret(pin)).revealed() == entropy.revealed())
        let other = failure { () throws(VaultError) in _ = try sealed.open(with: secret("0" + pin)) }
        #expect(other?.code == .legacySecretRefused)
    }

    @Test(arguments: [["-md", "sha256"], ["-md", "sha1"], ["-md", "md5", "-iter", "2"]])
    func `what it seals with another derivation is refused`(options: [String]) throws {
        let words = Array(MnemonicTests.valid.utf8)
        let sealed = try LegacySealed(reading: secret(Self.seal(words, "280714", options + ["-a"])))
        let error = failure { () throws(VaultError) in _ = try sealed.open(with: secret("280714")) }
        #expect(error?.code == .legacySecretRefused)
    }

    @Test func `a mnemonic with a word too many opens to nothing, but tells that the PIN was right`() throws {
        let words = Array((MnemonicTests.valid + " zoo").utf8)
        let sealed = try LegacySealed(reading: secret(Self.seal(words, "280714", ["-md", "md5", "-a"])))
        let error = failure { () throws(VaultError) in _ = try sealed.open(with: secret("280714")) }
        #expect(error == VaultError(.legacyHoldsOther))
        #expect(error?.diagnostic == "13 words")
    }

    /// Runs `openssl enc`; the PIN is a test's, so it may stand among the arguments.
    ///
    /// With files instead of pipes: an end of a pipe could be handed down to a child that another test starts just then.
    /// By the shell, which throws away what it says: it warns of what we test.
    private static func seal(_ words: [UInt8], _ pin: String, _ options: [String]) throws -> [UInt8] {
        let folder = try TemporaryFolder(inMemory: true)
        try folder.write(words, to: "words")
        let command = try #require(opensslCommand)
        let arguments = [
            "enc", "-aes-256-cbc", "-salt", "-pass", "pass:\(pin)", "-in", folder.file("words"), "-out",
            folder.file("sealed"),
        ]
        let shell = ["/bin/sh", "-c", #"exec "$0" "$@" 2>/dev/null"#, command]
        var words = unsafe (shell + arguments + options).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var settings: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
        var child = pid_t()
        try unsafe #require(posix_spawn(&child, shell[0], nil, nil, &words, &settings) == 0)
        var status: Int32 = -1
        try unsafe #require(waitpid(child, &status, 0) == child)
        try #require(status == 0)
        return try folder.read("sealed")
    }
}

/// Where the command lies; nil when it is not there.
private let opensslCommand = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
