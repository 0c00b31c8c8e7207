import Thumbturn
import ThumbturnAccount
import ThumbturnConsole
import ThumbturnTransport

extension Failure {
    /// Converts an error of the library.
    init(_ error: any Error) {
        switch error {
        case let failure as Failure:
            self = failure
        case let error as VaultError:
            if let wait = error.retryAfter {
                self.init(waiting: wait)
            } else if let fault = error.fault {
                self.init(error.code, fault.text, hint: fault.hint)
            } else {
                self.init(error.code, error.diagnostic.map { Words(diagnostic: $0) }, hint: Self.hint(of: error))
            }
            underlying = error.underlying
        default:
            self.init(.storageUnavailable)
        }
    }

    /// Converts an error about a backup rather than the vault.
    init(ofBackup error: any Error) {
        self.init(error)
        if code == .vaultTampered {
            statement = Words(
                "The backup was changed after it was written.",
                "La sauvegarde a été modifiée après avoir été écrite."
            )
        }
        guard code == .strongFactorRefused else { return }
        statement = Words(
            "This is not the recovery key of this backup.",
            "Ce n'est pas la clé de secours de cette sauvegarde."
        )
        hint = Words(
            "a backup opens with the recovery key that its vault had when it was written",
            "une sauvegarde s'ouvre avec la clé de secours que son coffre avait quand elle a été écrite"
        )
    }

    /// - Parameter hint: what to name instead.
    static func noFile(_ path: String, hint: Words = Words("name a backup", "nommez une sauvegarde")) -> Failure {
        Failure(
            .vaultMissing,
            statement: Words("There is no file \(path).", "Il n'y a pas de fichier \(path)."),
            hint: hint
        )
    }

    /// - Parameter hint: what to name instead.
    static func folder(
        _ path: String,
        hint: Words = Words("name the backup in it", "nommez la sauvegarde qui s'y trouve")
    ) -> Failure {
        Failure(.usage, statement: Words("\(path) is a folder.", "\(path) est un dossier."), hint: hint)
    }

    /// Returns the failure for a file that this user may not read.
    static func unreadable(_ path: String) -> Failure {
        Failure(
            .storageUnavailable,
            statement: Words("\(path) can't be read.", "\(path) ne peut être lu."),
            hint: Words("`ls -l` shows who may read it", "`ls -l` montre qui peut le lire")
        )
    }

    /// Makes the message name the kind of biometry.
    mutating func name(_ biometry: BiometricCapability.BiometryType) {
        statement = code.message(naming: biometry, asking: factor)
    }

    /// The hint for a device that the service does not know.
    ///
    /// A closed account can't be proved: its key is gone.
    static let unknownDevice = Words(
        "`thumbturn account login` adds it again; if the account was closed, that refuses every password, and the recovery key"
            + " exports: `thumbturn wallet export --recovery --all`",
        "`thumbturn account login` le réinscrit ; si le compte est fermé, tout mot de passe est refusé, et la clé de secours"
            + " exporte : `thumbturn wallet export --recovery --all`"
    )

    /// Returns a hint for a key store or a service that does not answer.
    private static func hint(of error: VaultError) -> Words? {
        switch error.code {
        case .storageUnavailable:
            Words(
                "another program may be using the keys: try again; `thumbturn doctor` shows what there is",
                "un autre programme utilise peut-être les clés : réessayez ; `thumbturn doctor` montre ce qu'il y a"
            )
        case .mnemonicWordUnknown where error.diagnostic == SecretForm.digits.text:
            Words(
                "`--private-key` needs 64 of them; `--opaque` accepts any secret as it is",
                "`--private-key` en demande 64 ; `--opaque` accepte tout secret tel quel"
            )
        case .mnemonicWordUnknown, .privateKeyMalformed:
            SecretForm.allCases.contains { $0.text == error.diagnostic }
                ? Words("`--opaque` accepts it as it is", "`--opaque` l'accepte tel quel") : nil
        case .contactNotProved where error.diagnostic == VaultError.deviceUnknown: unknownDevice
        case .serviceUnreachable where AccountTransport.missingLibrary != nil:
            Words("install libcurl: `sudo apt install libcurl4`", "installez libcurl : `sudo apt install libcurl4`")
        default: nil
        }
    }
}

/// Whether a vault has a confirmed recovery key.
enum RecoveryKeyPresence {
    case there
    case missing
    /// The head that would tell can't be read.
    case unknown
}

extension VaultSnapshot {
    var recoveryKey: RecoveryKeyPresence {
        guard headIsReadable else { return .unknown }
        return slots.contains { $0.kind == .recovery && !$0.isRevoked } ? .there : .missing
    }
}
