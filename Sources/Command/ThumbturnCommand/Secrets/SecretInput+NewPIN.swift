import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnRules

extension SecretInput {
    /// Reads a new PIN or password, twice on a terminal, and refuses a weak one before anything is written.
    ///
    /// A terminal asks again after a mistake.
    ///
    /// - Parameter present: the secret that it replaces, if that was read too.
    func readNewPIN(under assurance: Assurance, otherThan present: HeldSecret? = nil) throws(Failure) -> SecretBytes {
        try readNew(.newPIN(under: assurance), of: .localSecret, under: assurance, otherThan: present)
    }

    /// Reads a new password for an account in the same way.
    func readNewPassword(otherThan present: HeldSecret? = nil) throws(Failure) -> SecretBytes {
        try readNew(.newPassword, of: .accountPassword, under: LocalSecretRules.accountAssurance, otherThan: present)
    }

    private func readNew(
        _ question: Question,
        of factor: VaultPolicy.StrongFactor,
        under assurance: Assurance,
        otherThan present: HeldSecret?
    ) throws(Failure) -> SecretBytes {
        var tries = Tries(of: self)
        while true {
            do throws(Failure) {
                return try readOnce(question, of: factor, under: assurance, otherThan: present)
            } catch {
                guard tries.hasMore, error.code != .inputClosed else { throw error }
                tries.next(after: error)
            }
        }
    }

    private func readOnce(
        _ question: Question,
        of factor: VaultPolicy.StrongFactor,
        under assurance: Assurance,
        otherThan present: HeldSecret?
    ) throws(Failure) -> SecretBytes {
        let secret = try read(question)
        if let weakness = secret.withBytes({ LocalSecretRules.weakness(of: $0, under: assurance) }) {
            var failure = Failure(weakness)
            failure.factor = factor
            // A short password is too weak for a service on any device.
            if factor == .accountPassword { failure.hint = Self.another }
            throw failure
        }
        if let present, SecretBytes.constantTimeEqual(secret, present.bytes) { throw Self.same(factor) }
        guard isTerminal else { return secret }
        let again = try read(.newPINAgain)
        guard SecretBytes.constantTimeEqual(secret, again) else { throw Failure(.confirmationDiffers) }
        return secret
    }

    private static let another = Words(
        "choose another one; nothing was sent",
        "choisissez-en un autre ; rien n'a été envoyé"
    )

    private static func same(_ factor: VaultPolicy.StrongFactor) -> Failure {
        Failure(
            .usage,
            statement: Words(
                "The new PIN or password is the same as the present one.",
                "Le nouveau code ou mot de passe est le même que l'actuel."
            ).naming(factor),
            hint: Words("choose another one; nothing was changed", "choisissez-en un autre ; rien n'a été modifié")
        )
    }
}

extension SecretInput {
    /// Reads a recovery key; a terminal asks again if the checksum shows a typing mistake.
    func readRecoveryKey() throws(Failure) -> SecretBytes {
        var tries = Tries(of: self)
        while true {
            let key = try read(.recoveryKey)
            guard tries.hasMore else { return key }
            do throws(VaultError) {
                _ = try RecoveryKey.parse(key)
                return key
            } catch {
                tries.next(after: Failure(error))
            }
        }
    }
}
