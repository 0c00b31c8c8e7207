import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnSimulator

// A finger brings in what another app left on the device, and the PIN completes it (seed 001). Only on the simulated
// device: on a real one, our app can't read what other apps stored.
extension Context {
    /// Creates a former app's wallet on the simulated device.
    func leave(_ former: FormerWallet) async throws {
        guard options.device != .linux else {
            throw Failure.usage(Words("--device linux can't be simulated", "--device linux ne peut être simulé"))
        }
        let device = try openSimulated().device
        do throws(DeviceRefusal) { try await former.leave(on: device) } catch {
            throw Failure(.storageUnavailable, Words("the simulated device", "l'appareil simulé"))
        }
        try output.print(
            Words(
                "A former app's wallet is on the device: behind a finger, and under the PIN \(former.pin).",
                "Le portefeuille d'une ancienne app est sur l'appareil : derrière un doigt, et sous le code \(former.pin)."
            ),
            json: ["simulated": JSON(1)]
        )
    }

    /// Creates a vault from what another app left on the device, with a finger (K-07).
    func migrateFromDevice() async throws -> Int32 {
        let folder = try vaultFolder()
        try requirePlace(for: folder)
        let prospect = try await prospect()
        let device = try await open(prospect.choice)
        guard device.kind == .simulated else {
            throw Failure.usage(
                Words(
                    "give FILE, or use the simulated device (--device simulated)",
                    "donnez FICHIER, ou utilisez l'appareil simulé (--device simulated)"
                )
            )
        }
        guard let migration = await FormerWallet.migration(on: device, completionWords) else {
            throw Failure(.legacyMissing)
        }
        try secrets.refuseMore()
        if options.vault == nil { try Folders.makeParents(of: folder) }
        let made: Vault.Migration
        do throws(VaultError) {
            made = try await Vault.migrateWithBiometrics(
                in: folder,
                device: device,
                prompt: completionWords,
                configuration: configuration(migration)
            )
        } catch {
            var failure = Failure(error)
            failure.name(await device.capability().biometryType)
            throw failure
        }
        let isHalf = await made.vault.snapshot.migration == .half
        await made.vault.close()
        try output.print(
            Words("Imported: \(migration.name.text).", "Importé : \(migration.name.text).")
                + (isHalf ? Words("\n") + StatusWarning.halfMigrated.text.sentence : Words("")),
            json: [
                "name": .string(migration.name.text), "vault": .string(folder), "imported": .bool(true),
                "erased": .bool(made.erasureFailure == nil && !isHalf),
            ]
        )
        return 0
    }

    /// The prompt that asks for the finger once more.
    var completionWords: PromptText {
        PromptText(
            reason: Words("finish moving your wallet", "terminer le transfert de votre portefeuille").in(
                output.language
            ),
            cancelTitle: Words("Cancel", "Annuler").in(output.language),
            fallbackTitle: ""
        )
    }

    /// Opens a session for a change; on a half migrated vault, completes the migration with the PIN first (K-08).
    func openToChange(_ vault: Vault, linesFollow: Bool = false) async throws {
        var pin: HeldSecret?
        try await openToChange(vault, linesFollow: linesFollow, keeping: &pin)
    }

    /// - Parameter pin: receives the accepted PIN; `nil` if a prompt opened the session.
    func openToChange(_ vault: Vault, linesFollow: Bool = false, keeping pin: inout HeldSecret?) async throws {
        _ = try await openSession(vault, linesFollow: linesFollow, keeping: &pin)
        guard await vault.snapshot.migration == .half, secrets.isTerminal else { return }
        output.note(Failure(.migrationIncomplete))
        var typed = try await readPIN(for: vault)
        _ = try await authorize(vault, with: &typed)
        pin = typed
    }

