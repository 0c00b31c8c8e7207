import Thumbturn
import ThumbturnConsole
import ThumbturnSimulator

/// The commands, in the order in which help lists them.
///
/// Their help texts are in `Texts`; `CommandTable+Reading.swift` parses the commands with several forms.
enum CommandTable {
    typealias Syntax = CommandSyntax<Command>

    static let all = CommandGrammar(
        of: Tool.name,
        [
            CommandGroup(Words("the vault", "le coffre"), vault),
            CommandGroup(Words("wallets", "portefeuilles"), wallets),
            CommandGroup(Words("recovery and backup", "secours et sauvegarde"), recovery),
            CommandGroup(Words("the trail of what happened", "journal des événements"), audit),
            CommandGroup(Words("ways in", "accès"), ways),
            CommandGroup(Words("an account and its service", "un compte et son service"), account),
            CommandGroup(Words("credentials", "identifiants"), credentials),
            CommandGroup(Words("this machine, and trying things out", "cette machine, et pour essayer"), machine),
            CommandGroup(Words("this command", "cette commande"), own),
        ],
        optionsOfAll: Options.forms,
        common: CommandGrammar.Common(version: .version) { .help($0) }
    )

    private static let vault: [Syntax] = [
        Syntax(
            "init",
            operands: "[--biometrics|--no-biometrics] [--policy wallet]",
            options: [Option.biometrics, Option.noBiometrics, Option.policy],
            text: .initialize,
            command: initialize
        ),
        Syntax("status", text: .status) { _, _ in .status },
        Syntax(
            "unlock",
            operands: "[--recovery] [--accept-older-copy]",
            options: [Option.recovery, Option.acceptOlderCopy],
            text: .unlock
        ) { _, given in
            let recovery = given[.recovery]
            return given[.acceptOlderCopy]
                ? .acceptOlderCopy(withRecoveryKey: recovery) : .unlock(withRecoveryKey: recovery)
        },
        Syntax(
            "rekey",
            operands: "[--give-up WALLET...] [--missing N]",
            count: 0...4_096,
            options: [Option.giveUp, Option.missing],
            text: .rekey,
            command: rekey
        ),
        Syntax("reset", text: .reset) { _, _ in .reset },
    ]

    private static let wallets: [Syntax] = [
        Syntax(
            "wallet create",
            operands: "NAME [--words 12|15|18|21|24] [--no-show]",
            count: 1...1,
            options: [Option.words, Option.noShow],
            text: .createWallet
        ) { operands, given throws(Failure) in
            .createWallet(operands[0], words: try given[.words] ?? .twentyFour, shows: !given[.noShow])
        },
        Syntax(
            "wallet import",
            operands: "NAME [--mnemonic|--private-key|--opaque [--file FILE]]\nthumbturn wallet import --bulk",
            count: 0...1,
            options: [Option.mnemonic, Option.privateKey, Option.opaque, Option.bulk, Option.file],
            text: .importWallet,
            command: importWallet
        ),
        Syntax(
            "wallet list",
            operands: WalletSource.operands,
            options: WalletSource.options,
            text: .listWallets
        ) { _, given throws(Failure) in .listWallets(from: try WalletSource(given)) },
        Syntax(
            "wallet check",
            operands: WalletSource.operands,
            options: WalletSource.options,
            text: .checkWallets
        ) { _, given throws(Failure) in .checkWallets(from: try WalletSource(given)) },
        Syntax(
            "wallet show",
            operands: "NAME \(WalletSource.operands)",
            count: 1...1,
            options: WalletSource.options,
            text: .showWallet
        ) { operands, given throws(Failure) in .showWallet(operands[0], from: try WalletSource(given)) },
        Syntax("wallet rename", operands: "NAME NEW-NAME", count: 2...2, text: .renameWallet) { operands, _ in
            .renameWallet(operands[0], to: operands[1])
        },
        Syntax(
            "wallet export",
            operands: "NAME...|--all \(WalletSource.operands) [--output FILE]"
                + "\nthumbturn wallet export NAME [--raw] [--clipboard]",
            count: 0...4_096,
            options: WalletSource.options + [Option.raw, Option.all, Option.output, Option.clipboard],
            text: .exportWallet,
            command: exportWallets
        ),
        Syntax("wallet delete", operands: "NAME", count: 1...1, text: .deleteWallet) { operands, _ in
            .deleteWallet(operands[0])
        },
        Syntax(
            "migrate legacy",
            operands: "FILE [--name NAME] [--opaque] [--dry-run]\nthumbturn --device simulated migrate legacy",
            count: 0...1,
            of: .file,
            options: [Option.name, Option.opaque, Option.dryRun],
            text: .migrateLegacy,
            command: migrateLegacy
        ),
    ]

    private static let recovery: [Syntax] = [
        Syntax("recovery create", text: .createRecoveryKey) { _, _ in .createRecoveryKey },
        Syntax("recovery check", text: .checkRecoveryKey) { _, _ in .checkRecoveryKey },
        Syntax("recovery status", text: .recoveryStatus) { _, _ in .recoveryStatus },
        Syntax("recovery remove", text: .removeRecoveryKey) { _, _ in .removeRecoveryKey },
        Syntax(
            "backup",
            operands: "FILE|DIR|- [--force]",
            count: 1...1,
            of: .file,
            options: [Option.force],
            text: .backUp,
            command: backUp
        ),
        Syntax("backup verify", operands: "FILE|-", count: 1...1, of: .file, text: .verifyBackup) { operands, _ in
            .verifyBackup(operands[0])
        },
        Syntax("restore", operands: "FILE|-", count: 1...1, of: .file, text: .restore) { operands, _ in
            .restore(from: operands[0])
        },
    ]

