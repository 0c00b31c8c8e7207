import Thumbturn
import ThumbturnBase
import ThumbturnConsole
import ThumbturnCrypto

// init, status, unlock, reset, pin change.
extension Context {
    func initialize(biometrics: Bool?) async throws -> Int32 {
        let folder = try vaultFolder()
        try requirePlace(for: folder)
        let damage = try await refuseVault(in: folder)
        let prospect = try await prospect()
        tellWorth(of: prospect)
        // Read the PIN before opening the device, which is created if missing: a weak PIN leaves nothing behind.
        let secret = HeldSecret(try secrets.readNewPIN(under: prospect.assurance))
        let device = try await open(prospect.choice)
        // In software files a finger would be weaker than the PIN, so offer none; an option is the owner's own choice.
        let isOffered = biometrics ?? (prospect.assuranceOfKey == .softwareFile ? false : nil)
        let consent = try await consent(asked: isOffered, device)
        if options.vault == nil { try Folders.makeParents(of: folder) }
        let creation = try await making(on: device, despite: damage) { () async throws(VaultError) in
            try await Vault.create(
                in: folder,
                device: device,
                secret: secret.bytes,
                policy: prospect.policy(withBiometrics: consent != nil),
                biometrics: consent,
                configuration: configuration()
            )
        }
        return try await closing(creation.vault) { vault in
            let (snapshot, refusal) = (await vault.snapshot, creation.biometricsFailure)
            let code = try tell(made: snapshot, in: folder, on: device, prospect, refusal)
            try await offerRecoveryKey(of: vault, secret)
            return code
        }
    }

    private func tell(
        made snapshot: VaultSnapshot,
        in folder: String,
        on device: Device,
        _ prospect: Prospect,
        _ biometricsFailure: VaultError?
    ) throws -> Int32 {
        let biometricsAreOn = snapshot.biometrics == .enabled
        try output.print(
            Words("Vault made in \(folder).", "Coffre créé dans \(folder).") + prospect.line
                + (biometricsAreOn
                    ? Words("\nBiometrics are enabled.", "\nLa biométrie est activée.")
                    : Words("\nBiometrics are off.", "\nLa biométrie est désactivée.")),
            json: [
                "vault": .string(folder), "device": .string(snapshot.device.name),
                "keys": .string(prospect.choice.rawValue),
                "assurance": .string(device.store.assurance(of: .deviceOnly).name),
                "biometrics": ["isEnabled": .bool(biometricsAreOn)],
            ]
        )
        guard let error = biometricsFailure else { return 0 }
        var failure = Failure(error)
        failure.name(snapshot.capability.biometryType)
        output.note(failure)
        return failure.exitCode
    }

    /// Offers to create a recovery key at once, if the user is at a terminal, and says what to do next.
    private func offerRecoveryKey(of vault: Vault, _ secret: HeldSecret) async throws {
        guard secrets.canShow, !output.isJSON else { return }
        let isWanted = try !declines(
            Words(
                "If you forget the PIN or lose this device, only a recovery key opens the vault. Make one now? [Y/n]",
                "Si vous oubliez le code ou perdez cet appareil, seule une clé de secours ouvre le coffre. En créer une ? [O/n]"
            )
        )
        if isWanted {
            let authorization = try await vault.unlock(with: secret.bytes)
            try await showRecoveryKey(of: vault, secret, authorization)
        } else {
            output.note(
                Words(
                    "`thumbturn recovery create` makes one; until then there is no backup either",
                    "`thumbturn recovery create` en crée une ; sans elle, pas de sauvegarde non plus"
                )
            )
        }
        output.note(
            Words(
                "next: `thumbturn wallet create NAME`, or `thumbturn wallet import NAME`",
                "ensuite : `thumbturn wallet create NOM`, ou `thumbturn wallet import NOM`"
            )
        )
    }

