import Thumbturn
import ThumbturnAccount
import ThumbturnConsole

// biometrics status, enable, disable.
extension Context {
    func showBiometrics() async throws {
        let report = try await withVault(asksSensor: true) { vault, device in
            StatusReport(await vault.snapshot, folder: try vaultFolder(), device: device)
        }
        try output.print(report.biometricsText, json: report.biometricsJSON)
    }

    func enableBiometrics() async throws {
        try await withVault(asksSensor: true, readsWallets: false) { vault, device in
            if await vault.snapshot.mode == .system { throw Failure(.systemModeOnly) }
            if let obstacle = await vault.snapshot.capability.obstacle(under: vault.snapshot.policy) {
                throw await failure(for: obstacle, of: vault)
            }
            guard let consent = try await consent(asked: secrets.isTerminal ? nil : true, device) else {
                throw Failure(.consentMissing)
            }
            let authorization: StrongAuthorization
            do {
                authorization = try await authorize(vault)
            } catch let failure as Failure where failure.code == .strongFactorRefused {
                var wrong = Failure(.wrongSecretForEnabling, hint: failure.hint)
                wrong.advised = failure.advised
                throw wrong
            }
            try await vault.enableBiometrics(consent, authorization)
            let type = await vault.snapshot.capability.biometryType
            try output.print(
                Words(
                    "Biometrics are enabled (\(type.text.english)).",
                    "La biométrie est activée (\(type.text.french))."
                ),
                json: ["biometrics": ["isEnabled": .bool(true), "type": .string(type.label)]]
            )
        }
    }

    func disableBiometrics() async throws {
        // Disabling needs no service (B-08).
        try await withVault(mayLeaveTPM: false, asksService: false) { vault, _ in
            // Try without authorization first: the policy may not require one.
            do throws(VaultError) { try await vault.disableBiometrics(nil) } catch {
                switch error.code {
                case .authorizationExpired, .locked, .migrationIncomplete: try await disableBiometricsByPIN(of: vault)
                default: throw error
                }
            }
            try output.print(
                Words("Biometrics are off; the key is deleted.", "La biométrie est désactivée ; la clé est supprimée."),
                json: ["biometrics": ["isEnabled": .bool(false)]]
            )
        }
    }

    private func disableBiometricsByPIN(of vault: Vault) async throws {
        guard let known = await vault.account else {
            return try await vault.disableBiometrics(try await authorize(vault))
        }
        let account = AccountVault(vault, over: try known.transport)
        var password = try await readPIN(for: vault)
        try await retrying(&password, on: vault) { try await account.disableBiometrics(with: $0.bytes) }
    }

    /// Returns the owner's consent, from an option or an answer on a terminal; `nil` if there is none (B-02).
    func consent(asked: Bool?, _ device: Device) async throws -> BiometricConsent? {
        switch asked {
        case true?: return BiometricConsent(ownerAgreedAt: device.clock())
        case false?: return nil
        case nil:
            guard secrets.isTerminal, await device.prompt.capability().available else { return nil }
            let isYes = try agrees(
                to: Words(
                    "Anyone enrolled on this device will be able to open the vault. Enable Biometric Unlock? [y/N]",
                    "Toute personne enregistrée sur cet appareil pourra ouvrir le coffre. Activer le déverrouillage biométrique ? [o/N]"
                )
            )
            return isYes ? BiometricConsent(ownerAgreedAt: device.clock()) : nil
        }
    }

    /// Asks a yes-or-no question on the terminal; anything but yes means no.
    func agrees(to question: Words) throws(Failure) -> Bool {
        ["y", "yes", "o", "oui"].contains(try secrets.readText(.consent(to: question)).lowercased())
    }

    /// Returns whether the user declines on the terminal.
    ///
    /// Enter means yes; the end of input, or three unclear answers, decline.
    func declines(_ question: Words) throws(Failure) -> Bool {
        for _ in 0..<Tries.most {
            guard let answer = try secrets.readIfPresent(.consent(to: question)) else { return true }
            let text = answer.withBytes { bytes in
                unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
            }
            switch text.lowercased() {
            case "", "y", "yes", "o", "oui": return false
            case "n", "no", "non": return true
            default: continue
            }
        }
        return true
    }

    private func failure(for obstacle: BiometricCapability.EnablingObstacle, of vault: Vault) async -> Failure {
        let snapshot = await vault.snapshot
        switch obstacle {
        case .assuranceTooLow: return Failure(.assuranceTooLow)
        case .unavailable(let reason):
            var failure = Failure(.biometricsUnavailable, reason.text)
            failure.name(snapshot.capability.biometryType)
            return failure
        }
    }
}
