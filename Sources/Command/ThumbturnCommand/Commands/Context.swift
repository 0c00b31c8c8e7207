import Thumbturn
import ThumbturnBase
import ThumbturnConsole
import ThumbturnSimulator

/// Everything a command works with.
///
/// Each command is a process that opens the vault, works, locks and closes it.
struct Context: Sendable {
    let options: Options
    let environment: Environment
    let output: Output
    /// The command and its folder and device, for hints.
    let advice: Advice
    let secrets: SecretInput

    /// Runs a command.
    ///
    /// - Returns: the exit code, 0 unless the command sets another one.
    func run(_ command: Command) async throws -> Int32 {
        switch command {
        case .initialize(let biometrics): return try await initialize(biometrics: biometrics)
        case .status: try await showStatus()
        case .unlock(withRecoveryKey: false): try await unlock()
        case .unlock(withRecoveryKey: true): try await recover()
        case .acceptOlderCopy(withRecoveryKey: false): try await acceptOlderCopy()
        case .acceptOlderCopy(withRecoveryKey: true): try await recover(acceptingOlderCopy: true)
        case .reset: try await reset()
        case .showPolicy: try await showPolicy()
        case .setPolicy(let setting): try await setPolicy(setting)
        case .rekey(let names, let missing): try await rekey(givingUp: names, missing: missing)
        case .createRecoveryKey: try await createRecoveryKey()
        case .checkRecoveryKey: try await checkRecoveryKey()
        case .recoveryStatus: try await showRecoveryKeyStatus()
        case .removeRecoveryKey: try await removeRecoveryKey()
        case .backUp(let path, let replacing): try await backUp(to: path, replacing: replacing)
        case .verifyBackup(let path): try await verifyBackup(path)
        case .restore(let path): try await restore(from: path)
        case .createWallet(let name, let words, let shows): try await createWallet(name, words, shows: shows)
        case .importWallet(let name, let kind, let source): try await importWallet(name, kind, from: source)
        case .importWallets: try await importWallets()
        case .listWallets(let source): try await listWallets(from: source)
        case .checkWallets(let source): try await checkWallets(from: source)
        case .showWallet(let name, let source): try await showWallet(name, from: source)
        case .renameWallet(let old, let new): try await renameWallet(old, to: new)
        case .exportWallet(let name, let isRaw, let source, let target):
            try await exportWallet(name, isRaw: isRaw, from: source, to: target)
        case .exportWallets(let names, let source, let target):
            try await exportWallets(names, from: source, to: target)
        case .deleteWallet(let name): try await deleteWallet(name)
        case .showTrail(let all): try await showTrail(all: all)
        case .pushTrail: try await pushTrail()
        case .exportTrail(let path, let former): try await exportTrail(to: path, former: former)
        case .verifyTrail(let path, let keys): try await verifyTrail(path, keys: keys)
        case .changePIN: try await changePIN()
        case .biometricsStatus: try await showBiometrics()
        case .enableBiometrics: try await enableBiometrics()
        case .disableBiometrics: try await disableBiometrics()
        case .enableSystemAuthentication: try await enableSystemAuthentication()
        case .disableSystemAuthentication: try await disableSystemAuthentication()
        case .migrateLegacy(let path, let name, let isOpaque, let isRehearsal):
            return try await migrateLegacy(
                path,
                named: name,
                as: isOpaque ? .opaque : .mnemonic,
                isRehearsal: isRehearsal
            )
        case .migrateFromDevice: return try await migrateFromDevice()
        case .setCredential(let name, let biometrics, let source):
            try await setCredential(name, biometrics: biometrics, from: source)
        case .getCredential(let name, let isRaw): try await getCredential(name, isRaw: isRaw)
        case .listCredentials: try listCredentials()
        case .upgradeCredential(let name): try await upgradeCredential(name)
        case .downgradeCredential(let name): try await downgradeCredential(name)
        case .removeCredential(let name): try await removeCredential(name)
        case .register(let account): try await register(AccountPlace(account), account)
        case .logIn(let account, let acceptsWeaker): try await logIn(account, acceptsWeaker: acceptsWeaker)
        case .changePassword: try await changePassword()
        case .devices(let text): try await showDevices(revoking: text)
        case .moveAccount(let service): try await moveAccount(to: service)
        case .contact: try await contact()
        case .closeAccount: try await closeAccount()
        case .demo: return try await Demo.run(output: output)
        case .simulate(let events): try simulate(events)
        case .leaveLegacy(let former): try await leave(former)
        case .doctor: try await showDoctor()
        case .help, .version, .completion, .man, .playground: _ = try command.answer(on: output)
        }
        return 0
    }
}

