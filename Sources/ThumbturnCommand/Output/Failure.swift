import Thumbturn

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Why a command did not do what was asked: a code of the catalogue, and what the command knows besides.
///
/// It never holds a word that nobody expected, which may be a secret in the wrong place.
struct Failure: Error, Hashable {
    let code: ErrorCode
    /// What happened, where the catalogue's words would mislead.
    var statement: Text?
    /// More about what happened.
    var detail: Text?
    /// What to do, where who failed knows better than `Advice`.
    var hint: Text?
    /// The code whose hint is given else.
    var advised: ErrorCode
    /// How long the attempt schedule wants to wait.
    var retryAfter: Milliseconds?
    /// What the device reads, for the messages that name it.
    var biometry: BiometricCapability.BiometryType?
    /// What was known of the vault when the command ended.
    var vault: VaultSnapshot?
    /// Whether standard output has its JSON already.
    var isPrinted = false
    /// Whether the library said itself that a recovery key opens.
    private var namesRecoveryKey = false

    init(_ code: ErrorCode, _ detail: Text? = nil, hint: Text? = nil) {
        self.code = code
        self.detail = detail
        self.hint = hint
        advised = code
    }

    /// The same with words of its own for what happened.
    init(_ code: ErrorCode, statement: Text, hint: Text? = nil) {
        self.init(code, hint: hint)
        self.statement = statement
    }

    /// A system call that failed.
    init(errno number: Int32, _ detail: Text) {
        self.init(number == ENOSPC || number == EDQUOT ? .diskFull : .storageUnavailable, detail)
    }

    /// A delay of the attempt schedule.
    init(waiting span: Milliseconds) {
        self.init(.attemptDelayed, .span(span))
        retryAfter = span
    }

    /// A file that was named to be read, and is not there.
    static func noFile(_ path: String) -> Failure {
        Failure(
            .vaultMissing,
            statement: Text("There is no file \(path).", "Il n'y a pas de fichier \(path)."),
            hint: Text("name a backup", "nommez une sauvegarde")
        )
    }

    /// What the library threw, in words.
    init(_ error: any Error) {
        switch error {
        case let failure as Failure:
            self = failure
        case let error as VaultError:
            if let wait = error.retryAfter {
                self.init(waiting: wait)
                namesRecoveryKey = error.recoveryKeyOpens
            } else if let fault = error.fault {
                self.init(error.code, fault.text, hint: fault.hint)
            } else {
                self.init(error.code, error.diagnostic.map { Text($0) }, hint: Self.hint(of: error))
            }
        default:
            self.init(.storageUnavailable)
        }
    }

    /// The same, with what is known of the vault that it is about.
    init(_ error: any Error, of vault: VaultSnapshot) {
        self.init(error)
        self.vault = self.vault ?? vault
    }

    var exitCode: Int32 { Int32(code.category.rawValue) }

    /// Whether there is a recovery key, as far as anybody knows who has opened nothing.
    var recoveryKey: RecoveryKeyPresence { namesRecoveryKey ? .there : vault?.recoveryKey ?? .unknown }

    /// What happened, in one line.
    func message(in language: Language) -> String {
        let message = statement?.in(language) ?? code.message(in: language, naming: biometry)
        guard let detail else { return message }
        return (message.hasSuffix(".") ? String(message.dropLast()) : message) + " (\(detail.in(language)))."
    }

    /// What to do by the code alone.
    var catalogued: Text {
        Self.hint(for: advised) ?? Text(advised.hint(in: .english), advised.hint(in: .french))
    }

    /// What a store of keys that does not answer may suffer from.
    private static func hint(of error: VaultError) -> Text? {
        guard error.code == .storageUnavailable else { return nil }
        return Text(
            "another program may hold the keys: try again; `thumbturn doctor` tells what there is",
            "un autre programme tient peut-être les clés : réessayez ; `thumbturn doctor` dit ce qu'il y a"
        )
    }

    private static func hint(for code: ErrorCode) -> Text? {
        switch code {
        case .resetPending: Text("run `thumbturn reset`", "lancez `thumbturn reset`")
        case .vaultMissing:
            Text("make a vault with `thumbturn init`", "créez un coffre avec `thumbturn init`")
        case .formerSecretRemains:
            Text(
                "the new one counts; `thumbturn status` tries again, and warns until it is done",
                "le nouveau compte ; `thumbturn status` réessaie, et avertit jusqu'à ce que ce soit fait"
            )
        case .inputClosed:
            Text(
                "run it on a terminal, or give one line for each secret on --secret-fd N",
                "lancez-la dans un terminal, ou donnez une ligne par secret avec --secret-fd N"
            )
        case .recoveryMissing:
            Text(
                "make one with `thumbturn recovery create`, then give it back to `thumbturn recovery check`",
                "créez-en une avec `thumbturn recovery create`, puis rendez-la à `thumbturn recovery check`"
            )
        case .systemPromptEnded:
            Text(
                "run the command again; `thumbturn reset` erases the wallets",
                "relancez la commande ; `thumbturn reset` efface les portefeuilles"
            )
        case .recoveryKeyRequired:
            Text("make one with `thumbturn recovery create`", "créez-en une avec `thumbturn recovery create`")
        case .vaultExists:
            Text(
                "open it, name another folder with --vault DIR, or erase it with `thumbturn reset`",
                "ouvrez-le, nommez un autre dossier avec --vault, ou effacez-le avec `thumbturn reset`"
            )
        case .assuranceTooLow:
            Text(
                "where software keeps the keys, `thumbturn init --biometrics` makes a vault that allows fingers",
                "si un logiciel garde les clés, `thumbturn init --biometrics` crée un coffre qui admet les doigts"
            )
        case .secretTooWeakForDevice:
            Text(
                "give 12 digits, or a password; to try things out there is --device simulated",
                "donnez 12 chiffres, ou un mot de passe ; pour essayer : --device simulated"
            )
        case .hardwareRequired:
            Text("`thumbturn doctor` tells what there is", "`thumbturn doctor` dit ce qu'il y a")
        case .credentialsMissing:
            Text(
                "store one with `thumbturn credential set NAME`",
                "enregistrez-en un avec `thumbturn credential set NAME`"
            )
        case .usage:
            Text("see `thumbturn help`", "voir `thumbturn help`")
        default: nil
        }
    }
}

/// Whether a vault has a recovery key that counts.
enum RecoveryKeyPresence {
    case there
    case missing
    /// Only a head that can't be read would tell.
    case unknown
}

extension VaultSnapshot {
    var recoveryKey: RecoveryKeyPresence {
        guard headIsReadable else { return .unknown }
        return slots.contains { $0.kind == .recovery && $0.isConfirmed && !$0.isRevoked } ? .there : .missing
    }
}

extension Milliseconds {
    /// Seconds, rounded up.
    var wholeSeconds: Int64 { max(0, count) / 1_000 + (count > 0 && count % 1_000 > 0 ? 1 : 0) }
}