    func showStatus() async throws {
        let report = try await withVault(mayLeaveTPM: false, asksSensor: true, asksService: false) { vault, place in
            var report = StatusReport(
                await vault.snapshot,
                backup: await vault.backupHint,
                folder: try vaultFolder(),
                device: place.device,
                exposed: exposedFolders()
            )
            report.account = await vault.account
            report = report.telling(await vault.trailSummary)
            return report.beside(await TPMTrouble.of(place.device, with: vault.ownItems))
        }
        let text =
            output.drawsBoxes
            ? StatusPicture(report, output: output, advice: advice).text
            : StatusLines(report, output: output, advice: advice).text
        try output.print(Words(text), isPainted: true, json: report.json)
    }

    func unlock() async throws {
        try await withVault(readsWallets: false) { vault, _ in
            let way = try await openSession(vault)
            try await tell(opened: vault, with: way)
        }
    }

    func recover(acceptingOlderCopy accepts: Bool = false) async throws {
        try await withVault(mayLeaveTPM: true) { vault, place in
            let device = place.device
            if await vault.snapshot.condition == .resetPending { throw Failure(.resetPending) }
            // Check before asking for anything: a recovery key can't set an account's password (P-107-01).
            guard await vault.account == nil else { throw Self.onlyExports }
            tellWorth(of: device)
            let key = try secrets.readRecoveryKey()
            let secret = try secrets.readNewPIN(under: device.store.assurance(of: .deviceOnly))
            let former = await vault.ownItems
            if accepts, await vault.snapshot.isOlderCopy {
                let confirmation = try OlderCopyConfirmation(typed: secrets.readText(.olderCopy))
                try await vault.acceptOlderCopy(confirmation, vault.unlock(withRecoveryKey: key))
            }
            do throws(VaultError) { _ = try await vault.recover(with: key, newSecret: secret) } catch {
                guard error.code == .exportOnly else { throw error }
                throw Self.onlyExports
            }
            if place.leavesTPM { deleteWrapped(former) }
            do { try await tell(opened: vault, with: .recovery) } catch {
                output.note(Words("the new PIN or password is set", "le nouveau code ou mot de passe est défini"))
                throw error
            }
        }
    }

    private static let onlyExports = Failure(
        .exportOnly,
        hint: Words(
            "`thumbturn wallet export --all --recovery` exports what opens",
            "`thumbturn wallet export --all --recovery` exporte ce qui s'ouvre"
        )
    )

    func acceptOlderCopy() async throws {
        try await withVault(readsWallets: false) { vault, _ in
            let authorization = try await authorize(vault)
            guard await vault.snapshot.isOlderCopy else {
                return try await tell(opened: vault, with: authorization.slot)
            }
            let kind = authorization.slot
            let confirmation = try OlderCopyConfirmation(typed: secrets.readText(.olderCopy))
            try await vault.acceptOlderCopy(confirmation, authorization)
            try await tell(opened: vault, with: kind)
        }
    }

    func reset() async throws {
        try await withVault(mayLeaveTPM: true) { vault, place in
            let confirmation = try ResetConfirmation(typed: secrets.readText(.reset))
            let former = await vault.ownItems
            let unsent = try await resetDelivering(vault, confirmation)
            if place.leavesTPM { deleteWrapped(former) }
            try output.print(
                Words("Everything was erased.", "Tout a été effacé."),
                json: ["reset": .bool(true), "unsent": .integer(Int64(clamping: unsent))]
            )
            tellOfUnsent(unsent)
            guard !Folders.isAbsent(try credentialFolder) else { return }
            output.note(
                Words(
                    "credentials were not erased: `thumbturn credential remove NAME` deletes one",
                    "les identifiants n'ont pas été effacés : `thumbturn credential remove NOM` en supprime un"
                )
            )
        }
    }

    func changePIN() async throws {
        try await withVault(readsWallets: false) { vault, device in
            guard await vault.account == nil else { throw Failure(.accountRequired, hint: Advice.accountPassword) }
            tellOfCopies(await vault.snapshot, on: device)
            guard try await ready(vault).mode == .local else { throw Failure(.systemModeOnly) }
            var pin = try await readPIN(for: vault)
            let assurance = device.store.assurance(of: .deviceOnly)
            // From a descriptor read both first, so a refused new secret costs no attempt at the present one.
            let given = secrets.isTerminal ? nil : HeldSecret(try secrets.readNewPIN(under: assurance, otherThan: pin))
            let authorization = try await authorize(vault, with: &pin)
            let new = try given ?? HeldSecret(secrets.readNewPIN(under: assurance, otherThan: pin))
            try await vault.changeLocalSecret(to: new.bytes, authorization)
            try output.print(
                Words("The PIN or password was changed.", "Le code ou mot de passe a été changé."),
                json: ["changed": .bool(true)]
            )
        }
    }

