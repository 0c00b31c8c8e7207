import ThumbturnCredentials
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnJSON
import ThumbturnRules

/// A call of a script for one short secret of its app's own behind its owner, outside of the vault.
struct OwnerRequest {
    private enum Call: String { case set, get, remove }

    private let call: Call
    private let name: String
    private let protection: CredentialProtection
    private let prompt: PromptText

    /// Reads a request.
    ///
    /// `{"call":"set"|"get"|"remove","name":…}`, and for all but `remove` also
    /// `"protection":"ownerPresence"|"currentBiometrics"` and `"prompt":{"cancel":…,"reason":…}`; an empty text there is the
    /// name, or the device's own word.
    ///
    /// - Throws: `.requestWrong`.
    init(reading text: String) throws(HostError) {
        guard
            let json = try? JSON(reading: Array(text.utf8), byteLimit: 4_096, depthLimit: 2),
            case .string(let call)? = json["call"], let call = Call(rawValue: call),
            case .string(let name)? = json["name"]
        else { throw .requestWrong }
        (self.call, self.name) = (call, name)
        var prompt = PromptText(reason: name, fallbackTitle: "")
        guard call != .remove else {
            (protection, self.prompt) = (.ownerPresence, prompt)
            return
        }
        guard
            case .string(let wanted)? = json["protection"], let protection = Self.protection(wanted),
            case .string(let reason)? = json["prompt"]?["reason"],
            case .string(let cancel)? = json["prompt"]?["cancel"]
        else { throw .requestWrong }
        if !reason.isEmpty { prompt.reason = reason }
        if !cancel.isEmpty { prompt.cancelTitle = cancel }
        (self.protection, self.prompt) = (protection, prompt)
    }

    private static func protection(_ name: String) -> CredentialProtection? {
        switch name {
        case "ownerPresence": .ownerPresence
        case "currentBiometrics": .biometrics
        default: nil
        }
    }

    /// Performs the call.
    ///
    /// - Returns: what `get` found; nil for the others.
    /// - Throws: `.secretMissing`, `.secretUnexpected`, `.protectionWeaker` for what is guarded by less than `get` asks for,
    ///   or a `VaultError`.
    func perform(_ secret: HeldSecret?, in folder: String, on device: Device) async throws -> HeldSecret? {
        guard (call == .set) == (secret != nil) else {
            throw call == .set ? HostError.secretMissing : .secretUnexpected
        }
        let vault = try await CredentialVault<RawSecret>.open(
            named: CredentialName(name),
            in: folder,
            device: device,
            coding: RawSecret.coding(),
            guardedBy: protection
        )
        let result: Result<HeldSecret?, any Error>
        do { result = .success(try await perform(secret, vault)) } catch { result = .failure(error) }
        await vault.close()
        return try result.get()
    }

    private func perform(_ secret: HeldSecret?, _ vault: CredentialVault<RawSecret>) async throws -> HeldSecret? {
        switch call {
        case .set:
            if let secret { try await vault.enableSecureVaultWithBiometrics(saving: RawSecret(secret), prompt) }
        case .get:
            if let kept = await vault.snapshot.protection, !kept.isAtLeast(protection) {
                throw HostError.protectionWeaker
            }
            return try await vault.unlockWithBiometrics(prompt).held
        case .remove: try await vault.reset()
        }
        return nil
    }
}
