import Thumbturn
import ThumbturnAccount
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnRules

// Replaces the master key of a vault that may have leaked.
extension Context {
    /// Replaces the vault's master key, and its recovery key if it has one.
    ///
    /// - Parameters:
    ///   - names: the wallets to give up, as `wallet list` names them.
    ///   - missing: how many more are missing; `nil` if none is to be given up.
    func rekey(givingUp names: [String], missing: Int?) async throws {
        // Reading ahead saves little next to the time of a rekey, and would double its memory.
        try await withVault(readsWallets: false) { vault, device in
            let snapshot = try await ready(vault)
            guard snapshot.mode == .local else { throw Failure(.systemModeOnly) }
            var pin = try await readPIN(for: vault)
            let hasRecoveryKey = snapshot.recoveryKey == .there
            if !hasRecoveryKey { try secrets.refuseMore() }
            let authorization = try await authorize(vault, with: &pin)
            let inventory = try await vault.inventory()
            try refuseChanged(await vault.snapshot)
            try inventory.expect(names, missing: missing)
            let seen = inventory.isAuthentic ? nil : inventory
            if let seen { tell(keeping: seen) }
            // Check this before the owner writes a key down.
            let isAccount = await vault.account != nil
            let assurance = isAccount ? .hardwareBound : device.store.assurance(of: .deviceOnly)
            if let weakness = pin.bytes.withBytes({ LocalSecretRules.weakness(of: $0, under: assurance) }) {
                throw Failure(weakness)
            }
            if hasRecoveryKey {
                try await rekeyWithRecoveryKey(vault, pin, keeping: seen)
            } else {
                try await rekey(vault, pin, nil, keeping: seen, authorization)
            }
            try tellRekeyed(of: snapshot, now: await vault.snapshot, isAccount: isAccount)
        }
    }

    private func rekey(
        _ vault: Vault,
        _ pin: HeldSecret,
        _ recoveryKey: consuming ConfirmedRecoveryKey?,
        keeping seen: WalletInventory?,
        _ authorization: consuming StrongAuthorization
    ) async throws {
        guard let account = await vault.account else {
            return try await vault.rekey(with: pin.bytes, recoveryKey: recoveryKey, keeping: seen, authorization)
        }
        try await AccountVault(vault, over: account.transport)
            .rekey(with: pin.bytes, recoveryKey: recoveryKey, keeping: seen)
    }

    private func rekeyWithRecoveryKey(_ vault: Vault, _ pin: HeldSecret, keeping seen: WalletInventory?) async throws {
        let new = NewRecoveryKey()
        let output = output
        // Keep no vault key in memory while the owner writes this one down.
        await vault.lock()
        if secrets.canShow, !output.isJSON {
            let (secrets, enter) = (secrets, Self.enterWhenWritten)
            try new.show { key in
                try secrets.show(Self.newKey, SecretText.lines(of: key, width: output.width), until: enter)
            }
        } else {
            if output.isJSON { try output.write("{\"recoveryKey\":\"") }
            try new.show { try output.write($0) }
            try output.write(output.isJSON ? "\"" : "\n")
        }
        var isTypedBack = false
        do {
            let recoveryKey = try confirm(new)
            isTypedBack = true
            // Writing a key down takes longer than a proof is valid.
            try await rekey(vault, pin, recoveryKey, keeping: seen, prove(pin, to: vault))
        } catch {
            var failure = Failure(error)
            let stands = [.formerSecretRemains, .olderCopy].contains(failure.code)
            if stands {
                failure.statement = Words(
                    "The new recovery key is confirmed, but what a former PIN or copy needs is not deleted yet.",
                    "La nouvelle clé de secours est confirmée, mais ce qu'il faut à un ancien code ou à une copie n'est pas encore"
                        + " supprimé."
                ).naming(await vault.factor)
                failure.hint = Words(
                    "the former recovery key no longer opens this vault; `thumbturn status` shows what is left",
                    "l'ancienne clé de secours n'ouvre plus ce coffre ; `thumbturn status` montre ce qui reste"
                )
            } else {
                failure.hint = isTypedBack ? Self.keepsBoth : Self.keepsFormer
            }
            guard output.isJSON else { throw failure }
            failure.isPrinted = true
            try output.write(",\"rekeyed\":\(stands),\"error\":\(output.json(of: failure).text)}\n")
            throw failure
        }
    }

    /// Refuses an older copy, and a vault whose head or slots were changed, before showing a key.
    private func refuseChanged(_ snapshot: VaultSnapshot) throws {
        guard snapshot.isAuthentic != false else { throw Failure(.vaultTampered) }
        guard !snapshot.isOlderCopy else { throw Failure(.olderCopy) }
    }

