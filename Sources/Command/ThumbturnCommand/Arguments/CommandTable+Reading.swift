import Thumbturn
import ThumbturnConsole
import ThumbturnSimulator

// Parses the commands that come in several forms.
extension CommandTable {
    static func initialize(_: [String], _ given: GivenOptions) throws(Failure) -> Command {
        // Every vault with its own PIN starts with this policy, so only check the option.
        _ = try given[.policy]
        return .initialize(biometrics: try choiceOfBiometrics(given))
    }

    static func rekey(_ operands: [String], _ given: GivenOptions) throws(Failure) -> Command {
        guard operands.isEmpty != given[.giveUp] else {
            throw .usage(Words("--give-up and names of wallets go together", "--give-up et des noms vont ensemble"))
        }
        return .rekey(givingUp: operands, missing: try given[.missing])
    }

    static func importWallet(_ operands: [String], _ given: GivenOptions) throws(Failure) -> Command {
        let kinds: [(Option<Void>, WalletKind)] = [
            (.mnemonic, .mnemonic), (.privateKey, .privateKey), (.opaque, .opaque),
        ]
        let chosen = kinds.filter { given[$0.0] }.map(\.1)
        let isBulk = given[.bulk]
        guard operands.isEmpty == isBulk, chosen.count <= (isBulk ? 0 : 1) else {
            throw .usage(Words("give a name, or --bulk alone", "donnez un nom, ou --bulk seul"))
        }
        let source = try given[.file] ?? .line
        guard source == .line || chosen == [.opaque] else {
            throw .usage(Words("--file needs --opaque", "--file demande --opaque"))
        }
        return isBulk ? .importWallets : .importWallet(operands[0], chosen.first ?? .mnemonic, from: source)
    }

    static func exportWallets(_ operands: [String], _ given: GivenOptions) throws(Failure) -> Command {
        let (isAll, isRaw) = (given[.all], given[.raw])
        guard operands.isEmpty == isAll else {
            throw .usage(Words("give names, or --all alone", "donnez des noms, ou --all seul"))
        }
        let target = try secretTarget(given)
        guard operands.count != 1 else {
            return .exportWallet(operands[0], raw: isRaw, from: try WalletSource(given), to: target)
        }
        guard !isRaw, target != .clipboard else {
            throw .usage(
                Words("--raw and --clipboard need a single name", "--raw et --clipboard demandent un seul nom")
            )
        }
        return .exportWallets(operands, from: try WalletSource(given), to: target)
    }

    /// Returns the target that `--output` or `--clipboard` names.
    private static func secretTarget(_ given: GivenOptions) throws(Failure) -> SecretTarget {
        let path = try given[.output]
        // For other commands `-` means standard output; a secret goes there without the option.
        guard path != "-" else {
            throw .usage(Words("--output needs the name of a file", "--output demande le nom d'un fichier"))
        }
        guard given[.clipboard] else { return path.map(SecretTarget.file) ?? .output }
        guard path == nil, !given[.raw], !given[.json] else {
            throw .usage(
                Words("--clipboard excludes --output, --raw and --json", "--clipboard exclut --output, --raw et --json")
            )
        }
        return .clipboard
    }

    static func backUp(_ operands: [String], _ given: GivenOptions) throws(Failure) -> Command {
        guard operands[0] != Command.pipe || !(given[.json] || given[.force]) else {
            throw .usage(Words("--json and --force need a file", "--json et --force demandent un fichier"))
        }
        return .backUp(to: operands[0], replacing: given[.force])
    }

    static func setCredential(_ operands: [String], _ given: GivenOptions) throws(Failure) -> Command {
        let biometrics = try choiceOfBiometrics(given) ?? false
        return .setCredential(operands[0], biometrics: biometrics, from: try given[.file] ?? .line)
    }

