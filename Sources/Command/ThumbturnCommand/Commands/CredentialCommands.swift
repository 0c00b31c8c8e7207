import Thumbturn
import ThumbturnBase
import ThumbturnConsole
import ThumbturnCredentials
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// credential set, get, list, upgrade, downgrade, remove. Each credential has its own name in a folder within the
// vault's, and needs no vault there.
extension Context {
    private typealias Credentials = CredentialVault<Credential>

    func setCredential(_ text: String, biometrics: Bool, from source: SecretSource) async throws {
        let name = try CredentialName(text)
        // Read it before opening the folder, which is created if it is missing.
        let line = try source.readFile(.credential)?.bytes.copy() ?? read(.credential, from: source)
        guard line.byteCount > 0 else { throw Failure(.secretSizeWrong) }
        let credential = Credential(line)
        // Create no folder inside a folder that does not belong to the user either.
        if !Folders.isAbsent(try vaultFolder()) { try requirePlace(for: vaultFolder()) }
        try requirePlace(for: credentialFolder, withParents: true)
        try Folders.makeParents(of: credentialFolder)
        try await withCredential(name) { vault, _ in
            if biometrics {
                try await vault.enableSecureVaultWithBiometrics(saving: credential, prompt(for: name))
            } else {
                try await vault.enableKeychainVault(saving: credential)
            }
            try await tell(Words("Stored", "Enregistré"), name, vault)
        }
    }

    func getCredential(_ text: String, isRaw: Bool) async throws {
        try await withStoredCredential(text) { name, vault, _ in
            let isLocked = await vault.snapshot.biometricsEnabled
            let credential =
                isLocked ? try await vault.unlockWithBiometrics(prompt(for: name)) : try await vault.credentials()
            let protection = await vault.snapshot.protection
            let secret = credential.secret
            guard output.isJSON else {
                // Bytes are written unchanged, unless the output is a screen.
                var isText = false
                if case .text(let text) = credential { isText = !text.utf8.contains(UInt8(ascii: "\n")) }
                return try secret.withBytes { bytes throws(Failure) in
                    try output.write(bytes, isRaw: isRaw, isText: isText)
                }
            }
            let quoted = secret.withBytes { SecretText(quoting: $0) }
            let head: JSON = ["name": .string(name.text), "protection": JSON(protection?.name)]
            try output.write(head.text.dropLast() + ",\"encoding\":\"\(quoted.encoding.rawValue)\",\"secret\":")
            try quoted.bytes.withBytes { bytes throws(Failure) in try output.write(bytes) }
            try output.write("}\n")
        }
    }

    /// Lists the stored credentials without a prompt: neither names nor protections are secret.
    func listCredentials() throws {
        let folder = try credentialFolder
        // Opening it would create a missing folder.
        let stored = Folders.isAbsent(folder) ? [] : try StoredCredential.all(in: folder)
        let names = stored.map { (try? CredentialName($0.name))?.text ?? "?" }.map(output.shown)
        let width = names.map(\.columns).max() ?? 0
        let code = ErrorCode.vaultDamaged.text
        let rows = zip(names, stored).map { name, credential in
            Words(name.filled(to: width + 2))
                + (credential.protection?.text ?? Words("does not open (\(code))", "ne s'ouvre pas (\(code))"))
        }
        let none = Words("There are no credentials.", "Il n'y a pas d'identifiant.")
        let text = rows.isEmpty ? none : rows.joined(separator: "\n")
        var members: [(String, JSON)] = [("credentials", .array(stored.map(\.json)))]
        let count = stored.count { $0.protection == nil }
        guard count > 0 else { return try output.print(text, indent: 4, json: .object(members)) }
        var failure = Failure(
            .vaultDamaged,
            Words("\(count) of \(stored.count) credentials", "\(count) identifiants sur \(stored.count)")
        )
        members.append(("error", output.json(of: failure)))
        try output.print(text, indent: 4, json: .object(members))
        failure.isPrinted = true
        throw failure
    }

    func upgradeCredential(_ text: String) async throws {
        try await withStoredCredential(text) { name, vault, _ in
            try await vault.upgradeKeychainWithBiometrics(prompt(for: name))
            try await tell(Words("Upgraded", "Protégé"), name, vault)
        }
    }

    func downgradeCredential(_ text: String) async throws {
        try await withStoredCredential(text) { name, vault, _ in
            // The prompt of the unlock also counts as the owner's consent to the downgrade.
            if await vault.snapshot.biometricsEnabled { _ = try await vault.unlockWithBiometrics(prompt(for: name)) }
            try await vault.downgradeBiometricsToKeychain(prompt(for: name))
            try await tell(Words("Downgraded", "Sans biométrie"), name, vault)
        }
    }

    func removeCredential(_ text: String) async throws {
        try await withStoredCredential(text, mayLeaveTPM: true) { name, vault, place in
            let former = try await vault.ownItems
            try await vault.reset()
            if place.leavesTPM { deleteWrapped(former) }
            await noteLeftBehind(vault)
            try output.print(
                Words("Removed: \(name.text).", "Supprimé : \(name.text)."),
                json: ["removed": .string(name.text)]
            )
        }
    }