extension Command {
    /// Prints the answer of a command that needs no vault.
    ///
    /// - Returns: whether `self` is such a command.
    func answer(on output: Output) throws(Failure) -> Bool {
        switch self {
        case .help(let name):
            let text = Help.all.text(about: name, in: output.language, width: output.width)
            try output.print(Words(text), json: ["help": .string(text)])
        case .version:
            try output.print(Words("thumbturn \(Tool.version)"), json: ["version": .string(Tool.version)])
        case .completion(let shell):
            try output.show(CommandTable.all.completion(for: shell, in: output.language), as: "completion")
        case .man:
            let page = ManPage(Help.all, version: Tool.version, date: Tool.date)
            try output.show(page.text(in: output.language), as: "man")
        case .playground(let port): throw PlaygroundProgram.become(port: port, isJSON: output.isJSON)
        default: return false
        }
        return true
    }
}

extension Output {
    /// Prints a file meant for another program.
    fileprivate func show(_ file: String, as name: String) throws(Failure) {
        guard isJSON else { return try write(shown(file)) }
        try printLine(JSON.object([(name, .string(file))]).text)
    }
}

// Locates the vault and opens it.
extension Context {
    func vaultFolder() throws(Failure) -> String {
        if let folder = options.vault { return folder }
        return try environment.vaultFolder()
    }

    /// Returns the configuration for opening or creating a vault; the sensor is not queried until a prompt needs it.
    func configuration(_ legacy: LegacyMigration? = nil) -> VaultConfiguration {
        var configuration = VaultConfiguration(argon2: environment.argon2, legacy: legacy)
        configuration.asksSensor = false
        configuration.deliversBehind = false
        configuration.attempting = { $0 ? Terminal.holdSignals() : Terminal.releaseSignals() }
        return configuration
    }

    /// Opens the vault for `body`, and closes it even if `body` throws.
    ///
    /// - Parameters:
    ///   - asksSensor: whether to report what the sensor can do.
    ///   - readsWallets: whether the command needs the wallets' rows.
    func withVault<Result: Sendable>(
        asksSensor: Bool = false,
        readsWallets: Bool = true,
        _ body: (Vault, Device) async throws -> Result
    ) async throws -> Result {
        try await withVault(mayLeaveTPM: false, asksSensor: asksSensor, readsWallets: readsWallets) { vault, place in
            try await body(vault, place.device)
        }
    }

    /// Opens the vault like `withVault(asksSensor:readsWallets:_:)`, for a command that may move it off a lost TPM.
    ///
    /// - Parameters:
    ///   - mayLeaveTPM: whether `--device files` may replace a TPM that is gone.
    ///   - asksSensor: whether to report what the sensor can do.
    ///   - asksService: whether to contact an account's service before the first look.
    ///   - adoptsPolicy: whether a pending policy takes effect once the PIN or password is given.
    ///   - readsWallets: whether the command needs the wallets' rows, which are read while the PIN is stretched.
    func withVault<Result: Sendable>(
        mayLeaveTPM: Bool,
        asksSensor: Bool = false,
        asksService: Bool = true,
        adoptsPolicy: Bool = true,
        readsWallets: Bool = true,
        _ body: (Vault, Place) async throws -> Result
    ) async throws -> Result {
        let folder = try vaultFolder()
        // Check this before opening the device, which would be created if it is missing.
        if Folders.isAbsent(folder) { throw Failure(.vaultMissing) }
        let found = try FoundVault(in: folder)
        let place = try await place(of: found.origin, mayLeaveTPM: mayLeaveTPM)
        var configuration = configuration()
        configuration.leavesDevice = place.leavesTPM
        configuration.adoptsPolicy = adoptsPolicy
        configuration.readsAhead = readsWallets
        configuration.asksSensor = asksSensor
        configuration.legacy = await FormerWallet.migration(on: place.device, completionWords)
        let (origin, device) = (found.origin, place.device)
        let vault: Vault
        do {
            vault = try await Vault.open(found, device: device, configuration: configuration) { contact in
                asksService ? await answer(for: contact, on: device) : nil
            }
        } catch {
            throw await naming(Failure(error), of: error, on: device, items: origin.items)
        }
        if await vault.isOnRevokedDevice { output.note(Self.revoked) }
        return try await closing(vault) { vault in try await body(vault, place) }
    }

    private static let revoked = Words(
        "the account has revoked this device: `thumbturn account login` adds it again; if its key is gone, the recovery key"
            + " exports (`thumbturn wallet export --recovery --all`)",
        "le compte a révoqué cet appareil : `thumbturn account login` le réinscrit ; si sa clé a disparu, la clé de secours"
            + " exporte (`thumbturn wallet export --recovery --all`)"
    )

    func closing<Result: Sendable>(_ vault: Vault, _ body: (Vault) async throws -> Result) async throws -> Result {
        do {
            let result = try await body(vault)
            await vault.close()
            return result
        } catch {
            let failure = advice.failure(
                error,
                of: await vault.snapshot,
                asking: await vault.factor,
                onRevokedDevice: await vault.isOnRevokedDevice
            )
            let named = await naming(failure, of: error, on: vault.device, items: vault.ownItems)
            await vault.close()
            throw named
        }
    }
}
