import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnSimulator

// What another app left on the device comes in by a finger, and the PIN completes it (seed 001). Only on the simulated device:
// what other apps left elsewhere, no app of ours can read.
extension Context {
    /// Leaves a former app's wallet on the simulated device.
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

    /// Makes a vault of what another app left on the device, by a finger (K-07).
    func migrateFromDevice() async throws -> Int32 {
        let folder = try vaultFolder()
        let prospect = try await prospect()
        let device = try await open(prospect.choice)
        guard device.kind == .simulated else {
            throw Failure.usage(
                Words(
                    "it takes FILE, or the simulated device (--device simulated)",
                    "il faut FICHIER, ou l'appareil simulé (--device simulated)"
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
            Words("Taken over: \(migration.name.text).", "Repris : \(migration.name.text).")
                + (isHalf ? Words("\n") + StatusWarning.halfMigrated.text.sentence : Words("")),
            json: [
                "name": .string(migration.name.text), "vault": .string(folder), "imported": .bool(true),
                "erased": .bool(made.erasureFailure == nil && !isHalf),
            ]
        )
        return 0
    }

    /// The words on the prompt that asks for the finger once more.
    var completionWords: PromptText {
        PromptText(
            reason: Words("finish moving your wallet", "terminer le transfert de votre portefeuille").in(
                output.language
            ),
            cancelTitle: Words("Cancel", "Annuler").in(output.language),
            fallbackTitle: ""
        )
    }

    /// Opens a session for a change: one of a half migrated vault gets its PIN first, and goes on (K-08).
    func openToChange(_ vault: Vault, linesFollow: Bool = false) async throws {
        _ = try await openSession(vault, linesFollow: linesFollow)
        guard await vault.snapshot.migration == .half, secrets.isTerminal else { return }
        output.note(Failure(.migrationIncomplete))
        var pin = try await readPIN(for: vault)
        _ = try await authorize(vault, with: &pin)
    }

    /// Completes a half migrated vault with the former PIN, and asks for what that takes besides.
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
                // Elsewhere than on a terminal nobody can be asked.
                guard secrets.isTerminal else { throw error }
                switch error.code {
                case .secretTooShort where new == nil, .secretTooCommon where new == nil,
                    .secretTooWeakForDevice where new == nil:
                    output.note(Failure(error))
                    new = HeldSecret(try secrets.readNewPIN(under: await vault.snapshot.assurance, otherThan: pin))
                case .migrationConflict where name == nil:
                    output.note(
                        Words(
                            "another wallet lies under this PIN: both come into the vault under names of their own",
                            "un autre portefeuille est sous ce code : les deux entrent dans le coffre, chacun sous son nom"
                        )
                    )
                    name = try WalletName(secrets.readText(.otherWalletName))
                case .migrationNeedsBiometrics where !goesWithout:
                    output.note(Failure(error))
                    guard try agrees(to: Self.doingWithout) else { throw error }
                    goesWithout = true
                    // A session that a finger opened would be asked, and it may not be the vault's own any more.
                    await vault.lock()
                default: throw error
                }
            }
        }
    }

    private static let doingWithout = Words(
        "Without it the vault gets a new key, and biometrics are off until you enable them again. Go on? [y/N]",
        "Sans cela le coffre reçoit une nouvelle clé, et la biométrie est désactivée jusqu'à nouvel ordre. Continuer ? [o/N]"
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
                    "portefeuille transféré, nouvelle clé du coffre ; `thumbturn biometrics enable` réactive la biométrie"
                )
        )
    }
}
