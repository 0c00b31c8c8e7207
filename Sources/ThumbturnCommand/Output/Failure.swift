import Thumbturn

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Why a command did not do what was asked: a code of the catalogue, and what the command knows besides.
///
/// It never holds what the user gave: an argument that nobody expected may be a secret in the wrong place.
struct Failure: Error, Hashable {
    let code: ErrorCode
    /// More about what happened.
    var detail: Text?
    /// What to do, where the command knows better than the catalogue.
    var hint: Text?
    /// How long the attempt schedule wants to wait.
    var retryAfter: Milliseconds?
    /// What the device reads, for the messages that name it.
    var biometry: BiometricCapability.BiometryType?
    /// Whether standard output has its JSON already.
    var isPrinted = false

    init(_ code: ErrorCode, _ detail: Text? = nil, hint: Text? = nil) {
        self.code = code
        self.detail = detail
        self.hint = hint ?? Self.hint(for: code)
    }

    /// A system call that failed.
    init(errno number: Int32, _ detail: Text) {
        self.init(number == ENOSPC || number == EDQUOT ? .diskFull : .storageUnavailable, detail)
    }

    /// A delay of the attempt schedule.
    init(waiting span: Milliseconds, recoveryKeyOpens: Bool, isOlderCopy: Bool = false) {
        let hint = Self.waitHint(recoveryKeyOpens: recoveryKeyOpens, isOlderCopy: isOlderCopy)
        self.init(.attemptDelayed, .span(span), hint: hint)
        retryAfter = span
    }

    /// What to do while a delay runs: a device that is off does not wait, and what nobody looked at may be waited again.
    static func waitHint(recoveryKeyOpens: Bool, isOlderCopy: Bool) -> Text {
        let wait = Text(
            "leave the device on, or run `thumbturn status` before you switch it off; then try again",
            "laissez l'appareil allumé, ou lancez `thumbturn status` avant de l'éteindre ; puis réessayez"
        )
        guard recoveryKeyOpens else { return wait }
        if isOlderCopy {
            return wait
                + Text(
                    "; the recovery key exports at once: `thumbturn wallet export --all --recovery`",
                    " ; la clé de secours exporte tout de suite : `thumbturn wallet export --all --recovery`"
                )
        }
        return wait
            + Text(
                "; the recovery key opens at once: `thumbturn unlock --recovery`",
                " ; la clé de secours ouvre tout de suite : `thumbturn unlock --recovery`"
            )
    }

    /// What the library threw, in words.
    init(_ error: any Error) {
        switch error {
        case let failure as Failure:
            self = failure
        case let error as VaultError:
            if let wait = error.retryAfter {
                self.init(waiting: wait, recoveryKeyOpens: error.recoveryKeyOpens)
            } else if let fault = error.fault {
                self.init(error.code, fault.text, hint: fault.hint)
            } else {
                self.init(error.code, error.diagnostic.map { Text($0) }, hint: Self.hint(of: error))
            }
        default:
            self.init(.storageUnavailable)
        }
    }

    var exitCode: Int32 { Int32(code.category.rawValue) }

    /// What happened, in one line.
    func message(in language: Language) -> String {
        let message = code.message(in: language, naming: biometry)
        guard let detail else { return message }
        return (message.hasSuffix(".") ? String(message.dropLast()) : message) + " (\(detail.in(language)))."
    }

    /// What to do, in one line.
    func hint(in language: Language) -> String { hint?.in(language) ?? code.hint(in: language) }

    func json(in language: Language) -> JSON {
        var members: [(String, JSON)] = [
            ("code", .string(code.text)), ("message", .string(message(in: language))),
            ("hint", .string(hint(in: language))),
        ]
        if let retryAfter { members.append(("retryAfterSeconds", .integer(retryAfter.wholeSeconds))) }
        return .object(members)
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
        case .vaultMissing:
            Text("make a vault with `thumbturn init`", "créez un coffre avec `thumbturn init`")
        case .vaultDamaged:
            Text(
                "what is whole in it opens with the recovery key: `thumbturn wallet export --all --from FILE`",
                "ce qui est intact s'ouvre avec la clé de secours : `thumbturn wallet export --all --from FICHIER`"
            )
        case .vaultTampered:
            Text(
                "export what opens with `thumbturn wallet export --all`, and what that leaves out from the file, with --from and the "
                    + "recovery key; then make a new vault",
                "exportez ce qui s'ouvre par `thumbturn wallet export --all`, et le reste depuis le fichier, avec --from et la "
                    + "clé de secours ; puis créez un nouveau coffre"
            )
        case .olderCopy:
            Text(
                "export what is in it; or, if no newer copy is left, take it for the vault with --accept-older-copy: "
                    + "`thumbturn help unlock`",
                "exportez ce qu'elle contient ; ou, s'il n'en reste pas de plus récente, faites-en le coffre par "
                    + "--accept-older-copy : `thumbturn help unlock`"
            )
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

extension Milliseconds {
    /// Seconds, rounded up.
    var wholeSeconds: Int64 { max(0, count) / 1_000 + (count > 0 && count % 1_000 > 0 ? 1 : 0) }
}
