import Thumbturn
import ThumbturnConsole

// recovery create, check, remove; backup and restore.
extension Context {
    /// Prints the key, then takes it back: on a terminal at once, from a descriptor if a line is there.
    func createRecoveryKey() async throws {
        try await withVault { vault, _ in
            let authorization = try await authorize(vault)
            let output = output
            try await vault.createRecoveryKey(authorization) { key in
                if output.isJSON { try output.write("{\"recoveryKey\":\"") }
                try output.write(key)
                try output.write(output.isJSON ? "\"" : "\n")
            }
            let isConfirmed: Bool
            do {
                isConfirmed = try await confirm(vault)
            } catch {
                // The key was shown and stands, unconfirmed: its object goes on with the failure.
                var failure = Failure(error)
                failure.hint = Words(
                    "the key that was printed waits for `thumbturn recovery check`",
                    "la clé affichée attend `thumbturn recovery check`"
                )
                guard output.isJSON else { throw failure }
                failure.isPrinted = true
                let json = output.json(of: failure).text
                try output.write(",\"isConfirmed\":false,\"error\":\(json)}\n")
                throw failure
            }
            if output.isJSON { try output.write(",\"isConfirmed\":\(isConfirmed)}\n") }
            output.note(
                isConfirmed
                    ? Words("the recovery key is confirmed", "la clé de secours est confirmée")
                    : Words(
                        "the key counts once `thumbturn recovery check` was given it back",
                        "la clé comptera une fois redonnée à `thumbturn recovery check`"
                    )
            )
        }
    }

    func checkRecoveryKey() async throws {
        try await withVault { vault, _ in
            _ = try await authorize(vault)
            try await vault.confirmRecoveryKey(secrets.read(.recoveryKey))
            try output.print(
                Words("The recovery key is right, and counts.", "La clé de secours est bonne, et compte."),
                json: ["isConfirmed": .bool(true)]
            )
        }
    }

    func removeRecoveryKey() async throws {
        try await withVault { vault, _ in
            let authorization = try await authorize(vault)
            try await vault.removeRecoveryKey(authorization)
            try output.print(
                Words(
                    "The recovery key opens this vault no more. It still opens copies made before.",
                    "La clé de secours n'ouvre plus ce coffre. Elle ouvre encore les copies antérieures."
                ),
                json: ["removed": .bool(true)]
            )
        }
    }

    func backUp(to path: String) async throws {
        try await withVault { vault, _ in
            let authorization = try await authorize(vault)
            let count = await vault.snapshot.walletCount
            try await vault.backUp(to: path, authorization, progress: progress)
            output.showProgress(Words(""))
            try output.print(
                Words("Backup written: ", "Sauvegarde écrite : ") + .wallets(count) + Words("."),
                json: ["backup": .string(path), "walletCount": JSON(count)]
            )
        }
    }

    func restore(from path: String) async throws {
        let folder = try vaultFolder()
        // Before anything is asked or made.
        if Folders.isAbsent(path) { throw Failure.noFile(path) }
        try Vault.checkBackup(at: path)
        let damage = try await refuseVault(in: folder)
        let prospect = try await prospect()
        tellWorth(of: prospect)
        let key = try secrets.read(.recoveryKey)
        _ = try RecoveryKey.parse(key)
        let secret = try secrets.readNewPIN(under: prospect.assurance)
        let device = try await open(prospect.choice)
        if options.vault == nil { try Folders.makeParents(of: folder) }
        let vault = try await making(despite: damage) { () async throws(VaultError) in
            try await Vault.restore(
                from: path,
                in: folder,
                device: device,
                recoveryKey: key,
                newSecret: secret,
                progress: progress
            )
        }
        let count = await vault.snapshot.walletCount
        await vault.close()
        output.showProgress(Words(""))
        try output.print(
            Words("Restored into \(folder): ", "Restauré dans \(folder) : ") + .wallets(count) + Words(".")
                + prospect.line,
            json: [
                "vault": .string(folder), "walletCount": JSON(count), "keys": .string(prospect.choice.rawValue),
                "assurance": .string(prospect.assurance.name),
            ]
        )
    }

    var progress: @Sendable (WorkProgress) -> Void {
        { [output] progress in output.showProgress(Words("\(progress.done) / \(progress.total)")) }
    }

    private func confirm(_ vault: Vault) async throws -> Bool {
        guard let typed = try secrets.readIfPresent(.recoveryKeyAgain) else { return false }
        try secrets.refuseMore()
        try await vault.confirmRecoveryKey(typed)
        return true
    }
}
