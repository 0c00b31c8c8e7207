import Testing
import Thumbturn
import ThumbturnConsole
import ThumbturnRules
import ThumbturnSimulator

@testable import ThumbturnCommand

struct InvocationTests {
    private func command(_ line: String) throws -> Command {
        try Invocation(parsing: line.split(separator: " ").map(String.init)).command
    }

    @Test(
        arguments: [
            ("init", Command.initialize(biometrics: nil)),
            ("init --biometrics", .initialize(biometrics: true)),
            ("init --no-biometrics", .initialize(biometrics: false)),
            ("status", .status),
            ("unlock", .unlock(withRecoveryKey: false)),
            ("unlock --recovery", .unlock(withRecoveryKey: true)),
            ("reset", .reset),
            ("recovery create", .createRecoveryKey),
            ("recovery check", .checkRecoveryKey),
            ("recovery status", .recoveryStatus),
            ("recovery remove", .removeRecoveryKey),
            ("backup FILE", .backUp(to: "FILE")),
            ("backup - ", .backUp(to: "-")),
            ("backup DIR --force", .backUp(to: "DIR", replacing: true)),
            ("backup verify FILE", .verifyBackup("FILE")),
            ("backup verify -", .verifyBackup("-")),
            ("restore FILE", .restore(from: "FILE")),
            ("wallet create A", .createWallet("A", words: .twentyFour)),
            ("wallet create A --words 12", .createWallet("A", words: .twelve)),
            ("wallet create --words=15 A", .createWallet("A", words: .fifteen)),
            ("wallet create A --no-show", .createWallet("A", words: .twentyFour, shows: false)),
            ("wallet export A --output F", .exportWallet("A", to: .file("F"))),
            ("wallet export A --clipboard", .exportWallet("A", to: .clipboard)),
            ("wallet export --all --output=F", .exportWallets([], to: .file("F"))),
            ("wallet import A", .importWallet("A", .mnemonic)),
            ("wallet import A --private-key", .importWallet("A", .privateKey)),
            ("wallet import --opaque A", .importWallet("A", .opaque)),
            ("wallet import A --opaque --file F", .importWallet("A", .opaque, from: .file("F"))),
            ("wallet import A --opaque --file -", .importWallet("A", .opaque, from: .rest)),
            ("wallet import --bulk", .importWallets),
            ("wallet list", .listWallets()),
            ("wallet list --recovery", .listWallets(from: .vaultByRecoveryKey)),
            ("wallet list --from F", .listWallets(from: .file("F"))),
            ("wallet check", .checkWallets()),
            ("wallet check --recovery", .checkWallets(from: .vaultByRecoveryKey)),
            ("wallet check --from F", .checkWallets(from: .file("F"))),
            ("wallet show A", .showWallet("A")),
            ("wallet show -- --A", .showWallet("--A")),
            ("wallet show A --recovery", .showWallet("A", from: .vaultByRecoveryKey)),
            ("wallet show A --from=F", .showWallet("A", from: .file("F"))),
            ("wallet rename A B", .renameWallet("A", to: "B")),
            ("wallet export A", .exportWallet("A")),
            ("wallet export A --raw", .exportWallet("A", raw: true)),
            ("wallet export A --raw --from F", .exportWallet("A", raw: true, from: .file("F"))),
            ("wallet export A B", .exportWallets(["A", "B"])),
            ("wallet export --all", .exportWallets([])),
            ("wallet export --all --recovery", .exportWallets([], from: .vaultByRecoveryKey)),
            ("wallet export B A --recovery --from F", .exportWallets(["B", "A"], from: .file("F"))),
            ("wallet delete A", .deleteWallet("A")),
            ("audit log", .showTrail(all: false)), ("audit log --all", .showTrail(all: true)),
            ("audit push", .pushTrail),
            ("audit export FILE", .exportTrail(to: "FILE", former: false)),
            ("audit export --former FILE", .exportTrail(to: "FILE", former: true)),
            ("audit verify FILE", .verifyTrail("FILE", keys: [])), ("audit verify -", .verifyTrail("-", keys: [])),
            ("audit verify FILE --key A --key=B", .verifyTrail("FILE", keys: ["A", "B"])),
            ("audit", .help(CommandName(text: "audit"))),
            ("pin change", .changePIN), ("rekey", .rekey()),
            ("rekey --give-up A B --missing 1", .rekey(givingUp: ["A", "B"], missing: 1)),
            ("biometrics status", .biometricsStatus),
            ("biometrics enable", .enableBiometrics),
            ("biometrics disable", .disableBiometrics),
            ("system-auth enable", .enableSystemAuthentication),
            ("system-auth disable", .disableSystemAuthentication),
            ("migrate legacy FILE", .migrateLegacy("FILE", name: nil, isRehearsal: false)),
            ("migrate legacy --name A FILE --dry-run", .migrateLegacy("FILE", name: "A", isRehearsal: true)),
            ("migrate legacy FILE --opaque", .migrateLegacy("FILE", name: nil, isOpaque: true, isRehearsal: false)),
            ("credential set A", .setCredential("A", biometrics: false)),
            ("credential set --biometrics A", .setCredential("A", biometrics: true)),
            ("credential set A --no-biometrics", .setCredential("A", biometrics: false)),
            ("credential set A --file=-", .setCredential("A", biometrics: false, from: .rest)),
            ("credential get A", .getCredential("A")),
            ("credential get --raw A", .getCredential("A", raw: true)),
            ("credential upgrade A", .upgradeCredential("A")),
            ("credential downgrade A", .downgradeCredential("A")),
            ("credential remove A", .removeCredential("A")),
            ("demo", .demo), ("playground", .playground(port: 0)),
            ("playground --port 18107", .playground(port: 18_107)),
            ("simulate finger match", .simulate([.finger(.match)])),
            ("simulate clock -1y enroll", .simulate([.clock(.zero - .days(365)), .enroll])),
            ("credential list", .listCredentials),
            ("completion bash", .completion(.bash)), ("completion zsh", .completion(.zsh)),
            ("completion fish", .completion(.fish)), ("man", .man),
            ("", .help(nil)), ("--device files", .help(nil)), ("wallet", .help(CommandName(text: "wallet"))),
            ("help", .help(nil)),
            ("--help", .help(nil)),
            ("-h", .help(nil)),
            ("wallet --help", .help(CommandName(text: "wallet"))),
            ("help wallet", .help(CommandName(text: "wallet"))),
            ("help wallet import", .help(CommandName(text: "wallet import"))),
            ("wallet import --help", .help(CommandName(text: "wallet import"))),
            ("--version", .version), ("version", .version), ("-V", .version),
        ]
    )
    func `a command line is understood`(line: String, expected: Command) throws {
        #expect(try command(line) == expected)
    }

