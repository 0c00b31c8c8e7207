import Thumbturn
import ThumbturnConsole

/// The parts of the command line that hints depend on, so that a suggested command works when typed.
struct Advice: Sendable {
    private let options: Options
    private let command: Command?
    /// The path of the vault's file.
    private let file: String

    private static let fileName = "/vault.sqlite"

    /// Advice for a command line that can't be parsed: it repeats nothing of it.
    static let none = Advice()

    private init() { (options, command, file) = (Options(), nil, "") }

    init(_ invocation: Invocation, folder: String) {
        // A path after a trailing slash would name a file inside the folder.
        var folder = folder
        while folder.count > 1, folder.last == "/" { folder.removeLast() }
        (options, command, file) = (invocation.options, invocation.command, folder + Self.fileName)
    }

    /// The hints for output.
    var hints: Hints {
        Hints(
            unwritten: Words(
                "the command may have succeeded: check with `thumbturn status`",
                "la commande a peut-être abouti : voyez `thumbturn status`"
            ),
            complete: { completed($0) },
            hint: { hint(of: $0) }
        )
    }

    /// Returns what to do about a failure, in one line.
    func hint(of failure: Failure) -> Words {
        completed(failure.hint ?? special(failure) ?? Self.catalogued(failure.advised, asking: failure.factor))
    }

    /// Returns an error as a failure, with advice that fits the vault's state.
    ///
    /// - Parameters:
    ///   - factor: the secret that its owner proves.
    ///   - isRevoked: whether the account has revoked this device.
    func failure(
        _ error: any Error,
        of vault: VaultSnapshot,
        asking factor: VaultPolicy.StrongFactor = .localSecret,
        onRevokedDevice isRevoked: Bool = false
    ) -> Failure {
        var failure = Failure(error)
        failure.factor = factor
        let isOpen = (error as? VaultError)?.recoveryKeyOpens == true
        let known = Known(vault, isOpen, asking: factor, onRevokedDevice: isRevoked)
        failure.hint = failure.hint ?? special(failure, known)
        return failure
    }

    /// The parts of a vault's state, at the end of a command, that hints depend on.
    struct Known {
        let condition: VaultSnapshot.Condition
        let isOlderCopy: Bool
        let recoveryKey: RecoveryKeyPresence
        /// Whether a former app's PIN still opens it.
        let isHalfMigrated: Bool
        let factor: VaultPolicy.StrongFactor
        /// Whether the account has revoked this device.
        let isRevoked: Bool
        /// Whether the account's password also opens it without the service.
        let allowsOffline: Bool

        /// - Parameter recoveryKeyOpens: whether the library said so itself.
        init(
            _ vault: VaultSnapshot,
            _ recoveryKeyOpens: Bool = false,
            asking factor: VaultPolicy.StrongFactor = .localSecret,
            onRevokedDevice isRevoked: Bool = false
        ) {
            (condition, isOlderCopy) = (vault.condition, vault.isOlderCopy)
            (self.factor, self.isRevoked) = (factor, isRevoked)
            allowsOffline = vault.policy.allowsOfflinePassword
            recoveryKey = recoveryKeyOpens ? .there : vault.recoveryKey
            isHalfMigrated = vault.migration == .half
        }
    }

    /// Completes the commands in a text, which are between backticks, with the given vault and device options.
    ///
    /// Hints are written where their reason is known, and few of those places know the command line.
    ///
    /// - Parameter isShort: whether to leave out a folder that would not fit.
    func completed(_ text: Words, isShort: Bool = false) -> Words {
        Words(completed(text.english, isShort), completed(text.french, isShort))
    }

    private func completed(_ text: String, _ isShort: Bool) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated().map { $0 % 2 == 0 ? String($1) : completed(command: String($1), isShort) }
            .joined(separator: "`")
    }

    private func completed(command: String, _ isShort: Bool) -> String {
        let name = "thumbturn "
        let said = command.split(separator: " ")
        let needsNoVault =
            ["help", "doctor", "completion", "man", "audit verify"].contains { command.hasPrefix(name + $0) }
            || said.contains("--from")
        guard command.hasPrefix(name), !needsNoVault else { return command }
        var words = name
        if let vault = options.vault, !said.contains("--vault") {
            words += "--vault \(isShort ? "…" : Shell.quoted(vault)) "
        }
        if let device = options.device, !said.contains("--device") { words += "--device \(device.rawValue) " }
        return words + command.dropFirst(name.count)
    }
}

