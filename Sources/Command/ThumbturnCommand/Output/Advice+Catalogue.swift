import Thumbturn
import ThumbturnConsole

// Hints that depend on the code alone.
extension Advice {
    static func catalogued(_ code: ErrorCode, asking factor: VaultPolicy.StrongFactor = .localSecret) -> Words {
        hint(for: code)?.naming(factor) ?? code.hint(asking: factor)
    }

    static let accountPassword = Words(
        "`thumbturn account password` changes the account's password",
        "`thumbturn account password` change le mot de passe du compte"
    )

    private static func hint(for code: ErrorCode) -> Words? {
        switch code {
        case .migrationNeedsBiometrics:
            Words(
                "try again; on a terminal the command can also do without it",
                "réessayez ; dans un terminal, la commande peut aussi s'en passer"
            )
        case .resetPending: Words("run `thumbturn reset`", "lancez `thumbturn reset`")
        case .vaultMissing:
            Words(
                "make a vault with `thumbturn init`, or get one back with `thumbturn restore BACKUP`",
                "créez un coffre avec `thumbturn init`, ou retrouvez-en un avec `thumbturn restore SAUVEGARDE`"
            )
        case .legacyHoldsOther, .legacyChecksumWrong:
            Words(
                "`thumbturn migrate legacy FILE --opaque` imports the bytes as they are; --name NAME names them",
                "`thumbturn migrate legacy FICHIER --opaque` importe les octets tels quels ; --name NOM les nomme"
            )
        case .formerSecretRemains:
            Words(
                "the new one is set; `thumbturn status` tries again, and warns until it is done",
                "le nouveau est défini ; `thumbturn status` réessaie, et avertit jusqu'à ce que ce soit fait"
            )
        case .inputClosed:
            Words(
                "run it on a terminal, or give one line for each secret on --secret-fd N",
                "lancez-la dans un terminal, ou donnez une ligne par secret avec --secret-fd N"
            )
        case .recoveryMissing:
            Words(
                "`thumbturn recovery create` makes one; `thumbturn recovery check` confirms one that was shown",
                "`thumbturn recovery create` en crée une ; `thumbturn recovery check` confirme celle qui a été affichée"
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
            Words("`thumbturn doctor` shows what there is", "`thumbturn doctor` montre ce qu'il y a")
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
                "if it is yours, `thumbturn account login NAME --service URL` with its password; else choose another name",
                "s'il est à vous, `thumbturn account login NOM --service URL` avec son mot de passe ; sinon choisissez un autre nom"
            )
        case .usage:
            Words("see `thumbturn help`", "voir `thumbturn help`")
        case .mnemonicWordUnknown:
            Words(
                "correct that word; for words of another language than English, use --opaque",
                "corrigez ce mot ; pour des mots d'une autre langue que l'anglais, utilisez --opaque"
            )
        default: cause(of: code)
        }
    }

    /// What to fix outside of the command; `nil` for every other code.
    private static func cause(of code: ErrorCode) -> Words? {
        switch code {
        case .passcodeMissing: Words("set a passcode on the device", "définissez un code sur l'appareil")
        case .vaultNewer:
            Words(
                "open it with the release that wrote it, or a newer one",
                "ouvrez-le avec la version qui l'a écrit, ou une plus récente"
            )
        case .vaultDamaged:
            Words("use another copy, or a backup", "prenez une autre copie, ou une sauvegarde")
        case .vaultUnsafe:
            Words(
                "make file and folder your own and close them to others: `ls -ld` shows whose they are; links are refused",
                "le fichier et le dossier doivent être à vous et fermés aux autres : `ls -ld` le montre ; un lien est refusé"
            )
        case .storageUnavailable:
            Words(
                "check with `ls -ld` that file, folder and disk are there and yours; `thumbturn doctor` checks the keys",
                "vérifiez avec `ls -ld` que fichier, dossier et disque sont là et à vous ; `thumbturn doctor` vérifie les clés"
            )
        case .diskFull: Words("free some disk space: `df` shows where", "libérez de la place : `df` montre où")
        case .protectionDropped:
            Words(
                "this device does not protect keys as asked: `thumbturn doctor` shows what it can do",
                "cet appareil ne protège pas les clés comme demandé : `thumbturn doctor` montre ce qu'il peut faire"
            )
        case .logUnusable:
            Words(
                "copy the file again, with the -wal beside it; to read it without, move the -wal away and try again",
                "copiez de nouveau le fichier, avec le -wal à côté ; pour le lire sans, écartez le -wal et réessayez"
            )
        case .trailBroken:
            Words(
                "`thumbturn audit log` shows what stands",
                "`thumbturn audit log` montre ce qui tient"
            )
        case .trailMalformed:
            Words(
                "name a file that `thumbturn audit export FILE` wrote",
                "nommez un fichier écrit par `thumbturn audit export FICHIER`"
            )
        case .costTooHigh:
            Words(
                "the file may have been changed: use another copy, or a backup",
                "le fichier a pu être modifié : prenez une autre copie, ou une sauvegarde"
            )
        case .memoryNotAllowed:
            Words(
                "unlock where more memory is allowed",
                "déverrouillez là où plus de mémoire est permise"
            )
        case .credentialsUnavailable:
            Words(
                "enrol a finger or face on the device, or free a locked sensor with its passcode",
                "enregistrez un doigt ou un visage, ou libérez un capteur verrouillé avec le code de l'appareil"
            )
        case .serviceNotProved:
            Words(
                "check the service's address, and give no password until it proves itself",
                "vérifiez l'adresse du service, et ne donnez aucun mot de passe avant qu'il n'ait prouvé qui il est"
            )
        case .logContradicted:
            Words(
                "keep this device's own export (`thumbturn audit export`) and ask the service's operator",
                "gardez l'export de cet appareil (« thumbturn audit export ») et demandez à qui gère le service"
            )
        case .serviceDiffers:
            Words(
                "check the address; a service that moved keeps its name and its accounts",
                "vérifiez l'adresse ; un service qui a déménagé garde son nom et ses comptes"
            )
        case .contactNotProved:
            Words(
                "`thumbturn account login` renews the proof; nothing was changed",
                "`thumbturn account login` refait la preuve ; rien n'a été modifié"
            )
        case .serviceElsewhere:
            Words(
                "if the service has moved, `thumbturn account move URL` follows it",
                "si le service a déménagé, `thumbturn account move URL` le suit"
            )
        case .certificateExpired:
            Words(
                "if `date` is right, the service's operator has to renew it; nothing was sent",
                "si `date` est juste, l'exploitant du service doit le renouveler ; rien n'a été envoyé"
            )
        case .certificateClock:
            Words(
                "set date and time (`date` shows them), then try again; nothing was sent",
                "réglez la date et l'heure (`date` les montre), puis réessayez ; rien n'a été envoyé"
            )
        case .certificateUnknown:
            Words(
                "if you know its private authority, name it with --ca FILE; else give no password: it may be an impostor",
                "si vous connaissez son autorité privée, nommez-la avec --ca FICHIER ; sinon, aucun mot de passe : c'est peut-être un"
                    + " imposteur"
            )
        case .registrationClosed:
            Words("ask the service's operator for an account", "demandez un compte à l'exploitant du service")
        case .serviceWeakened:
            Words(
                "ask the service's operator, and don't log in until it asks for as much as before",
                "demandez à l'exploitant du service, et n'ouvrez pas de session avant qu'il ne demande autant qu'avant"
            )
        default: nil
        }
    }
}
