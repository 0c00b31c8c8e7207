import Foundation
package import ThumbturnCredentials
import ThumbturnCrypto
import ThumbturnDevice
package import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

// The credential vaults of a scene: two names in one folder.
extension CrashScene {
    /// What transitions are about.
    static let credentials = "tokens"
    /// What lies beside it and is never touched.
    static let otherCredentials = "other"
    static let oldToken = "an old token"
    static let newToken = "a new token"

    private var credentialFolder: String { root + "/credentials" }

    var hasCredentials: Bool { FileManager.default.fileExists(atPath: credentialFolder) }

    package func openCredentials(_ name: String = "tokens") async throws(VaultError) -> CredentialVault<String> {
        try await CredentialVault.open(
            named: CredentialName(name),
            in: credentialFolder,
            device: seen,
            coding: .text,
            vfs: vfs
        )
    }

    /// Stores what lies beside, and the old token behind `protection`, if any.
    func furnishCredentials(_ protection: CredentialProtection?) async throws {
        let other = try await openCredentials(Self.otherCredentials)
        try await other.enableKeychainVault(saving: Self.oldToken)
        await other.close()
        let vault = try await openCredentials()
        switch protection {
        case .keychain?: try await vault.enableKeychainVault(saving: Self.oldToken)
        case .biometrics?, .ownerPresence?:
            try device.simulate(.finger(.match))
            try await vault.enableSecureVaultWithBiometrics(saving: Self.oldToken, TestVault.words)
        case nil: break
        }
        await vault.close()
    }

    /// What each of the two is worth: how it is kept, and what it opens with.
    func credentialFacts() async throws -> [String] {
        var facts: [String] = []
        for name in [Self.credentials, Self.otherCredentials] {
            let vault = try await openCredentials(name)
            let snapshot = await vault.snapshot
            var value: String
            do {
                value = try await Self.read(vault, on: device)
            } catch let error as VaultError {
                value = error.code.text
            }
            facts.append("\(name), \(snapshot.protection.map { "\($0)" } ?? "nothing"): \(value)")
            await vault.close()
        }
        return facts
    }

    /// Reads with a finger where it has to be.
    static func read(_ vault: CredentialVault<String>, on device: SimulatedDevice) async throws -> String {
        guard await vault.snapshot.state == .locked else { return try await vault.credentials() }
        try device.simulate(.finger(.match))
        return try await vault.unlockWithBiometrics(TestVault.words)
    }
}

extension CredentialCoding<String> {
    /// Tokens as they are.
    fileprivate static let text = CredentialCoding(
        encode: { (token) throws(VaultError) in
            unsafe SecretBytes(byteCount: token.utf8.count) { unsafe $0.copyBytes(from: token.utf8) }
        },
        decode: { (bytes) throws(VaultError) in
            bytes.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } }
        }
    )
}
