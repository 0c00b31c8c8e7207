import Foundation
import ThumbturnCredentials
import ThumbturnHost

/// A call of `OwnerSecret`: one short text of the app's own behind its owner, outside of the vault.
struct OwnerRequest: Decodable {
    enum Call: String, Decodable { case set, get, remove }
    enum Protection: String, Decodable { case ownerPresence, currentBiometrics }
    struct Prompt: Decodable { let reason: String, cancel: String }
    let call: Call, name: String, protection: Protection?, prompt: Prompt?

    /// - Returns: `{"error":null,"secret":…}`, where the secret is what `get` found; else null.
    @MainActor static func answer(_ json: String, _ secret: String?) async throws -> String {
        guard let request = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else {
            throw HostError.requestWrong
        }
        let found = try JSONEncoder().encode(await request.perform(secret))
        return #"{"error":null,"secret":\#(String(decoding: found, as: UTF8.self))}"#
    }

    @MainActor private func perform(_ secret: String?) async throws -> String? {
        let vault = try await CredentialVault<String>.open(
            named: CredentialName(name),
            in: AppVault.home + "/owner",
            device: AppVault.host.device(),
            guardedBy: protection == .currentBiometrics ? .biometrics : .ownerPresence
        )
        defer { Task { await vault.close() } }
        var asked = PromptText(reason: name, fallbackTitle: "")
        if let prompt, !prompt.reason.isEmpty { asked.reason = prompt.reason }
        if let prompt, !prompt.cancel.isEmpty { asked.cancelTitle = prompt.cancel }
        switch (call, secret) {
        case (.get, nil): return try await vault.unlockWithBiometrics(asked)
        case (.remove, nil): try await vault.reset()
        case (.set, let secret?): try await vault.enableSecureVaultWithBiometrics(saving: secret, asked)
        case (.set, nil): throw HostError.secretMissing
        case (.get, _), (.remove, _): throw HostError.secretUnexpected
        }
        return nil
    }
}
