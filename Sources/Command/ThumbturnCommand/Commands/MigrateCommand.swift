import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnRules

// migrate legacy.
extension Context {
    /// Migrates what another app sealed in a file, into the existing vault or into a new one.
    ///
    /// - Parameters:
    ///   - kind: the kind of wallet the user says it is.
    ///   - isRehearsal: whether to stop once the file has been opened.
    func migrateLegacy(
        _ path: String,
        named name: String?,
        as kind: WalletKind,
        isRehearsal: Bool
    ) async throws -> Int32 {
        let former = try await FormerFile(path, named: name, as: kind)
        let (present, damage) = try await presentVault()
        guard let vault = present else {
            _ = try former.parsed()
            let prospect = try await prospect()
            var line = HeldSecret(try secrets.read(.formerPIN))
            if isRehearsal, let damage { throw damage }
            do {
                let count = try rehearse(former, &line)
                if isRehearsal { return try tell(rehearsed: count, former, line, makesVaultOn: prospect) }
                return try await makeVault(of: former, line, on: prospect)
            } catch let error as VaultError where [.legacySecretRefused, .vaultExists].contains(error.code) {
                guard let damage else { throw error }
                // If another process has created a vault meanwhile, report that.
                if error.code == .vaultExists, try await refuseVault(in: vaultFolder()) == nil { throw error }
                // For a damaged rather than unfinished vault, the first line would be another PIN.
                throw damage
            }
        }
        return try await closing(vault) { vault in
            // The remains of an interrupted erase can't be opened, and need not be: the vault has recorded the erase.
            let isRemains = await vault.snapshot.migration == .erasing && former.isMalformed && !isRehearsal
            if !isRemains { _ = try former.parsed() }
            let pin = secrets.isTerminal ? nil : HeldSecret(try secrets.read(.pin))
            var line = try lineOfFile(orElse: pin)
            let count = isRemains ? 0 : try rehearse(former, &line)
            if isRehearsal { return try tell(rehearsed: count, former, line, makesVaultOn: nil) }
            _ = try await openSession(vault, given: pin)
            return try await add(former, line, to: vault)
        }
    }

    /// Returns the vault of this command, locked; `nil` if there is none, with `damage` if its creation was
    /// interrupted.
    private func presentVault() async throws -> (Vault?, damage: VaultError?) {
        let folder = try vaultFolder()
        if Folders.isAbsent(folder) { return (nil, nil) }
        do {
            let device = try await device(ofVaultIn: folder)
            return (try await Vault.open(in: folder, device: device, configuration: configuration()), nil)
        } catch let error as VaultError {
            switch error.code {
            case .vaultMissing: return (nil, nil)
            // Creating it anew will show whether that is possible.
            case .vaultDamaged: return (nil, error)
            default: throw error
            }
        }
    }

    private func lineOfFile(orElse pin: HeldSecret?) throws -> HeldSecret {
        guard let secret = try secrets.readIfPresent(.formerPIN) else {
            guard let pin else { throw Failure(.inputClosed) }
            return pin
        }
        return HeldSecret(secret)
    }

    /// Opens the file before touching anything else: a faulty file leaves no trace in the vault or device.
    ///
    /// This costs one more derivation. A terminal asks again after a wrong PIN, up to three times in all; these
    /// attempts are not counted.
    ///
    /// - Parameter line: the PIN read; receives the one that was accepted.
    /// - Returns: the number of words of the mnemonic, or the number of bytes of any other secret.
    private func rehearse(_ former: FormerFile, _ line: inout HeldSecret) throws -> Int {
        var tries = Tries(of: secrets)
        while true {
            do { return try rehearse(former, line) } catch let error as VaultError {
                guard tries.hasMore, error.code == .legacySecretRefused else { throw error }
                tries.next(after: Failure(error))
                line = HeldSecret(try secrets.read(.formerPIN))
            }
        }
    }