    @Test(
        arguments: [
            "walet", "wallet frobnicate", "wallet create -x", "wallet create -1", "-x", "status -j", "--words 12",
            "completion", "completion ksh", "completion bash zsh", "man ls", "credential list a", "wallet create",
            "wallet create A B",
            "wallet create A --words 13",
            "wallet create A --words", "wallet import", "wallet import A --bulk", "wallet import --bulk --opaque",
            "wallet import A --opaque --mnemonic", "wallet rename A", "init --biometrics --no-biometrics", "init extra",
            "status --words 12", "status --pin=83251947", "status --pin 83251947", "status --json=yes",
            "status --json --json",
            "--secret-fd status", "--secret-fd -1 status", "--secret-fd x status", "--vault= status",
            "--device foo status", "--device tpm status", "--device= status",
            "simulate", "simulate nothing", "simulate finger", "simulate advance 31", "help nothing",
            "migrate legacy --dry-run", "migrate legacy --opaque", "migrate legacy A B", "migrate legacy A --name",
            "account login A",
            "account login --service U", "account register A", "account register",
            "account close now", "account devices --revoke",
            "audit verify", "audit log now", "audit push now", "audit export", "audit export A B",
            "audit export A --all",
            "audit verify A B",
            "audit verify A --key", "audit verify A --key=", "audit verify A --former", "system-auth enable now",
            "credential get",
            "credential set A --biometrics --no-biometrics", "credential get A --biometrics",
            "credential remove A B",
            "playground now", "playgrounds", "wallet export", "wallet export A --all", "wallet export --all --raw",
            "wallet export A B --raw",
            "wallet list A", "wallet list --from", "wallet list --from=", "wallet show A --all",
            "wallet delete A --recovery", "wallet import A --opaque --file=", "wallet import A --file F",
            "rekey --give-up", "rekey A", "rekey --give-up A --missing x", "rekey --give-up A --missing -1",
            "status --require software", "status --require=",
        ]
    )
    func `a command line that is not understood is a usage error`(line: String) {
        #expect(throws: Failure(.usage)) {
            do { _ = try command(line) } catch let failure as Failure { throw Failure(failure.code) }
        }
    }

    @Test(
        .holds("A52"),
        arguments: [
            "status 83251947", "wallet show A 83251947", "83251947", "status --pin=83251947", "unlock --83251947",
        ]
    )
    func `a usage error does not repeat what was given`(line: String) throws {
        let failure = try #require(throws: Failure.self) { try command(line) }
        for language in Language.allCases {
            #expect(!failure.message(in: language).contains("83251947"))
            #expect(!Advice.none.hint(of: failure).in(language).contains("83251947"))
        }
    }

    @Test(arguments: ["--vault /v --json --secret-fd 5 status", "status --vault=/v --json --secret-fd=5"])
    func `global options stand before or after the command`(line: String) throws {
        let invocation = try Invocation(parsing: line.split(separator: " ").map(String.init))
        #expect(invocation.options == Options(vault: "/v", json: true, secretDescriptor: 5))
        #expect(invocation.command == .status)
    }

    @Test func `a device and a least assurance can be named`() throws {
        let words = ["status", "--device", "linux", "--require=hardware"]
        #expect(try Invocation(parsing: words).options == Options(device: .linux, requiresHardware: true))
        #expect(try Invocation(parsing: ["reset", "--device=files"]).options == Options(device: .files))
        #expect(try Invocation(parsing: ["status"]).options == Options())
    }

    @Test(arguments: Array(stride(from: 40, through: 120, by: 4)) + [200])
    func `every command has help of any width in both languages, and no option is unheard of`(width: Int) {
        #expect(!CommandTable.all.rows.isEmpty)
        #expect(Help.all.faults(of: CommandTable.all, width: width) == [])
    }
}
