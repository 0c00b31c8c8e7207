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
            A finger or face opens the vault if its rules allow it, else the PIN does. On a descriptor, a line \
            with the PIN opens at once, and an empty line asks for the finger. In system mode the device asks \
            instead, and the lines for a PIN may be empty.
            """,
            """
            L'empreinte ou le visage ouvre le coffre si ses règles le permettent, sinon le code. Avec un \
            descripteur, une ligne avec le code ouvre aussitôt, et une ligne vide demande le doigt. En mode \
            système, c'est l'appareil qui demande, et les lignes du code peuvent être vides.
            """
        )
    )
    static let sources = GeneralText.Entry(
        Words("--recovery and --from", "--recovery et --from"),
        Words(
            """
            --recovery opens the vault with the recovery key. --from BACKUP opens a backup with it, or the file vault.sqlite \
            of a vault that is too damaged to open. What is intact opens; the rest is listed by name, or else by id, which \
            works as a name too, and the exit code is 4.
            """,
            """
            --recovery ouvre le coffre avec la clé de secours. De même --from SAUVEGARDE ouvre une sauvegarde, ou le fichier \
            vault.sqlite d'un coffre trop abîmé pour s'ouvrir. Ce qui est intact s'ouvre ; le reste est listé par nom, ou à \
            défaut par identifiant, qui peut servir de nom, et le code de sortie est 4.
            """
        )
    )
    static let severalLines = GeneralText.Entry(
        Words("--file"),
        Words(
            """
            --file FILE reads a secret of several lines, every byte of FILE; with `-` it is all that follows on \
            --secret-fd, or else all of standard input.
            """,
            """
            --file FICHIER lit un secret de plusieurs lignes, chaque octet du fichier ; avec `-`, c'est tout ce \
            qui suit sur --secret-fd, ou sinon toute l'entrée standard.
            """
        )
    )
    static let raw = GeneralText.Entry(
        Words("--raw"),
        Words(
            """
            A secret with control characters other than newlines and tabs is printed on a terminal only with \
            --raw, which prints a secret byte for byte, without a newline at the end.
            """,
            """
            Un secret avec des caractères de contrôle autres que sauts de ligne et tabulations n'est affiché au \
            terminal qu'avec --raw, qui donne un secret tel quel, sans saut de ligne à la fin.
            """
        )
    )
    static let withoutTPM = GeneralText.Entry(
        Words("a lost TPM", "TPM perdu"),
        Words(
            "If the vault was made on a TPM that is gone permanently, --device files does without it.",
            "Si le coffre a été créé sur un TPM définitivement perdu, --device files s'en passe."
        )
    )
}
