import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnRules

extension SecretInput {
    /// Reads a new PIN or password: on a terminal twice, and refused where it is weak, before anything is written.
    ///
    /// - Parameter present: the one that it is to take the place of, where that was typed too.
    func readNewPIN(under assurance: Assurance, otherThan present: HeldSecret? = nil) throws(Failure) -> SecretBytes {
        let secret = try read(.newPIN)
        if let weakness = secret.withBytes({ LocalSecretRules.weakness(of: $0, under: assurance) }) {
            throw Failure(weakness)
        }
        if let present, SecretBytes.constantTimeEqual(secret, present.bytes) { throw Self.samePIN }
        guard isTerminal else { return secret }
        let again = try read(.newPINAgain)
        guard SecretBytes.constantTimeEqual(secret, again) else { throw Failure(.confirmationDiffers) }
        return secret
    }

    private static let samePIN = Failure(
        .usage,
        statement: Words(
            "The same PIN or password was given as the present one and as the new one.",
            "Le même code ou mot de passe a été donné pour l'actuel et pour le nouveau."
        ),
        hint: Words("give another one; nothing was changed", "donnez-en un autre ; rien n'a été modifié")
    )
}