    /// Completes a half migrated vault with the former PIN, and asks for anything else the migration needs.
    func complete(_ vault: Vault, with pin: HeldSecret) async throws -> StrongAuthorization {
        var (new, name, goesWithout): (HeldSecret?, WalletName?, Bool) = (nil, nil, false)
        while true {
            do throws(VaultError) {
                let authorization = try await vault.completeMigration(
                    with: pin.bytes,
                    newSecret: new?.bytes.copy(),
                    keepingBothAs: name,
                    prompt: completionWords,
                    withoutBiometrics: goesWithout
                )
                await tellOfCompletion(vault)
                return authorization
            } catch {
                switch error.code {
                case .secretTooShort where new == nil, .secretTooCommon where new == nil,
                    .secretTooWeakForDevice where new == nil:
                    let assurance = await vault.snapshot.assurance
                    new = try answering(error, hint: Self.newPINNext) { () throws(Failure) in
                        HeldSecret(try secrets.readNewPIN(under: assurance, otherThan: pin))
                    }
                case .migrationConflict where name == nil:
                    name = try WalletName(
                        answering(error, telling: Self.twoWallets, hint: Self.nameNext) { () throws(Failure) in
                            try secrets.readText(.otherWalletName)
                        }
                    )
                case .migrationNeedsBiometrics where !goesWithout:
                    let isAgreed = try answering(error, hint: Self.yesNext) { () throws(Failure) in
                        try agrees(to: Self.doingWithout)
                    }
                    guard isAgreed else { throw error }
                    goesWithout = true
                    // A session opened by a finger would be asked, and that finger may no longer be the vault's.
                    await vault.lock()
                default: throw error
                }
            }
        }
    }

    /// Reads what a refusal asks for in addition: on a terminal after explaining it, from a descriptor if a line is
    /// left.
    ///
    /// - Parameters:
    ///   - remark: explanation for the terminal, in place of the refusal's own message.
    ///   - hint: what to supply in the next line, if there is none.
    private func answering<Answer>(
        _ refusal: VaultError,
        telling remark: Words? = nil,
        hint: Words,
        _ read: () throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        var failure = Failure(refusal)
        failure.hint = hint
        guard !secrets.isTerminal else {
            if let remark { output.note(remark) } else { output.note(failure) }
            return try read()
        }
        do throws(Failure) { return try read() } catch {
            guard error.code == .inputClosed else { throw error }
            throw failure
        }
    }

    private static let newPINNext = Words(
        "give a new PIN or password on the next line, or run the command on a terminal",
        "donnez un nouveau code ou mot de passe sur la ligne suivante, ou lancez la commande dans un terminal"
    )
    private static let nameNext = Words(
        "both are kept: name the one under the PIN on the next line, or run the command on a terminal",
        "les deux sont gardés : nommez celui du code sur la ligne suivante, ou lancez la commande dans un terminal"
    )
    private static let yesNext = Words(
        "try again; with a `y` on the next line, or on a terminal, you can go on without it: the vault gets a new key",
        "réessayez ; avec un `o` sur la ligne suivante, ou au terminal, vous pouvez vous en passer : le coffre reçoit une"
            + " nouvelle clé"
    )
    private static let twoWallets = Words(
        "there is another wallet under this PIN: both are imported, each under a name of its own",
        "il y a un autre portefeuille sous ce code : les deux sont importés, chacun sous son nom"
    )

    private static let doingWithout = Words(
        "Without it the vault gets a new key, and biometrics are off until you enable them again. Continue? [y/N]",
        "Sans cela le coffre reçoit une nouvelle clé, et la biométrie reste désactivée jusqu'à ce que vous la réactiviez."
            + " Continuer ? [o/N]"
    )

    private func tellOfCompletion(_ vault: Vault) async {
        output.note(
            await vault.snapshot.biometrics == .enabled
                ? Words(
                    "the wallet is moved: the PIN opens the vault too, and biometrics stay",
                    "le portefeuille est transféré : le code ouvre aussi le coffre, et la biométrie reste"
                )
                : Words(
                    "the wallet is moved, and the vault has a new key; `thumbturn biometrics enable` turns biometrics on again",
                    "le portefeuille est transféré, et le coffre a une nouvelle clé ; `thumbturn biometrics enable` réactive la biométrie"
                )
        )
    }
}