// Hints that depend on the command or on the vault's state.
extension Advice {
    private func special(_ failure: Failure, _ vault: Known? = nil) -> Words? {
        // A credential is not part of the vault, and no recovery key opens it.
        if command?.isOfCredential == true { return nil }
        return switch failure.advised {
        case .attemptDelayed: Self.wait(vault)
        case .keyMissing, .localSecretSuspended: vault.map(Self.wayOut)
        case .vaultDamaged where vault?.condition == .ledgerDamaged,
            .olderCopy where vault?.condition == .ledgerDamaged:
            vault.map(wayOutToExport)
        case .vaultDamaged: damaged
        case .vaultNewer: newer
        case .vaultTampered: tampered
        case .olderCopy: olderCopy
        case .fileExists: fileExists
        case .confirmationMissing: confirmation
        case .usage: usage
        case .serviceUnreachable: vault.flatMap(Self.withoutService)
        case .securityEventMissing: vault.flatMap(Self.afterRevocation)
        default: nil
        }
    }

    /// Returns what an account's vault can do without its service, and what the owner may choose (C6).
    private static func withoutService(_ vault: Known) -> Words? {
        guard vault.factor == .accountPassword else { return nil }
        return vault.allowsOffline
            ? Words(
                "try again; without the service the password opens where no proof is needed: `thumbturn wallet list`",
                "réessayez ; sans le service, le mot de passe ouvre si aucune preuve n'est requise : `thumbturn wallet list`"
            )
            : Words(
                "try again; once it answers, `thumbturn policy set offline-password yes` lets the password open without it",
                "réessayez ; ensuite, `thumbturn policy set offline-password yes` laisse le mot de passe ouvrir sans lui"
            )
    }

    /// Returns how to restore a device that its account has revoked.
    private static func afterRevocation(_ vault: Known) -> Words? {
        guard vault.isRevoked else { return nil }
        return Words(
            "`thumbturn account login` adds this device again, then enable biometrics again; if its key is gone, the"
                + " recovery key exports: `thumbturn wallet export --all --recovery`",
            "`thumbturn account login` réinscrit cet appareil, puis réactivez la biométrie ; si sa clé a disparu, la clé de"
                + " secours exporte : `thumbturn wallet export --all --recovery`"
        )
    }

    /// What the user has to type; `nil` if the answer is yes or no.
    private var confirmation: Words? {
        switch command {
        case .deleteWallet?:
            Words(
                "type the wallet's name, letter for letter; no wallet was deleted",
                "tapez le nom du portefeuille, lettre pour lettre ; aucun portefeuille n'a été supprimé"
            )
        case .closeAccount?:
            Words(
                "type the account's name, letter for letter; it was not closed",
                "tapez le nom du compte, lettre pour lettre ; il n'a pas été fermé"
            )
        case .reset?:
            Words(
                "type \(ResetConfirmation.phrase), letter for letter; nothing was erased",
                "tapez \(ResetConfirmation.phrase), lettre pour lettre ; rien n'a été effacé"
            )
        case .acceptOlderCopy?:
            Words(
                "type \(OlderCopyConfirmation.phrase), letter for letter; the copy was not accepted",
                "tapez \(OlderCopyConfirmation.phrase), lettre pour lettre ; la copie n'a pas été acceptée"
            )
        default: nil
        }
    }

    /// Where to read about the command's arguments.
    private var usage: Words? {
        switch command {
        case .devices?:
            Words("`thumbturn account devices` lists them", "`thumbturn account devices` les énumère")
        case .register?: Self.help(on: "account register")
        case .logIn?: Self.help(on: "account login")
        case .moveAccount?: Self.help(on: "account move")
        case .setPolicy?: Self.help(on: "policy set")
        default: nil
        }
    }

    private static func help(on name: String) -> Words { Words("see ", "voir ") + Words("`thumbturn help \(name)`") }

    /// What to do if a backup would replace another file.
    private var fileExists: Words? {
        guard case .backUp(_, let replacing)? = command else {
            return Words(
                "name another file: an existing file is never overwritten",
                "nommez un autre fichier : rien n'est jamais écrasé"
            )
        }
        return replacing
            ? Words(
                "it is not a backup of this vault, and --force replaces nothing else: name another file",
                "ce n'est pas une sauvegarde de ce coffre, et --force ne remplace rien d'autre : nommez un autre fichier"
            )
            : Words(
                "name another file, or a folder for a name with the time; --force replaces a backup of this vault",
                "nommez un autre fichier, ou un dossier pour un nom daté ; --force remplace une sauvegarde de ce coffre"
            )
    }