    private func rehearse(_ former: FormerFile, _ line: HeldSecret) throws -> Int {
        output.showProgress(Words("opening the file", "ouverture du fichier"))
        defer { output.showProgress(Words("")) }
        let count = try former.parsed().open(with: line.bytes, as: former.kind).byteCount
        return former.kind == .mnemonic ? count * 3 / 4 : count
    }

    private func add(_ former: FormerFile, _ line: HeldSecret, to vault: Vault) async throws -> Int32 {
        let before = await vault.snapshot.walletCount
        var failure: VaultError?
        do throws(VaultError) {
            defer { output.showProgress(Words("")) }
            try await vault.migrate([former.migration()], with: line.bytes, progress: progress)
        } catch {
            if error.code == .nameTaken { throw Failure(error.code, hint: Self.nameHint) }
            guard error.code == .legacyNotErased else { throw error }
            failure = error
        }
        return try tell(former, isNew: await vault.snapshot.walletCount > before, failure)
    }

    private func makeVault(of former: FormerFile, _ line: HeldSecret, on prospect: Prospect) async throws -> Int32 {
        let folder = try vaultFolder()
        try requirePlace(for: folder)
        tellWorth(of: prospect)
        let pin = try newPIN(insteadOf: line, under: prospect.assurance)
        try secrets.refuseMore()
        let device = try await open(prospect.choice)
        if options.vault == nil { try Folders.makeParents(of: folder) }
        let made = try await Vault.migrate(
            in: folder,
            device: device,
            secret: line.bytes,
            newSecret: pin?.bytes.copy(),
            configuration: configuration(former.migration(under: prospect.policy(withBiometrics: false)))
        )
        await made.vault.close()
        return try tell(former, isNew: true, made.erasureFailure)
    }

    /// Returns a new PIN to replace one that the vault's rules refuse; `nil` if they allow it.
    private func newPIN(insteadOf line: HeldSecret, under assurance: Assurance) throws -> HeldSecret? {
        guard let weakness = Self.weakness(of: line, under: assurance) else { return nil }
        let refusal = Failure(
            weakness,
            hint: Words("give a new PIN on the next line", "donnez un nouveau code sur la ligne suivante")
        )
        if secrets.isTerminal { output.note(refusal) }
        do {
            return HeldSecret(try secrets.readNewPIN(under: assurance))
        } catch {
            throw error.code == .inputClosed ? refusal : error
        }
    }

    private static func weakness(of line: HeldSecret, under assurance: Assurance) -> ErrorCode? {
        line.bytes.withBytes { LocalSecretRules.weakness(of: $0, under: assurance) }
    }

    fileprivate static let nameHint = Words("choose another: --name NAME", "choisissez-en un autre : --name NOM")
}

// Messages.
extension Context {
    private func tell(
        rehearsed count: Int,
        _ former: FormerFile,
        _ line: HeldSecret,
        makesVaultOn prospect: Prospect?
    ) throws -> Int32 {
        let (name, folder) = (former.name.text, try vaultFolder())
        let makesVault = prospect != nil
        let needsPIN = prospect.map { Self.weakness(of: line, under: $0.assurance) != nil } ?? false
        let format = try former.parsed().format
        let isMnemonic = former.kind == .mnemonic
        try output.print(
            Words(
                "\(format.name), \(count) \(isMnemonic ? "words" : "bytes"): the PIN is right.",
                "\(format.name), \(count) \(isMnemonic ? "mots" : "octets") : le code est bon."
            )
                + (makesVault
                    ? Words(
                        "\nIt would make the vault \(folder), with the wallet \(name).",
                        "\nLe coffre \(folder) serait créé, avec le portefeuille \(name)."
                    )
                    : Words(
                        "\nIt would be imported into the vault \(folder) as \(name).",
                        "\nIl serait importé dans le coffre \(folder) sous le nom \(name)."
                    ))
                + (needsPIN
                    ? Words(
                        "\nThe vault would need another PIN than the file's.",
                        "\nLe coffre demanderait un autre code que celui du fichier."
                    ) : Words(""))
                + Words(
                    "\nThen the file would be erased. Nothing was changed.",
                    "\nEnsuite le fichier serait effacé. Rien n'a été changé."
                ),
            json: [
                "dryRun": .bool(true), "format": .string(format.name), "words": isMnemonic ? JSON(count) : .null,
                "name": .string(name),
                "vault": .string(folder), "makesVault": .bool(makesVault), "needsNewPIN": .bool(needsPIN),
            ]
        )
        return 0
    }

