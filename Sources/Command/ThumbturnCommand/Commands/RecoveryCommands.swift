import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto

// recovery create, check, status, remove.
extension Context {
    /// Shows or prints the key, then takes it back: on a terminal at once, from a descriptor if a line is there.
    func createRecoveryKey() async throws {
        guard secrets.canShow, !output.isJSON else { return try await printRecoveryKey() }
        try await withVault(readsWallets: false) { vault, _ in
            var pin: HeldSecret?
            let authorization = try await authorize(vault, keeping: &pin)
            try await showRecoveryKey(of: vault, pin, authorization)
        }
        output.note(Self.backsUpNext)
    }

    /// Makes a key and shows it until Enter; who mistypes it sees it again, twice.
    ///
    /// - Parameter pin: what `authorizeAgain` takes.
    func showRecoveryKey(
        of vault: Vault,
        _ pin: HeldSecret?,
        _ authorization: consuming StrongAuthorization
    ) async throws {
        let taken = TakenSecret()
        try await vault.createRecoveryKey(authorization) { taken.take($0) }
        guard let key = taken.secret else { throw Failure(.storageUnavailable) }
        let lines = key.bytes.withBytes { SecretText.lines(of: $0, width: output.width) }
        // No key of the vault is in memory while its owner writes this one down.
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
                "The recovery key was made, but does not count yet.",
                "La clé de secours est créée, mais ne compte pas encore."
            ),
            hint: Words(
                "`thumbturn recovery check` takes it back; without it, `thumbturn recovery create` makes another",
                "`thumbturn recovery check` la reprend ; sans elle, `thumbturn recovery create` en crée une autre"
            )
        )
    }

    /// Whether the key was typed right; then it counts.
    private func takeBack(_ typed: HeldSecret, on vault: Vault, _ pin: HeldSecret?) async throws -> Bool {
        do {
            // Whoever writes a key down takes longer than a proof lasts.
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
            + "gardez-la ailleurs."
    )
    private static let isConfirmed = Words("the recovery key is confirmed", "la clé de secours est confirmée")

    /// The same where nobody sees it on a screen that can be wiped.
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
                // The key was shown and waits: its object goes on with the failure.
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
                        "the key counts once `thumbturn recovery check` was given it back",
                        "la clé comptera une fois redonnée à `thumbturn recovery check`"
                    )
            )
        }
    }

    func checkRecoveryKey() async throws {
        try await withVault(readsWallets: false) { vault, _ in
            var pin: HeldSecret?
            let authorization: StrongAuthorization
            // Both are refused by one code, and only one of them was wrong.
            do { authorization = try await authorize(vault, keeping: &pin) } catch {
                throw Self.failure(error, refusing: Self.wrongPIN.naming(await vault.factor))
            }
            let key = HeldSecret(try secrets.readRecoveryKey())
            do { try await confirm(key, on: vault, pin, authorization) } catch {
                throw Self.failure(error, refusing: Self.wrongKey.naming(await vault.factor))
            }
            try output.print(
                Words("The recovery key is right, and counts.", "La clé de secours est bonne, et compte."),
                json: ["isConfirmed": .bool(true)]
            )
        }
    }

    /// Says which of two secrets was refused.
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

    /// Tells what the locked vault says of its recovery key.
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
                "The vault's head is damaged: nobody can tell whether there is a recovery key.",
                "L'en-tête du coffre est endommagé : nul ne peut dire s'il y a une clé de secours."
            )
        }
        let waiting = Words(
            "A key waits to be typed back, and does not count yet: `thumbturn recovery check`.",
            "Une clé attend d'être retapée, et ne compte pas encore : `thumbturn recovery check`."
        )
        guard let key else {
            guard !waits else { return waiting }
            return Words(
                "There is no recovery key: `thumbturn recovery create` makes one.",
                "Il n'y a pas de clé de secours : `thumbturn recovery create` en crée une."
            )
        }
        let age = Words.span(now - key.createdAt)
        let counts =
            Words("The recovery key counts; it was made ", "La clé de secours compte ; créée il y a ") + age
            + Words(" ago.", ".")
        return waits ? counts + Words("\n") + waiting : counts
    }

    func removeRecoveryKey() async throws {
        try await withVault(readsWallets: false) { vault, _ in
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
            // Whoever types a key may take longer than a proof lasts, or than a vault stays open.
            guard [.authorizationExpired, .locked].contains(error.code) else { throw error }
        }
        try await vault.confirmRecoveryKey(key.bytes, authorizeAgain(vault, with: pin))
    }

    private static let awaitsCheck = Words(
        "the key that was shown waits for `thumbturn recovery check`",
        "la clé affichée attend `thumbturn recovery check`"
    )
}
