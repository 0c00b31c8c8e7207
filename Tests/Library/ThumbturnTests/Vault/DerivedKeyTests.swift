import Testing
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// The key that a vault lends for an app's own store.
@Suite struct DerivedKeyTests {
    private static let label = "com.example.wallet/settings"

    private func key(_ vault: Vault, _ label: String = label) async throws -> [UInt8] {
        try await vault.withDerivedKey(label) { span in unsafe span.withUnsafeBytes { unsafe Array($0) } }
    }

    @Test(.holds("K-02")) func `each label has a key of 32 bytes, the same one in each session`() async throws {
        let made = try await TestVault.make(biometrics: true)
        let first = try await key(made.vault)
        #expect(first.count == 32 && Set(first).count > 8)
        var keys: Set<[UInt8]> = [first]
        for label in ["com.example.wallet/setting", "com.example.wallet/settings ", "a", "wallet-key", "app-key"] {
            #expect(keys.insert(try await key(made.vault, label)).inserted, "\(label)")
        }
        await made.vault.lock()
        try await made.touch()
        #expect(try await key(made.vault) == first)
        let again = try await made.restarted()
        try await again.strong()
        #expect(try await key(again.vault) == first)
    }

    @Test func `another vault has another key`() async throws {
        let (one, other) = (try await TestVault.make(), try await TestVault.make())
        #expect(try await key(one.vault) != key(other.vault))
    }

    @Test func `a new PIN keeps it, and a new master key ends it`() async throws {
        let made = try await TestVault.make()
        let first = try await key(made.vault)
        try await made.vault.changeLocalSecret(to: SecretBytes(text: "840275"), try await made.strong())
        #expect(try await key(made.vault) == first)
        try await made.vault.rekey(
            with: SecretBytes(text: "840275"),
            recoveryKey: nil,
            made.vault.unlock(with: SecretBytes(text: "840275"))
        )
        try await made.vault.unlock(with: SecretBytes(text: "840275"))
        #expect(try await key(made.vault) != first)
    }

    @Test(.holds("K-02")) func `a locked vault lends none`() async throws {
        let made = try await TestVault.make()
        await made.vault.lock()
        #expect(await refusal { _ = try await key(made.vault) } == .locked)
    }

    @Test(arguments: ["", String(repeating: "a", count: 65), "clé", "a\n", "a\u{0}b", "\u{7F}"])
    func `a label is short printable ASCII`(label: String) async throws {
        let made = try await TestVault.make()
        #expect(await refusal { _ = try await key(made.vault, label) } == .usage)
    }

    @Test func `it is HKDF of the master key under its own purpose, and no key of the vault`() async throws {
        let master = MasterKey.make()
        let vault = Identifier(high: 1, low: 2)
        func bytes(_ purpose: String, _ context: [UInt8]) -> [UInt8] {
            master.derive(purpose, context: context, salt: [])
                .withBytes { span in unsafe span.withUnsafeBytes { unsafe Array($0) } }
        }
        let label = Array("wallet".utf8)
        let own = bytes("app-key", vault.bytes + label)
        for purpose in ["wallet-key", "wallet-label", "wallet-tag", "manifest"] {
            #expect(own != bytes(purpose, vault.bytes + label) && own != bytes(purpose, vault.bytes))
        }
    }
}
