import ThumbturnConsole

// Help texts and prompts shared by several commands.
extension CommandText {
    static let pin = Words("PIN or password", "code ou mot de passe")
    static let newPIN = Words("new PIN or password", "nouveau code ou mot de passe")
    static let recoveryKey = Words("recovery key", "clé de secours")
    static let pinOrRecoveryKey = Words(
        "PIN or password; the recovery key with --recovery or --from",
        "code ou mot de passe ; la clé de secours avec --recovery ou --from"
    )

    static let unlocking = GeneralText.Entry(
        Words("unlocking", "ouverture"),
        Words(
            """
            A finger or face opens where the policy allows it, else the PIN. From a descriptor a PIN in its \
            line opens, and an empty line asks for the finger. In system mode the device asks instead, and \
            every line of a PIN may be empty.
            """,
            """
            Un doigt ou un visage ouvre si la règle le permet, sinon le code. Avec un descripteur, un code \
            dans sa ligne ouvre, et une ligne vide demande le doigt. En mode système l'appareil demande à sa \
            place, et toute ligne d'un code peut être vide.
            """
        )
    )
    static let sources = GeneralText.Entry(
        Words("--recovery and --from", "--recovery et --from"),
        Words(
            """
            --recovery opens with the recovery key. So does --from BACKUP, which reads a backup in place of the vault, or a \
            vault's file, vault.sqlite, where it is too damaged to be opened. What is whole opens; what does not is named by \
            its label, else by its id, which stands for a name, and the exit code is 4.
            """,
            """
            --recovery ouvre avec la clé de secours. De même --from SAUVEGARDE, qui lit une sauvegarde au lieu du coffre, ou un \
            fichier de coffre, vault.sqlite, trop abîmé pour être ouvert. Ce qui est intact s'ouvre ; le reste est nommé par \
            son nom, sinon par son identifiant, qui vaut un nom, et le code de sortie est 4.
            """
        )
    )
    static let severalLines = GeneralText.Entry(
        Words("--file"),
        Words(
            """
            --file FILE takes a secret of several lines, every byte of FILE; with `-` all that follows on \
            --secret-fd, else standard input to its end.
            """,
            """
            --file FICHIER prend un secret de plusieurs lignes, chaque octet du fichier ; avec `-` tout ce qui \
            suit sur --secret-fd, sinon l'entrée standard jusqu'à sa fin.
            """
        )
    )
    static let raw = GeneralText.Entry(
        Words("--raw"),
        Words(
            """
            A secret with control characters other than ends of lines and tabs is not printed on a terminal, \
            unless --raw asks for it as it is, without an end of line behind it.
            """,
            """
            Un secret avec des caractères de contrôle autres que fins de ligne et tabulations n'est pas affiché \
            au terminal, sauf avec --raw, qui le donne tel quel, sans fin de ligne ajoutée.
            """
        )
    )
    static let withoutTPM = GeneralText.Entry(
        Words("a lost TPM", "TPM perdu"),
        Words(
            "Where the vault lies on a TPM that is gone for good, --device files goes on without it.",
            "Si le coffre est sur un TPM perdu pour toujours, --device files s'en passe."
        )
    )
}