    /// - Returns: the exit code; a file that could not be erased is a failure, even though the wallet is in the vault.
    private func tell(_ former: FormerFile, isNew: Bool, _ failure: VaultError?) throws -> Int32 {
        let (name, folder) = (former.name.text, try vaultFolder())
        try output.print(
            (isNew
                ? Words("Imported: \(name).", "Importé : \(name).")
                : Words("It is already in the vault.", "Il est déjà dans le coffre."))
                + (failure == nil ? Words("\nThe file is erased.", "\nLe fichier est effacé.") : Words("")),
            json: [
                "name": isNew ? .string(name) : .null, "vault": .string(folder), "imported": .bool(isNew),
                "erased": .bool(failure == nil),
            ]
        )
        guard let failure else { return 0 }
        output.note(Failure(failure))
        output.note(Words("run the command again, or delete the file", "relancez la commande, ou supprimez le fichier"))
        return Failure(failure).exitCode
    }
}

/// The former app's file, opened once: the file that is read is the one that is erased.
private struct FormerFile {
    let name: WalletName
    let kind: WalletKind
    private let file: LegacyFile
    private let sealed: Result<LegacySealed, VaultError>

    init(_ path: String, named name: String?, as kind: WalletKind) async throws {
        self.kind = kind
        self.name = try Self.name(name, of: path)
        file = try Self.open(path)
        sealed = try await Self.read(file)
    }

    func migration(under policy: VaultPolicy = .wallet) -> LegacyMigration {
        var migration = LegacyMigration(of: file, named: name, policy: policy)
        migration.kind = kind
        return migration
    }

    private static func open(_ path: String) throws -> LegacyFile {
        do throws(VaultError) { return try LegacyFile(path) } catch {
            guard error.code == .vaultUnsafe else { throw error }
            throw Failure(
                error.code,
                error.diagnostic.map { Words(diagnostic: $0) },
                hint: Words(
                    "it must be your own file, not a link, and nobody else may write to it: chmod 600 FILE",
                    "ce doit être votre fichier, pas un lien, et personne d'autre ne doit pouvoir y écrire : chmod 600 FICHIER"
                )
            )
        }
    }

    private static func read(_ file: LegacyFile) async throws -> Result<LegacySealed, VaultError> {
        let bytes = try await bytes(of: file)
        do throws(VaultError) { return .success(try LegacySealed(reading: bytes)) } catch { return .failure(error) }
    }

    private static func bytes(of file: LegacyFile) async throws -> SecretBytes {
        do { if let bytes = try await file.readSealed() { return bytes } } catch {
            throw Failure(.storageUnavailable, Words("the file can't be read", "fichier illisible"))
        }
        throw Failure(.legacyMissing)
    }

    var isMalformed: Bool {
        guard case .failure(let error) = sealed else { return false }
        return error.code == .legacyMalformed
    }

    func parsed() throws(VaultError) -> LegacySealed { try sealed.get() }

    /// Returns the given name, or else the file's name without folder and extension.
    private static func name(_ given: String?, of path: String) throws -> WalletName {
        if let given { return try WalletName(given) }
        let file = path.split(separator: "/").last ?? ""
        let end = file.dropFirst().lastIndex(of: ".") ?? file.endIndex
        do { return try WalletName(String(file[..<end])) } catch {
            throw Failure(error.code, hint: Context.nameHint)
        }
    }
}

extension LegacyFormat {
    fileprivate var name: String {
        switch self {
        case .openSSL: "openssl"
        case .argon2(let version): "argon2-\(version)"
        }
    }
}