    static func migrateLegacy(_ operands: [String], _ given: GivenOptions) throws(Failure) -> Command {
        let (name, isOpaque, isRehearsal) = (try given[.name], given[.opaque], given[.dryRun])
        guard let path = operands.first else {
            guard name == nil, !isOpaque, !isRehearsal else {
                throw .usage(
                    Words("--name, --opaque and --dry-run need FILE", "--name, --opaque et --dry-run demandent FICHIER")
                )
            }
            return .migrateFromDevice
        }
        return .migrateLegacy(path, name: name, isOpaque: isOpaque, isRehearsal: isRehearsal)
    }

    static func simulate(_ operands: [String], _: GivenOptions) throws(Failure) -> Command {
        if operands.first == "legacy" {
            guard operands.count == 2, let former = FormerWallet(rawValue: operands[1]) else {
                throw .usage(
                    Words(
                        "after legacy comes `wallet`, `weak-pin` or `two-wallets`, and nothing else",
                        "après legacy vient `wallet`, `weak-pin` ou `two-wallets`, et rien d'autre"
                    )
                )
            }
            return .leaveLegacy(former)
        }
        var events: [SimulatedEvent] = []
        var rest = operands[...]
        while !rest.isEmpty {
            guard let (event, count) = SimulatedEvent.parse(rest) else {
                throw .usage(Words("one of the words is not an event", "un des mots n'est pas un événement"))
            }
            events.append(event)
            rest = rest.dropFirst(count)
        }
        return .simulate(events)
    }

    /// The words that start an event, or end it.
    static let eventWords =
        [
            "finger", "enroll", "unenroll", "passcode-off", "passcode-on", "passcode", "lockout", "reboot", "advance",
            "sleep",
            "clock", "reinstall", "restore-elsewhere", "lock-device", "unlock-device", "background", "foreground",
            "permission-denied", "permission-granted", "sensor", "fault", "legacy",
        ] + FormerWallet.allCases.map(\.rawValue) + SimulatedTouch.allCases.map(\.rawValue)
        + SimulatedSensor.allCases.map(\.rawValue)
        + SimulatedFault.allCases.map(\.rawValue)

    static func completion(_ operands: [String], _: GivenOptions) throws(Failure) -> Command {
        guard let shell = CompletionShell(rawValue: operands[0]) else {
            throw .usage(
                Words("the shell must be `bash`, `zsh` or `fish`", "le shell doit être `bash`, `zsh` ou `fish`")
            )
        }
        return .completion(shell)
    }

    static func register(_ operands: [String], _ given: GivenOptions) throws(Failure) -> Command {
        guard let options = try accountOptions(operands, given) else { throw needsService }
        return .register(options)
    }

    /// Returns the account that the command line names; `nil` if it names none.
    static func accountOptions(_ operands: [String], _ given: GivenOptions) throws(Failure) -> AccountOptions? {
        let service = try given[.service]
        guard operands.isEmpty == (service == nil) else { throw needsService }
        guard let name = operands.first, let service else { return nil }
        return AccountOptions(
            name: name,
            service: try serviceOptions(service, given),
            allowsOffline: given[.offlinePassword],
            deviceName: try given[.deviceName]
        )
    }

    static func serviceOptions(_ address: String, _ given: GivenOptions) throws(Failure) -> ServiceOptions {
        ServiceOptions(address: address, authority: try given[.authority], pin: try given[.pinnedKey])
    }

    private static let needsService = Failure.usage(Words("give NAME and --service URL", "donnez NOM et --service URL"))

    /// Returns the choice made by `--biometrics` or `--no-biometrics`; `nil` if neither is given.
    private static func choiceOfBiometrics(_ given: GivenOptions) throws(Failure) -> Bool? {
        let (on, off) = (given[.biometrics], given[.noBiometrics])
        guard !(on && off) else {
            throw .usage(
                Words(
                    "--biometrics and --no-biometrics exclude each other",
                    "--biometrics et --no-biometrics s'excluent"
                )
            )
        }
        return on || off ? on : nil
    }
}