    /// Returns what to do during a delay: it does not run while the device is off, and may start over if not recorded
    /// before.
    static func wait(_ vault: Known?) -> Words {
        let wait = Words(
            "leave the device on, or run `thumbturn status` before you switch it off; then try again",
            "laissez l'appareil allumé, ou lancez `thumbturn status` avant de l'éteindre ; puis réessayez"
        )
        guard let vault, vault.recoveryKey == .there else { return wait }
        if vault.isOlderCopy {
            return wait
                + Words(
                    "; the recovery key exports at once: `thumbturn wallet export --all --recovery`",
                    " ; la clé de secours exporte tout de suite : `thumbturn wallet export --all --recovery`"
                )
        }
        return wait
            + Words(
                "; the recovery key opens at once: `thumbturn unlock --recovery`",
                " ; la clé de secours ouvre tout de suite : `thumbturn unlock --recovery`"
            )
    }

    /// Returns what is left if the PIN can't open the vault; names a recovery key only if there is one.
    private static func wayOut(_ vault: Known) -> Words {
        // This is the vault's device, but it has lost the PIN's part.
        let mayBeFormer = vault.condition == .keyMissing && vault.isOlderCopy
        let copy = Words(
            "the device lost its part, or this copy is from before the PIN was changed: ",
            "l'appareil a perdu sa part, ou cette copie date d'avant le changement de code : "
        ).naming(vault.factor)
        guard mayBeFormer else { return strongestWayOut(vault) }
        return copy
            + (vault.recoveryKey == .missing
                ? strongestWayOut(vault)
                : Words(
                    "its recovery key exports (`thumbturn wallet export --all --recovery`), or opens it as the newest: "
                        + "`thumbturn unlock --recovery --accept-older-copy`",
                    "sa clé de secours exporte (`thumbturn wallet export --all --recovery`), ou l'ouvre comme le plus récent : "
                        + "`thumbturn unlock --recovery --accept-older-copy`"
                ))
    }

    private static func strongestWayOut(_ vault: Known) -> Words {
        guard !vault.isHalfMigrated else {
            return Words(
                "the former app's copy still opens: `thumbturn unlock` with the former PIN finishes the move",
                "la copie de l'ancienne app s'ouvre encore : `thumbturn unlock` avec l'ancien code achève le transfert"
            )
        }
        return switch vault.recoveryKey {
        case .there:
            Words(
                "open the vault with its recovery key: `thumbturn unlock --recovery`",
                "ouvrez le coffre avec sa clé de secours : `thumbturn unlock --recovery`"
            )
        case .unknown:
            Words(
                "a recovery key, if the vault has one, opens it: `thumbturn unlock --recovery`",
                "une clé de secours, s'il y en a une, ouvre le coffre : `thumbturn unlock --recovery`"
            )
        case .missing:
            Words(
                "this vault has no recovery key; a backup made with one opens in a folder of its own: "
                    + "`thumbturn --vault DIR restore FILE`",
                "ce coffre n'a pas de clé de secours ; une sauvegarde faite avec une clé s'ouvre dans un autre dossier : "
                    + "`thumbturn --vault DOSSIER restore FICHIER`"
            )
        }
    }

    /// Returns what is left if even the recovery key only exports, and no reset is possible.
    private func wayOutToExport(_ vault: Known) -> Words {
        let then = Words(
            "`thumbturn wallet export --all --recovery`; ",
            "`thumbturn wallet export --all --recovery` ; "
        )
        let way =
            switch vault.recoveryKey {
            case .there: Words("the recovery key exports: ", "la clé de secours exporte : ") + then
            case .unknown:
                Words(
                    "a recovery key, if the vault has one, exports: ",
                    "une clé de secours, s'il y en a une, exporte : "
                )
                    + then
            case .missing: Self.strongestWayOut(vault) + Words("; ", " ; ")
            }
        return way + movedAway
    }

    /// What to do about a newer version number, which a single flipped bit can produce too.
    private var newer: Words {
        if command?.readsPipe == true { return Self.damagedPipe }
        let export = Self.export(fromFile: command?.backup ?? file)
        return Words(
            "open it with the release that wrote it; if none did the file is damaged, and what is intact opens with the "
                + "recovery key: `\(export)`",
            "ouvrez-le avec la version qui l'a écrit ; si aucune ne l'a fait, le fichier est endommagé, et ce qui est intact "
                + "s'ouvre avec la clé de secours : `\(export)`"
        )
    }

    /// What to do about a damaged backup from a pipe, which is gone by now.
    private static let damagedPipe = Words(
        "this backup is damaged: name another, or save it to a file, and open what is intact with its recovery key: "
            + "`thumbturn wallet export --all --from FILE`",
        "cette sauvegarde est abîmée : nommez-en une autre, ou enregistrez-la dans un fichier, et ouvrez ce qui est intact "
            + "avec sa clé de secours : `thumbturn wallet export --all --from FICHIER`"
    )