    private static let audit: [Syntax] = [
        Syntax("audit log", operands: "[--all]", options: [Option.all], text: .showTrail) { _, given in
            .showTrail(all: given[.all])
        },
        Syntax("audit push", text: .pushTrail) { _, _ in .pushTrail },
        Syntax(
            "audit export",
            operands: "FILE [--former]",
            count: 1...1,
            of: .file,
            options: [Option.former],
            text: .exportTrail
        ) { operands, given in .exportTrail(to: operands[0], former: given[.former]) },
        Syntax(
            "audit verify",
            operands: "FILE|- [--key PUB]...",
            count: 1...1,
            of: .file,
            options: [Option.publicKey],
            text: .verifyTrail
        ) { operands, given throws(Failure) in .verifyTrail(operands[0], keys: try given.all(.publicKey)) },
    ]

    private static let ways: [Syntax] = [
        Syntax("pin change", text: .changePIN) { _, _ in .changePIN },
        Syntax("policy show", text: .showPolicy) { _, _ in .showPolicy },
        Syntax(
            "policy set",
            operands: "NAME VALUE",
            count: 2...2,
            of: PolicyRule.operands,
            text: .setPolicy
        ) { operands, _ throws(Failure) in .setPolicy(try PolicySetting(operands[0], operands[1])) },
        Syntax("biometrics status", text: .biometricsStatus) { _, _ in .biometricsStatus },
        Syntax("biometrics enable", text: .enableBiometrics) { _, _ in .enableBiometrics },
        Syntax("biometrics disable", text: .disableBiometrics) { _, _ in .disableBiometrics },
        Syntax("system-auth enable", text: .enableSystemAuthentication) { _, _ in .enableSystemAuthentication },
        Syntax("system-auth disable", text: .disableSystemAuthentication) { _, _ in .disableSystemAuthentication },
    ]

    private static let account: [Syntax] = [
        Syntax(
            "account register",
            operands: "NAME --service URL [--ca FILE] [--pin KEY] [--device-name TEXT] [--offline-password]",
            count: 1...1,
            options: [Option.service, Option.authority, Option.pinnedKey, Option.deviceName, Option.offlinePassword],
            text: .register,
            command: register
        ),
        Syntax(
            "account login",
            operands: """
                [NAME --service URL [--ca FILE] [--pin KEY] [--device-name TEXT] [--offline-password]] [--accept-weaker]
                """,
            count: 0...1,
            options: [
                Option.service, Option.authority, Option.pinnedKey, Option.deviceName, Option.offlinePassword,
                Option.acceptWeaker,
            ],
            text: .logIn
        ) { operands, given throws(Failure) in
            .logIn(try accountOptions(operands, given), acceptsWeaker: given[.acceptWeaker])
        },
        Syntax("account password", text: .changePassword) { _, _ in .changePassword },
        Syntax("account devices", operands: "[--revoke NAME|ID]", options: [Option.revoke], text: .devices) {
            _,
            given throws(Failure) in
            .devices(revoking: try given[.revoke])
        },
        Syntax(
            "account move",
            operands: "URL [--ca FILE] [--pin KEY]",
            count: 1...1,
            options: [Option.authority, Option.pinnedKey],
            text: .moveAccount
        ) { operands, given throws(Failure) in .moveAccount(to: try serviceOptions(operands[0], given)) },
        Syntax("account contact", text: .contact) { _, _ in .contact },
        Syntax("account close", text: .closeAccount) { _, _ in .closeAccount },
    ]

    private static let credentials: [Syntax] = [
        Syntax(
            "credential set",
            operands: "NAME [--biometrics|--no-biometrics] [--file FILE]",
            count: 1...1,
            options: [Option.biometrics, Option.noBiometrics, Option.file],
            text: .setCredential,
            command: setCredential
        ),
        Syntax(
            "credential get",
            operands: "NAME [--raw]",
            count: 1...1,
            options: [Option.raw],
            text: .getCredential
        ) { operands, given in .getCredential(operands[0], raw: given[.raw]) },
        Syntax("credential list", text: .listCredentials) { _, _ in .listCredentials },
        Syntax("credential upgrade", operands: "NAME", count: 1...1, text: .upgradeCredential) { operands, _ in
            .upgradeCredential(operands[0])
        },
        Syntax("credential downgrade", operands: "NAME", count: 1...1, text: .downgradeCredential) { operands, _ in
            .downgradeCredential(operands[0])
        },
        Syntax("credential remove", operands: "NAME", count: 1...1, text: .removeCredential) { operands, _ in
            .removeCredential(operands[0])
        },
    ]

    private static let machine: [Syntax] = [
        Syntax("doctor", text: .doctor) { _, _ in .doctor },
        Syntax(
            "simulate",
            operands: "EVENT...\nthumbturn simulate legacy wallet|weak-pin|two-wallets",
            count: 1...256,
            takesNegatives: true,
            of: .words(eventWords),
            text: .simulate,
            command: simulate
        ),
        Syntax("demo", text: .demo) { _, _ in .demo },
        Syntax("playground", operands: "[--port N]", options: [Option.port], text: .playground) {
            _,
            given throws(Failure) in
            .playground(port: try given[.port] ?? 0)
        },
    ]

    private static let own: [Syntax] = [
        Syntax(
            "completion",
            operands: "bash|zsh|fish",
            count: 1...1,
            of: .words(CompletionShell.allCases.map(\.rawValue)),
            text: .completion,
            command: completion
        ),
        Syntax("man", text: .man) { _, _ in .man },
        Syntax("help", operands: "[COMMAND]", count: 0...2, of: .command, text: .help) { operands, _ throws(Failure) in
            .help(try all.subject(operands))
        },
    ]
}
