import ThumbturnConsole
import ThumbturnFiles
import ThumbturnService

extension Failure {
    init(_ error: SignerError) {
        switch error {
        case .unreadable(let file, let reason): self.init(file, reason)
        case .keyMissing, .damaged, .wrongKind, .publicKeyMissing, .ambiguous: self.init(ofKey: error)
        case .gone, .tokenMissing, .moduleMissing, .pinMissing, .pinRefused, .pinLocked, .refused:
            self.init(ofToken: error)
        }
    }

    private init(ofKey error: SignerError) {
        switch error {
        case .damaged:
            self.init(
                .vaultDamaged,
                statement: Words(
                    "The file of the signing key is damaged.",
                    "Le fichier de la clé de signature est abîmé."
                ),
                hint: Words("put its copy back", "remettez-en la copie")
            )
        case .wrongKind:
            self.init(
                .usage,
                statement: Words(
                    "The signing key is of another kind, or in another form.",
                    "La clé de signature est d'un autre type, ou sous une autre forme."
                ),
                hint: Words(
                    """
                    the ledger's must be ECDSA on P-256, a witness key Ed25519; a file PKCS#8 in PEM, without a password; a \
                    token's key must be allowed to sign, without a PIN each time
                    """,
                    """
                    celle du journal doit être ECDSA sur P-256, celle d'un témoin Ed25519 ; un fichier, PKCS#8 en PEM, sans mot de \
                    passe ; la clé d'un jeton doit pouvoir signer, sans code à chaque fois
                    """
                )
            )
        case .publicKeyMissing:
            self.init(
                .storageUnavailable,
                statement: Words(
                    "The token does not have the public half of the signing key.",
                    "Le jeton n'a pas la partie publique de la clé de signature."
                ),
                hint: Words(
                    "keep both under the same label and id: `pkcs11-tool --keypairgen` makes them so",
                    "gardez les deux sous le même nom et identifiant : `pkcs11-tool --keypairgen` les crée ainsi"
                )
            )
        case .ambiguous:
            self.init(
                .usage,
                statement: Words("Several tokens, or keys, fit.", "Plusieurs jetons, ou clés, conviennent."),
                hint: Words(
                    "tell keys apart by `id`, tokens by `serial`",
                    "distinguez les clés par `id`, les jetons par `serial`"
                )
            )
        default:
            self.init(
                .storageUnavailable,
                statement: Words("There is no such signing key.", "Cette clé de signature n'existe pas."),
                hint: Words(
                    "check --signer; `thumbturnd key create` makes a key in a file",
                    "vérifiez --signer ; `thumbturnd key create` crée une clé dans un fichier"
                )
            )
        }
    }

    private init(ofToken error: SignerError) {
        switch error {
        case .moduleMissing:
            self.init(
                .storageUnavailable,
                statement: Words(
                    "The PKCS#11 module can't be loaded.",
                    "Le module PKCS#11 ne peut être chargé."
                ),
                hint: Words("check `module-path`", "vérifiez `module-path`")
            )
        case .pinMissing:
            self.init(
                .usage,
                statement: Words("The token needs a PIN.", "Le jeton demande un code."),
                hint: Words(
                    "add `pin-source`, the path of a file that has it, for this user alone",
                    "ajoutez `pin-source`, le chemin d'un fichier qui le contient, réservé à cet utilisateur"
                )
            )
        case .pinRefused, .pinLocked:
            self.init(
                .strongFactorRefused,
                statement: error == .pinLocked
                    ? Words("The token is locked.", "Le jeton est verrouillé.")
                    : Words("The token refused the PIN.", "Le jeton a refusé le code."),
                hint: error == .pinLocked
                    ? Words("its own tool sets a new PIN", "son propre outil lui donne un nouveau code")
                    : Words(
                        "correct the file of `pin-source` before the next try: tokens lock themselves",
                        "corrigez le fichier de `pin-source` avant de réessayer : un jeton se verrouille"
                    )
            )
        case .refused(let code):
            self.init(
                .storageUnavailable,
                statement: Words(
                    "The token refused, with the PKCS#11 code 0x\(String(code, radix: 16)).",
                    "Le jeton a refusé, avec le code PKCS#11 0x\(String(code, radix: 16))."
                ),
                hint: Words("see the token's own log", "voyez le journal du jeton")
            )
        default:
            self.init(
                .storageUnavailable,
                statement: error == .tokenMissing
                    ? Words("There is no such token.", "Ce jeton n'est pas là.")
                    : Words("The token does not answer.", "Le jeton ne répond pas."),
                hint: Words(
                    "check `token`, and what its module needs: `pkcs11-tool --list-token-slots`",
                    "vérifiez `token`, et ce dont son module a besoin : `pkcs11-tool --list-token-slots`"
                )
            )
        }
    }

    private init(_ file: SignerFile, _ reason: FileError) {
        let name =
            switch file {
            case .key: Words("the signing key", "la clé de signature")
            case .folder: Words("the folder of the signing key", "le dossier de la clé de signature")
            case .pin: Words("the PIN's file", "le fichier du code")
            }
        switch reason {
        case .taken:
            self.init(
                .fileExists,
                statement: Words("There is already a signing key.", "Il y a déjà une clé de signature."),
                hint: Words(
                    "it was not touched; another file can have a new one: --signer file:PATH",
                    "elle n'a pas été touchée ; un autre fichier peut en avoir une nouvelle : --signer file:CHEMIN"
                )
            )
        case .refused:
            self.init(
                .vaultUnsafe,
                statement: Words("Others could read or replace ", "D'autres pourraient lire ou remplacer ") + name
                    + Words("."),
                hint: Words(
                    "close it to other users: chmod 700 for a folder, 600 for a file, which has one name and is no link",
                    "fermez aux autres utilisateurs : chmod 700 pour un dossier, 600 pour un fichier, à un seul nom, sans lien"
                )
            )
        case .absent:
            self.init(
                .storageUnavailable,
                statement: Words("There is no such file or folder: ", "Ce fichier ou dossier n'existe pas : ") + name
                    + Words("."),
                hint: Words("check its path", "vérifiez son chemin")
            )
        case .busy:
            self.init(
                .busy,
                statement: Words(
                    "Another process is changing the folder of the signing key.",
                    "Un autre processus est en train de changer le dossier de la clé de signature."
                ),
                hint: Words("try again", "réessayez")
            )
        case .tooLarge, .cutShort, .system: self.init(errno: reason.number, name)
        }
    }
}