    /// What to do about a file that can't be opened.
    private var damaged: Words {
        if command?.readsPipe == true { return Self.damagedPipe }
        if let path = command?.backup {
            return Words(
                "what is intact in it opens with its recovery key: `\(Self.export(fromFile: path))`",
                "ce qui est intact s'ouvre avec sa clé de secours : `\(Self.export(fromFile: path))`"
            )
        }
        // The file was already searched for everything a recovery key could open.
        if case .file? = command?.source {
            return Words(
                "nothing in this file opens with a recovery key: name another copy or a backup",
                "rien dans ce fichier ne s'ouvre avec une clé de secours : nommez une autre copie ou une sauvegarde"
            )
        }
        return damagedVault
    }

    /// What to do about the vault's own file if it can't be opened: only a search for whole wallets is left.
    var damagedVault: Words {
        Words(
            "what is intact in it opens with the recovery key, if there is one: `\(Self.export(fromFile: file))`; ",
            "ce qui est intact s'ouvre avec la clé de secours, s'il y en a une : `\(Self.export(fromFile: file))` ; "
        ) + movedAway
    }

    /// How to make room for another vault if no reset is possible.
    private var movedAway: Words {
        let folder = Shell.quoted(String(file.dropLast(Self.fileName.count)))
        return Words(
            "for a new vault move the folder away: `mv \(folder) \(folder).damaged`",
            "pour un nouveau coffre, écartez le dossier : `mv \(folder) \(folder).damaged`"
        )
    }

    /// What to do about a vault or a backup that was partly changed.
    private var tampered: Words {
        // Everything that opens has already been printed.
        if case .exportWallets(_, _, let target)? = command {
            if case .file = target {
                return Words(
                    "what opens is in the file: look for the rest in another copy or a backup; then make a new vault",
                    "ce qui s'ouvre est dans le fichier : cherchez le reste dans une autre copie ou une sauvegarde ; puis "
                        + "créez un nouveau coffre"
                )
            }
            return Words(
                "what opens was printed: look for the rest in another copy or a backup; then make a new vault",
                "ce qui s'ouvre est affiché : cherchez le reste dans une autre copie ou une sauvegarde ; puis créez un "
                    + "nouveau coffre"
            )
        }
        if command?.readsPipe == true { return Self.damagedPipe }
        if let path = command?.backup {
            return Words(
                "make a new backup; what is intact in this one opens with its recovery key: `\(Self.export(fromFile: path))`",
                "faites-en une autre ; ce qui est intact dans celle-ci s'ouvre avec sa clé de secours : "
                    + "`\(Self.export(fromFile: path))`"
            )
        }
        let export = Self.export(from: command?.source ?? .vault)
        return Words(
            "export what opens: `\(export)`; then make a new vault",
            "exportez ce qui s'ouvre : `\(export)` ; puis créez un nouveau coffre"
        )
    }

    private var olderCopy: Words {
        let usesKey = command?.usesRecoveryKey == true
        let option = usesKey ? " --recovery" : ""
        return Words(
            "export what is in it: `thumbturn wallet export --all\(option)`; or, if no newer copy is left, make it the "
                + "vault: `thumbturn unlock\(option) --accept-older-copy`",
            "exportez ce qu'il contient : `thumbturn wallet export --all\(option)` ; ou, s'il n'en reste pas de copie plus "
                + "récente, faites-en le coffre : `thumbturn unlock\(option) --accept-older-copy`"
        )
    }

    private static func export(fromFile path: String) -> String { export(from: .file(path)) }

    private static func export(from source: WalletSource) -> String {
        let command = "thumbturn wallet export --all"
        return switch source {
        case .vault: command
        case .vaultByRecoveryKey: command + " --recovery"
        case .file(let path): command + " --from " + Shell.quoted(path)
        }
    }
}

extension Command {
    /// Where it reads wallets from; `nil` if it only reads the vault.
    fileprivate var source: WalletSource? {
        switch self {
        case .listWallets(let source), .checkWallets(let source), .showWallet(_, let source),
            .exportWallet(_, _, let source, _), .exportWallets(_, let source, _):
            source
        default: nil
        }
    }

    /// The path of the backup it opens; `nil` for a pipe.
    fileprivate var backup: String? {
        switch self {
        case .restore(let path), .verifyBackup(let path): path == Command.pipe ? nil : path
        default: nil
        }
    }

    fileprivate var readsPipe: Bool {
        switch self {
        case .restore(let path), .verifyBackup(let path): path == Command.pipe
        default: false
        }
    }

    fileprivate var isOfCredential: Bool {
        switch self {
        case .setCredential, .getCredential, .listCredentials, .upgradeCredential, .downgradeCredential,
            .removeCredential:
            true
        default: false
        }
    }

    fileprivate var usesRecoveryKey: Bool {
        switch self {
        case .unlock(withRecoveryKey: true), .acceptOlderCopy(withRecoveryKey: true): true
        default: source == .vaultByRecoveryKey
        }
    }
}
