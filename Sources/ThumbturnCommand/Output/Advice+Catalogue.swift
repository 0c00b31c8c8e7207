import Thumbturn
import ThumbturnConsole

// Hints by the code alone.
extension Advice {
    static func catalogued(_ code: ErrorCode) -> Words {
        hint(for: code) ?? code.hint()
    }

    /// What changes the password of an account's vault.
    static let accountPassword = Words(
        "`thumbturn account password` changes the account's password",
        "`thumbturn account password` change le mot de passe du compte"
    )

    /// What makes a vault that an account's password opens.
    static let accountVault = Words(
        "`thumbturn account register NAME --service URL` makes a vault with an account",
        "`thumbturn account register NOM --service URL` crée un coffre avec un compte"
    )

    private static func hint(for code: ErrorCode) -> Words? {
        switch code {
        case .resetPending: Words("run `thumbturn reset`", "lancez `thumbturn reset`")
        case .vaultMissing:
            Words("make a vault with `thumbturn init`", "créez un coffre avec `thumbturn init`")
        case .formerSecretRemains:
            Words(
                "the new one counts; `thumbturn status` tries again, and warns until it is done",
                "le nouveau compte ; `thumbturn status` réessaie, et avertit jusqu'à ce que ce soit fait"
            )
        case .inputClosed:
            Words(
                "run it on a terminal, or give one line for each secret on --secret-fd N",
                "lancez-la dans un terminal, ou donnez une ligne par secret avec --secret-fd N"
            )
        case .recoveryMissing:
            Words(
                "make one with `thumbturn recovery create`, then give it back to `thumbturn recovery check`",
                "créez-en une avec `thumbturn recovery create`, puis rendez-la à `thumbturn recovery check`"
            )
        case .systemPromptEnded:
            Words(
                "run the command again; `thumbturn reset` erases the wallets",
                "relancez la commande ; `thumbturn reset` efface les portefeuilles"
            )
        case .recoveryKeyRequired:
            Words("make one with `thumbturn recovery create`", "créez-en une avec `thumbturn recovery create`")
        case .vaultExists:
            Words(
                "open it, name another folder with --vault DIR, or erase it with `thumbturn reset`",
                "ouvrez-le, nommez un autre dossier avec --vault, ou effacez-le avec `thumbturn reset`"
            )
        case .assuranceTooLow:
            Words(
                "where software keeps the keys, `thumbturn init --biometrics` makes a vault that allows fingers",
                "si un logiciel garde les clés, `thumbturn init --biometrics` crée un coffre qui admet les doigts"
            )
        case .secretTooWeakForDevice:
            Words(
                "give 12 digits, or a password; to try things out there is --device simulated",
                "donnez 12 chiffres, ou un mot de passe ; pour essayer : --device simulated"
            )
        case .hardwareRequired:
            Words("`thumbturn doctor` tells what there is", "`thumbturn doctor` dit ce qu'il y a")
        case .credentialsMissing:
            Words(
                "store one with `thumbturn credential set NAME`",
                "enregistrez-en un avec `thumbturn credential set NOM`"
            )
        case .accountRequired:
            Words(
                "`thumbturn account register NAME --service URL` makes an account and its vault",
                "`thumbturn account register NOM --service URL` crée un compte et son coffre"
            )
        case .accountNameTaken:
            Words(
                "`thumbturn account login NAME --service URL` if it is yours; else take another name",
                "`thumbturn account login NOM --service URL` s'il est à vous ; sinon prenez un autre nom"
            )
        case .usage:
            Words("see `thumbturn help`", "voir `thumbturn help`")
        default: nil
        }
    }
}
