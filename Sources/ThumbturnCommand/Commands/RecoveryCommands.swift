import Thumbturn
import ThumbturnConsole

// recovery create, check, remove.
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

    private func confirm(_ vault: Vault) async throws -> Bool {
        guard let typed = try secrets.readIfPresent(.recoveryKeyAgain) else { return false }
        try secrets.refuseMore()
        try await vault.confirmRecoveryKey(typed)
        return true
    }
}