    private func noteLeftBehind(_ vault: Credentials) async {
        guard await vault.snapshot.leftBehind > 0 else { return }
        output.note(
            Words(
                "its former key could not be deleted yet; it opens nothing, and the next command tries again",
                "son ancienne clé n'a pas encore pu être supprimée ; elle n'ouvre rien, et la prochaine commande réessaiera"
            )
        )
    }

    private func tell(_ what: Words, _ name: CredentialName, _ vault: Credentials) async throws {
        await noteLeftBehind(vault)
        let snapshot = await vault.snapshot
        let behind =
            snapshot.biometricsEnabled
            ? Words(" (", " (") + snapshot.capability.biometryType.text + Words(").")
            : Words(" (without biometrics).", " (sans biométrie).")
        try output.print(
            what + Words(": \(name.text)", " : \(name.text)") + behind,
            json: [
                "name": .string(name.text), "protection": JSON(snapshot.protection?.name),
                "assurance": JSON(snapshot.assurance?.name),
            ]
        )
    }

    private func prompt(for name: CredentialName) -> PromptText {
        PromptText(
            reason: Words("use the credential \(name.text)", "utiliser l'identifiant \(name.text)").in(output.language),
            cancelTitle: Words("Cancel", "Annuler").in(output.language),
            fallbackTitle: ""
        )
    }

    /// Opens a stored credential for `body`.
    ///
    /// - Parameter mayLeaveTPM: whether `--device files` may replace a TPM that is gone.
    private func withStoredCredential(
        _ text: String,
        mayLeaveTPM: Bool = false,
        _ body: (CredentialName, Credentials, Place) async throws -> Void
    ) async throws {
        let name = try CredentialName(text)
        // Check this before opening folder and device, which would be created if missing.
        if Folders.isAbsent(try credentialFolder) { throw Failure(.credentialsMissing) }
        try await withCredential(name, mayLeaveTPM: mayLeaveTPM) { vault, place in
            guard await vault.snapshot.protection != nil else { throw Failure(.credentialsMissing) }
            try await body(name, vault, place)
        }
    }

    private func withCredential(
        _ name: CredentialName,
        mayLeaveTPM: Bool = false,
        _ body: (Credentials, Place) async throws -> Void
    ) async throws {
        let place = try await place(of: name, mayLeaveTPM: mayLeaveTPM)
        do {
            let vault = try await Credentials.open(
                named: name,
                in: credentialFolder,
                device: place.device,
                coding: .lines,
                asksSensor: false,
                leavesDevice: place.leavesTPM
            )
            do {
                try await body(vault, place)
                await vault.close()
            } catch {
                let type = await vault.snapshot.capability.biometryType
                await vault.close()
                throw await failure(error, with: type, on: place.device)
            }
        } catch {
            throw await failure(error, with: .none, on: place.device)
        }
    }

    private func failure(
        _ error: any Error,
        with biometry: BiometricCapability.BiometryType,
        on device: Device
    ) async -> any Error {
        guard let error = error as? VaultError else { return error }
        var failure = Failure(error)
        failure.name(biometry)
        failure.hint = Self.hint(for: error.code) ?? failure.hint
        return await naming(failure, of: error, on: device, items: [])
    }

    /// Returns the device of a stored credential, else that of the surrounding vault, else that of a new vault.
    private func place(of name: CredentialName, mayLeaveTPM: Bool) async throws -> Place {
        if let origin = try KeyOrigin(of: name, in: credentialFolder) {
            return try await place(of: origin, mayLeaveTPM: mayLeaveTPM)
        }
        do {
            return try await place(of: KeyOrigin(ofVaultIn: vaultFolder()))
        } catch let error as VaultError where error.code == .vaultMissing {
            return Place(device: try await open(prospect().choice), leavesTPM: false)
        }
    }

    /// Returns a hint for a credential, which has no PIN to fall back to.
    private static func hint(for code: ErrorCode) -> Words? {
        switch code {
        case .promptCancelled, .biometricsNotRecognised: Words("try again", "réessayez")
        case .biometricsChanged:
            Words(
                "the credential is lost: remove it with `thumbturn credential remove NAME`, then store it again",
                "l'identifiant est perdu : supprimez-le avec `thumbturn credential remove NOM`, puis enregistrez-le de nouveau"
            )
        case .credentialsAlreadyPlain, .credentialsAlreadySecured, .credentialsLockedAlreadyStored:
            Words(
                "remove it first: `thumbturn credential remove NAME`",
                "supprimez-le d'abord : `thumbturn credential remove NOM`"
            )
        case .credentialsNeedUpgrade:
            Words("run `thumbturn credential upgrade NAME`", "lancez `thumbturn credential upgrade NOM`")
        default: nil
        }
    }

    var credentialFolder: String {
        get throws(Failure) { try vaultFolder() + "/credentials" }
    }
}

extension StoredCredential {
    fileprivate var json: JSON {
        ["name": .string(name), "protection": JSON(protection?.name), "device": JSON(device?.name)]
    }
}

extension CredentialProtection {
    fileprivate var text: Words {
        switch self {
        case .keychain: Words("without biometrics", "sans biométrie")
        case .biometrics: Words("behind biometrics", "protégé par la biométrie")
        case .ownerPresence:
            Words("behind biometrics or the device's passcode", "protégé par la biométrie ou le code de l'appareil")
        }
    }
}