    /// Says what changing the PIN means for copies of the vault, before asking for anything.
    private func tellOfCopies(_ snapshot: VaultSnapshot, on device: Device) {
        guard snapshot.condition == .ready, snapshot.mode == .local else { return }
        output.note(
            snapshot.recoveryKey == .there
                ? Words(
                    "once it is changed, older copies of the vault's folder open only with the recovery key",
                    "une fois le code changé, les copies antérieures du dossier ne s'ouvrent qu'avec la clé de secours"
                )
                : Words(
                    "once it is changed, older copies of the vault's folder no longer open, as there is no recovery key; "
                        + "`thumbturn recovery create` makes one",
                    "une fois le code changé, les copies antérieures du dossier ne s'ouvrent plus, faute de clé de secours ; "
                        + "`thumbturn recovery create` en crée une"
                )
        )
        // A TPM keeps leases, and invalidates the former PIN's part itself.
        if device.kind == .linux, !device.store.keepsLeases {
            output.note(
                Words(
                    "anyone who also kept a copy of the device's folder may still open them with the former PIN",
                    "qui a gardé aussi une copie du dossier de l'appareil peut encore les ouvrir avec l'ancien code"
                )
            )
        }
    }

    /// Reports what opened the vault and how many wallets it has; only `wallet check` opens those.
    func tell(opened vault: Vault, with way: SlotKind) async throws {
        let snapshot = await vault.snapshot
        // The vault opened, but data its key authenticates was changed: report it to the user who opens it.
        if snapshot.isAuthentic == false { throw Failure(.vaultTampered) }
        if snapshot.isOlderCopy { throw Failure(.olderCopy) }
        let name = way == .biometric ? snapshot.capability.biometryType.text : way.text
        try output.print(
            Words("Unlocked (\(name.english)), ", "Déverrouillé (\(name.french)), ") + .wallets(snapshot.walletCount)
                + Words(". Locked again.", ". Reverrouillé."),
            json: [
                "unlocked": .bool(true), "with": .string(way.name), "walletCount": JSON(snapshot.walletCount),
                "device": .string(snapshot.device.name),
            ]
        )
    }

    /// Refuses an existing vault before asking for a new PIN.
    ///
    /// - Returns: the damage of a vault that can't be opened: only creating another one shows whether it was ever
    ///   finished.
    func refuseVault(in folder: String) async throws -> VaultError? {
        guard !Folders.isAbsent(folder) else { return nil }
        do {
            let origin = try KeyOrigin(ofVaultIn: folder)
            let choice = try await choice(for: origin)
            // Only the device that the vault is on can tell more.
            if isLeavingTPM(choice) { throw Failure(.vaultExists) }
            let device = try await open(choice, holding: origin)
            await (try Vault.open(in: folder, device: device, configuration: configuration())).close()
        } catch let error as VaultError {
            // `create` checks again a folder that is no vault yet, or whose creation was interrupted.
            guard error.code == .vaultMissing || error.code == .vaultDamaged else { throw error }
            return error.code == .vaultDamaged ? error : nil
        }
        throw Failure(.vaultExists)
    }

    /// Creates a vault; reports an existing damaged one as damaged, because no reset opens it either.
    func making<Result>(
        on device: Device,
        despite damage: VaultError?,
        _ make: () async throws(VaultError) -> Result
    ) async throws -> Result {
        do { return try await make() } catch {
            guard error.code == .vaultExists else {
                throw await naming(Failure(error), of: error, on: device, items: [])
            }
            guard damage != nil else { throw error }
            // If another process has created a vault meanwhile, report that.
            guard try await refuseVault(in: vaultFolder()) != nil else { throw error }
            throw Failure(.vaultDamaged, hint: advice.damagedVault)
        }
    }
}