    private func tell(keeping seen: WalletInventory) {
        let kept = seen.wallets.map(\.name.text).joined(separator: ", ")
        let (given, count) = (seen.damaged.map(\.label).joined(separator: ", "), seen.missingCount)
        output.note(Words("kept: \(kept)", "gardés : \(kept)"))
        if !given.isEmpty { output.note(Words("given up: \(given)", "abandonnés : \(given)")) }
        if count > 0 { output.note(Words("given up, missing: ", "abandonnés, manquants : ") + .wallets(count)) }
    }

    private static let keepsFormer = Words(
        "nothing was changed: the former recovery key stays valid, and the one that was printed opens nothing",
        "rien n'a été changé : l'ancienne clé de secours reste valable, et celle affichée n'ouvre rien"
    )
    private static let keepsBoth = Words(
        "keep both recovery keys until `thumbturn recovery check` has accepted one of them",
        "gardez les deux clés de secours jusqu'à ce que `thumbturn recovery check` en ait accepté une"
    )

    private func confirm(_ new: borrowing NewRecoveryKey) throws -> ConfirmedRecoveryKey {
        guard let typed = try secrets.readIfPresent(.recoveryKeyAgain) else { throw Failure(.inputClosed) }
        try secrets.refuseMore()
        return try new.confirmed(by: typed)
    }

    private func tellRekeyed(of former: VaultSnapshot, now: VaultSnapshot, isAccount: Bool) throws {
        let isOff = former.biometrics == .enabled && now.biometrics != .enabled
        let count = now.walletCount
        if output.isJSON {
            let members = "\"rekeyed\":true,\"walletCount\":\(count),\"biometricsAreOff\":\(isOff)}\n"
            try output.write((former.recoveryKey == .there ? "," : "{") + members)
        } else {
            try output.print(
                Words(
                    "The vault has a new master key; resealed: ",
                    "Le coffre a une nouvelle clé maîtresse ; contenu rescellé : "
                )
                    + .wallets(count) + Words("."),
                json: [:]
            )
        }
        output.note(
            Words(
                "a copy that leaked still opens with its own key: move the coins of the wallets in it to new wallets",
                "une copie divulguée s'ouvre toujours avec sa clé : déplacez ses fonds vers de nouveaux portefeuilles"
            )
        )
        if isAccount {
            output.note(
                Words(
                    "the account's key is still the same; `thumbturn account password` replaces it",
                    "la clé du compte reste la même ; `thumbturn account password` la remplace"
                )
            )
        }
        if former.recoveryKey == .there {
            output.note(
                Words(
                    "earlier backups open with the former recovery key; `thumbturn backup` writes a new one",
                    "les sauvegardes antérieures s'ouvrent avec l'ancienne clé de secours ; `thumbturn backup` en écrit une nouvelle"
                )
            )
        }
        if isOff {
            output.note(
                Words(
                    "the enrolled fingers or faces may have changed, so biometrics are off",
                    "les empreintes ou visages enregistrés ont pu changer, la biométrie est donc désactivée"
                )
            )
        }
    }
}

extension WalletInventory {
    /// Checks that these are exactly the wallets that do not open.
    ///
    /// - Parameter missing: how many more are missing; `nil` if none is to be given up.
    fileprivate func expect(_ names: [String], missing: Int?) throws {
        var named: Set<Damaged> = []
        for name in names {
            let rows = damaged.filter { $0.label == name || $0.id?.text == name }
            guard rows.count < 2 else {
                throw Failure.usage(
                    Words(
                        "several are called \(name): give the id",
                        "plusieurs s'appellent \(name) : donnez l'identifiant"
                    )
                )
            }
            guard let row = rows.first else {
                guard wallets.contains(where: { $0.name.text == name || $0.id.text == name }) else {
                    throw Failure(.walletMissing, Words(name))
                }
                throw Failure.usage(
                    Words("\(name) opens, so it can't be given up", "\(name) s'ouvre, et ne peut être abandonné")
                )
            }
            named.insert(row)
        }
        let isAsked = !names.isEmpty || missing != nil
        guard isAuthentic || isAsked, named == Set(damaged), missingCount == missing ?? 0 else {
            throw Failure(
                .vaultTampered,
                damage?.detail ?? Words("no wallet is missing", "aucun portefeuille ne manque"),
                hint: Words(
                    "`thumbturn wallet list` shows what does not open; `thumbturn help rekey` explains how to give it up",
                    "`thumbturn wallet list` montre ce qui ne s'ouvre pas ; `thumbturn help rekey` explique comment y renoncer"
                )
            )
        }
    }
}
