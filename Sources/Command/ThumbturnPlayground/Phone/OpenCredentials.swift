import Thumbturn
import ThumbturnCredentials
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnJSON
import ThumbturnRules

/// The credential vault of seed 004, with what an app keeps in it.
@MainActor final class OpenCredentials {
    /// What an app can fetch again: nothing that anyone has.
    struct Tokens: Codable, Sendable {
        let text: String
    }

    private let vault: CredentialVault<Tokens>
    private(set) var snapshot: CredentialSnapshot?
    private var follower: Task<Void, Never>?

    /// Opens the credentials in a folder, which need not be there.
    ///
    /// - Parameter changed: called when the snapshot is another.
    init(in folder: String, device: Device, changed: @escaping @MainActor () -> Void) async throws(VaultError) {
        let name = try CredentialName("playground")
        vault = try await CredentialVault.open(named: name, in: folder, device: device, coding: .tokens)
        follower = Task { [weak self, vault] in
            for await snapshot in await vault.snapshots() {
                self?.snapshot = snapshot
                changed()
            }
        }
    }

    /// Asks for a transition; the vault decides.
    func perform(_ action: CredentialAction, _ prompt: PromptText) async throws(VaultError) {
        let tokens = Tokens(text: "a token of the playground")
        switch action {
        case .enableKeychainVault: try await vault.enableKeychainVault(saving: tokens)
        case .enableSecureVaultWithBiometrics:
            try await vault.enableSecureVaultWithBiometrics(saving: tokens, prompt)
        case .upgradeKeychainWithBiometrics: try await vault.upgradeKeychainWithBiometrics(prompt)
        case .downgradeBiometricsToKeychain: try await vault.downgradeBiometricsToKeychain(prompt)
        case .disableBiometricsSecureVault: try await vault.disableBiometricsSecureVault()
        case .lock: try await vault.lock()
        case .unlockWithBiometrics: _ = try await vault.unlockWithBiometrics(prompt)
        case .refresh: try await vault.refresh()
        }
        snapshot = await vault.snapshot
    }

    func end() async {
        follower?.cancel()
        await vault.close()
    }

    var json: JSON {
        guard let snapshot else { return .null }
        return [
            "biometricsAvailable": .bool(snapshot.biometricsAvailable),
            "biometricsEnabled": .bool(snapshot.biometricsEnabled), "state": .string(snapshot.state.name),
        ]
    }
}

extension CredentialCoding<OpenCredentials.Tokens> {
    fileprivate static let tokens = CredentialCoding(
        encode: { tokens throws(VaultError) in
            let bytes = Array(tokens.text.utf8)
            return unsafe SecretBytes(byteCount: bytes.count) { unsafe $0.copyBytes(from: bytes) }
        },
        decode: { bytes throws(VaultError) in
            .init(
                text: bytes.withBytes { text in
                    unsafe text.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
                }
            )
        }
    )
}
