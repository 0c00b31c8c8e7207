import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto

// recovery create, check, status, remove.
extension Context {
    /// Shows or prints the key, then asks for it back: on a terminal at once, from a descriptor if a line is left.
    func createRecoveryKey() async throws {
        guard secrets.canShow, !output.isJSON else { return try await printRecoveryKey() }
        try await withVault(readsWallets: false) { vault, _ in
            var pin: HeldSecret?
            let authorization = try await authorize(vault, keeping: &pin)
            try await showRecoveryKey(of: vault, pin, authorization)
        }
        output.note(Self.backsUpNext)
    }

    /// Creates a key and shows it until Enter is pressed; after a typing mistake shows it again, up to twice.
    ///
    /// - Parameter pin: the argument for `authorizeAgain`.
    func showRecoveryKey(
        of vault: Vault,
        _ pin: HeldSecret?,
        _ authorization: consuming StrongAuthorization
    ) async throws {
        let taken = TakenSecret()
        try await vault.createRecoveryKey(authorization) { taken.take($0) }
        guard let key = taken.secret else { throw Failure(.storageUnavailable) }
        let lines = key.bytes.withBytes { SecretText.lines(of: $0, width: output.width) }
        // Keep no vault key in memory while the owner writes this one down.
        await vault.lock()
        let mistyped = Words("That is not the key: look again.", "Ce n'est pas la clé : regardez encore.")
        let isTypedBack = try await show(Self.newKey.naming(await vault.factor), lines, mistyped) {
            guard let typed = try secrets.readIfPresent(.recoveryKeyAgain) else { return nil }
            return try await takeBack(HeldSecret(typed), on: vault, pin)
        }
        guard !isTypedBack else { return output.note(Self.isConfirmed) }
        throw Failure(
            .confirmationDiffers,
            statement: Words(
                "The recovery key was made, but is not confirmed yet.",
                "La clé de secours est créée, mais pas encore confirmée."
            ),
            hint: Words(
                "`thumbturn recovery check` confirms it; if you don't have it, `thumbturn recovery create` makes another",
                "`thumbturn recovery check` la confirme ; si vous ne l'avez pas, `thumbturn recovery create` en crée une autre"
            )
        )
    }

    /// Returns whether the key was typed correctly; if so, it is confirmed.
    private func takeBack(_ typed: HeldSecret, on vault: Vault, _ pin: HeldSecret?) async throws -> Bool {
        do {
            // Writing a key down takes longer than a proof is valid.
            let authorization = try await authorizeAgain(vault, with: pin)
            do throws(VaultError) { try await vault.confirmRecoveryKey(typed.bytes, authorization) } catch {
                guard [.recoveryKeyMalformed, .strongFactorRefused].contains(error.code) else { throw error }
                return false
            }
            return true
        } catch {
            var failure = Failure(error)
            failure.hint = Self.awaitsCheck
            throw failure
        }
    }

    static let newKey = Words(
        "This key opens the vault, its copies and its backups, on any device and without the PIN. Write it down on paper, and keep it "
            + "apart from them.",
        "Cette clé ouvre le coffre, ses copies et ses sauvegardes, sur tout appareil et sans le code. Notez-la sur papier, et "
            + "gardez-la à part."
    )
    private static let isConfirmed = Words("the recovery key is confirmed", "la clé de secours est confirmée")

    /// Creates a key and prints it, where no screen can be wiped.
    private func printRecoveryKey() async throws {
        try await withVault(readsWallets: false) { vault, _ in
            var pin: HeldSecret?
            let authorization = try await authorize(vault, keeping: &pin)
            let output = output
            try await vault.createRecoveryKey(authorization) { key in
                if output.isJSON { try output.write("{\"recoveryKey\":\"") }
                try output.write(key)
                try output.write(output.isJSON ? "\"" : "\n")
            }
            let isConfirmed: Bool
            do {
                isConfirmed = try await confirm(vault, pin)
            } catch {
                // The key has been shown and awaits confirmation: finish its JSON object with the failure.
                var failure = Failure(error)
                failure.hint = Self.awaitsCheck
                guard output.isJSON else { throw failure }
                failure.isPrinted = true
                let json = output.json(of: failure).text
                try output.write(",\"isConfirmed\":false,\"error\":\(json)}\n")
                throw failure
            }
            if output.isJSON { try output.write(",\"isConfirmed\":\(isConfirmed)}\n") }
            output.note(
                isConfirmed
                    ? Self.isConfirmed
                    : Words(
                        "the key is not confirmed yet: type it back to `thumbturn recovery check`",
                        "la clé n'est pas encore confirmée : retapez-la avec `thumbturn recovery check`"
                    )
            )
        }
    }

    func checkRecoveryKey() async throws {
        try await withVault(readsWallets: false) { vault, _ in
            var pin: HeldSecret?
            let authorization: StrongAuthorization
            // Both secrets are refused with the same code, so name the one that was wrong.
            do { authorization = try await authorize(vault, keeping: &pin) } catch {
                throw Self.failure(error, refusing: Self.wrongPIN.naming(await vault.factor))
            }
            let key = HeldSecret(try secrets.readRecoveryKey())
            do { try await confirm(key, on: vault, pin, authorization) } catch {
                throw Self.failure(error, refusing: Self.wrongKey.naming(await vault.factor))
            }
            try output.print(
                Words("The recovery key is right, and confirmed.", "La clé de secours est bonne, et confirmée."),
                json: ["isConfirmed": .bool(true)]
            )
        }
    }

    /// Returns the failure, naming which of two secrets was refused.
    private static func failure(_ error: any Error, refusing statement: Words) -> Failure {
        var failure = Failure(error)
        if failure.code == .strongFactorRefused { failure.statement = statement }
        return failure
    }

    private static let wrongPIN = Words(
        "The PIN or password is wrong; the recovery key was not tried.",
        "Le code ou mot de passe est faux ; la clé de secours n'a pas été essayée."
    )
    private static let wrongKey = Words(
        "This is not the recovery key of this vault; the PIN or password was right.",
        "Ce n'est pas la clé de secours de ce coffre ; le code ou mot de passe était bon."
    )

    /// Prints what the locked vault knows about its recovery key.
    func showRecoveryKeyStatus() async throws {
        let (snapshot, now) = try await withVault(mayLeaveTPM: false, asksService: false) { vault, place in
            (await vault.snapshot, place.device.clock().wall)
        }
        let counting = snapshot.slots.first { $0.kind == .recovery }
        let waits = snapshot.recoveryKeyAwaitsCheck
        let isKnown = snapshot.recoveryKey != .unknown
        try output.print(
            advice.completed(text(of: counting, waits: waits, isKnown: isKnown, at: now)),
            json: [
                "isConfirmed": isKnown ? .bool(counting != nil) : .null,
                "createdAt": counting.map { .integer($0.createdAt.count) } ?? .null,
                "awaitsCheck": isKnown ? .bool(waits) : .null,
            ]
        )
    }

    private func text(of key: VaultSnapshot.Slot?, waits: Bool, isKnown: Bool, at now: Milliseconds) -> Words {
        guard isKnown else {
            return Words(
                "The vault's head is damaged: it does not say whether there is a recovery key.",
                "L'en-tête du coffre est endommagé : il ne dit pas s'il y a une clé de secours."
            )
        }
        let waiting = Words(
            "A new key is not confirmed yet: type it back to `thumbturn recovery check`.",
            "Une nouvelle clé n'est pas encore confirmée : retapez-la avec `thumbturn recovery check`."
        )
        guard let key else {
            guard !waits else { return waiting }
            return Words(
                "There is no recovery key: `thumbturn recovery create` makes one.",
                "Il n'y a pas de clé de secours : `thumbturn recovery create` en crée une."
            )
        }
        let counts =
            Words("The recovery key is confirmed; it was made ", "La clé de secours est confirmée ; créée ")
            + .ago(now - key.createdAt) + Words(".")
        return waits ? counts + Words("\n") + waiting : counts
    }

    func removeRecoveryKey() async throws {
        try await withVault(readsWallets: false) { vault, _ in
            let authorization = try await authorize(vault)
            try await vault.removeRecoveryKey(authorization)
            try output.print(
                Words(
                    "The recovery key no longer opens this vault. It still opens earlier copies.",
                    "La clé de secours n'ouvre plus ce coffre. Elle ouvre encore les copies antérieures."
                ),
                json: ["removed": .bool(true)]
            )
        }
    }

    private func confirm(_ vault: Vault, _ pin: HeldSecret?) async throws -> Bool {
        guard let typed = try secrets.readIfPresent(.recoveryKeyAgain) else { return false }
        let key = HeldSecret(typed)
        try secrets.refuseMore()
        try await vault.confirmRecoveryKey(key.bytes, authorizeAgain(vault, with: pin))
        return true
    }

    private func confirm(
        _ key: HeldSecret,
        on vault: Vault,
        _ pin: HeldSecret?,
        _ authorization: consuming StrongAuthorization
    ) async throws {
        do throws(VaultError) { return try await vault.confirmRecoveryKey(key.bytes, authorization) } catch {
            // Typing a key may take longer than a proof is valid or the vault stays open.
            guard [.authorizationExpired, .locked].contains(error.code) else { throw error }
        }
        try await vault.confirmRecoveryKey(key.bytes, authorizeAgain(vault, with: pin))
    }

    private static let awaitsCheck = Words(
        "the key that was shown is not confirmed yet: `thumbturn recovery check`",
        "la clé affichée n'est pas encore confirmée : `thumbturn recovery check`"
    )
}
