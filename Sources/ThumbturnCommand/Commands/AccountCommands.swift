import Thumbturn
import ThumbturnAccount
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTransport

// account register, login, password, devices, contact, close.
extension Context {
    /// Makes an account, and a vault that its password opens.
    func register(_ place: AccountPlace, allowsOffline: Bool) async throws {
        let secret = { () throws(Failure) -> SecretBytes in
            let password = try secrets.readNewPIN(under: LocalSecretRules.accountAssurance)
            if !AccountPassword.isASCII(password) { output.note(Self.notASCII) }
            return password
        }
        try await enrol(place, allowsOffline: allowsOffline, reading: secret) {
            (password, folder, device, policy) async throws(VaultError) in
            try await AccountVault.register(
                place.name,
                password: password,
                over: place.transport,
                in: folder,
                device: device,
                policy: policy,
                configuration: configuration()
            )
        }
    }

    /// Logs in: on a further device of the account, or as the strong unlock of this one.
    ///
    /// - Parameter place: where and as whom; nil is the account of the vault that is there.
    func logIn(_ place: AccountPlace?, allowsOffline: Bool, acceptsWeaker: Bool) async throws {
        // A first try that failed may have left a folder in which no vault was made.
        do { return try await unlock(as: place, allowsOffline: allowsOffline, acceptsWeaker) } catch {
            guard Failure(error).code == .vaultMissing else { throw error }
        }
        guard let place else {
            throw Failure.usage(
                Words(
                    "there is no vault: it takes NAME and --service URL",
                    "il n'y a pas de coffre : il faut NOM et --service URL"
                )
            )
        }
        let secret = { () throws(Failure) -> SecretBytes in try secrets.read(.pin) }
        try await enrol(place, allowsOffline: allowsOffline, reading: secret) {
            (password, folder, device, policy) async throws(VaultError) in
            try await AccountVault.logIn(
                place.name,
                password: password,
                over: place.transport,
                in: folder,
                device: device,
                policy: policy,
                configuration: configuration()
            )
        }
    }

    /// The strong unlock of the vault that is there.
    private func unlock(as place: AccountPlace?, allowsOffline: Bool, _ acceptsWeaker: Bool) async throws {
        try await withVault(mayLeaveTPM: false) { vault, _ in
            let known = try await vault.requiredAccount
            guard place?.isWhere(known) != false else { throw Failure(.accountMismatch) }
            if allowsOffline, await !vault.snapshot.policy.allowsOfflinePassword {
                throw Failure.usage(
                    Words(
                        "`thumbturn policy set offline-password yes` does that for a vault that is there",
                        "`thumbturn policy set offline-password yes` le fait pour un coffre qui existe"
                    )
                )
            }
            // What was named here is trusted from now on.
            let transport = try place?.transport(beside: known.service) ?? known.transport
            let account = AccountVault(vault, over: transport, renewingTrust: place != nil)
            let former = await vault.snapshot
            var password = HeldSecret(try secrets.read(.pin))
            _ = try await retrying(&password, on: vault) { password in
                try await account.unlock(with: password.bytes, acceptsWeaker: acceptsWeaker)
            }
            await tellOfPolicy(vault, since: former)
            try await tell(opened: vault, with: .password)
        }
    }

    private func enrol(
        _ place: AccountPlace,
        allowsOffline: Bool,
        reading secret: () throws(Failure) -> SecretBytes,
        _ make: (borrowing SecretBytes, String, Device, VaultPolicy) async throws(VaultError) -> AccountVault.Enrolled
    ) async throws {
        let folder = try vaultFolder()
        let damage = try await refuseVault(in: folder)
        let prospect = try await prospect()
        tellWorth(of: prospect)
        var password = HeldSecret(try secret())
        let device = try await open(prospect.choice)
        if options.vault == nil { try Folders.makeParents(of: folder) }
        var policy = VaultPolicy.pd107.allowing(prospect.assuranceOfKey)
        policy.allowsOfflinePassword = allowsOffline
        var (made, tries) = (nil as Vault?, Tries(of: secrets))
        while made == nil {
            do {
                made = try await making(despite: damage) { () async throws(VaultError) in
                    try await make(password.bytes, folder, device, policy).account.vault
                }
            } catch {
                guard tries.hasMore, Failure(error).code == .strongFactorRefused else { throw error }
                tries.next(after: Self.wrongSecret)
                password = HeldSecret(try secret())
            }
        }
        guard let vault = made else { throw Failure(.storageUnavailable) }
        let account = await vault.account
        await vault.close()
        try output.print(
            Words(
                "The account's password opens the vault in \(folder).",
                "Le mot de passe du compte ouvre le coffre dans \(folder)."
            ) + prospect.line,
            json: [
                "vault": .string(folder), "account": .string(place.name), "service": .string(place.transport.origin),
                "userId": JSON(account?.userID.text), "deviceId": JSON(account?.device.text),
                "keys": .string(prospect.choice.rawValue),
                "assurance": .string(device.store.assurance(of: .deviceOnly).name),
            ]
        )
        output.note(
            Words(
                "a forgotten password opens nothing: `thumbturn recovery create` makes a key that exports all the same",
                "un mot de passe oublié n'ouvre rien : `thumbturn recovery create` crée une clé qui exporte quand même"
            )
        )
    }

    private static let notASCII = Words(
        "the password has letters that another keyboard may write otherwise",
        "le mot de passe a des lettres qu'un autre clavier peut écrire autrement"
    )
}

extension Context {
    /// Changes the account's password.
    func changePassword() async throws {
        try await withAccount { account in
            var former = HeldSecret(try secrets.read(.pin))
            let given =
                secrets.isTerminal
                ? nil : HeldSecret(try secrets.readNewPIN(under: LocalSecretRules.accountAssurance, otherThan: former))
            // Before a new one is thought of.
            if secrets.isTerminal {
                _ = try await retrying(&former, on: account.vault) { try await account.unlock(with: $0.bytes) }
            }
            let new =
                try given ?? HeldSecret(secrets.readNewPIN(under: LocalSecretRules.accountAssurance, otherThan: former))
            _ = try await account.changePassword(from: former.bytes, to: new.bytes)
            try output.print(
                Words(
                    "The password was changed. Biometrics are off here, and on other devices from their next contact.",
                    "Mot de passe changé. Biométrie désactivée ici, et ailleurs dès le prochain contact."
                ),
                json: ["changed": .bool(true)]
            )
            output.note(
                Words(
                    "it ends no session that is open, and no recovery key or copy from before",
                    "il ne ferme aucune session ouverte, et n'annule ni clé de secours ni copie antérieure"
                )
            )
        }
    }

    /// Lists the account's devices, or revokes one.
    func showDevices(revoking id: String?) async throws {
        try await withAccount { account in
            var password = HeldSecret(try secrets.read(.pin))
            if let id {
                try await retrying(&password, on: account.vault) { try await account.revoke(id, $0.bytes) }
                output.note(
                    Words(
                        "what only that device's vault holds opens with its recovery key alone from now on",
                        "ce que seul le coffre de cet appareil contient ne s'ouvre plus qu'avec sa clé de secours"
                    )
                )
            }
            let devices = try await retrying(&password, on: account.vault) { try await account.devices($0.bytes) }
            let lines = devices.map { device in
                (device.createdAt.map { Words("\(device.id)  \($0.date)") }
                    ?? Words("\(device.id)  listed no more", "\(device.id)  plus inscrit"))
                    + (device.isThis ? Words("  this device", "  cet appareil") : Words(""))
            }
            try output.print(
                lines.joined(separator: "\n"),
                json: [
                    "devices": .array(
                        devices.map { device in
                            [
                                "deviceId": .string(device.id),
                                "createdAt": device.createdAt.map { .integer($0.count) } ?? .null,
                                "isThis": .bool(device.isThis),
                            ]
                        }
                    ),
                    "revoked": JSON(id),
                ]
            )
        }
    }

    /// Asks the service whether all is as it was.
    func contact() async throws {
        // Asked before the first look too, which would otherwise end what a silence of days ends.
        try await withAccount { account in
            try await account.contact()
            let biometrics = await account.vault.snapshot.biometrics
            try output.print(
                Words("The service answered. Biometrics: ", "Le service a répondu. Biométrie : ") + biometrics.text
                    + Words("."),
                json: ["contact": .bool(true), "biometrics": ["state": .string(biometrics.name)]]
            )
        }
    }

    /// Closes the account.
    func closeAccount() async throws {
        try await withAccount { account in
            let name = try await account.vault.requiredAccount.name
            var password = HeldSecret(try secrets.read(.pin))
            guard try secrets.readText(.accountName) == name else { throw Failure(.confirmationMissing) }
            try await retrying(&password, on: account.vault) { try await account.close($0.bytes) }
            try output.print(
                Words(
                    "The account is closed. The recovery key exports what is in the vault: `thumbturn wallet export --recovery --all`.",
                    "Compte fermé. La clé de secours exporte le coffre : `thumbturn wallet export --recovery --all`."
                ),
                json: ["closed": .bool(true)]
            )
        }
    }

    /// Opens the vault of an account for `body`.
    private func withAccount<Result: Sendable>(
        _ body: (AccountVault) async throws -> Result
    ) async throws -> Result {
        try await withVault(mayLeaveTPM: false) { vault, _ in
            let account = try await vault.requiredAccount
            return try await body(AccountVault(vault, over: try account.transport))
        }
    }
}

// The password of an account wherever a PIN is asked for.
extension Context {
    /// Proves a PIN, or the password of the vault's account.
    func prove(_ secret: HeldSecret, to vault: Vault) async throws -> StrongAuthorization {
        let former = await vault.snapshot
        let authorization: StrongAuthorization
        if let account = await vault.account {
            authorization = try await AccountVault(vault, over: account.transport).unlock(with: secret.bytes)
        } else if former.migration == .half {
            authorization = try await complete(vault, with: secret)
        } else {
            authorization = try await vault.unlock(with: secret.bytes)
        }
        await tellOfPolicy(vault, since: former)
        return authorization
    }

    /// Opens a session with a PIN, or with the password of the vault's account; without its service too, where the policy says
    /// so.
    func open(_ vault: Vault, with secret: HeldSecret) async throws -> SlotKind {
        do {
            return try await prove(secret, to: vault).slot
        } catch let error as VaultError where error.code == .serviceUnreachable {
            guard let account = await vault.account, await vault.snapshot.policy.allowsOfflinePassword else {
                throw error
            }
            try await AccountVault(vault, over: account.transport).unlockOffline(with: secret.bytes)
            output.note(
                Words(
                    "the service can't be reached: the password opens, and allows no export and no change of a way in",
                    "service injoignable : le mot de passe ouvre, sans exportation ni changement d'accès"
                )
            )
            return .password
        }
    }

    /// What the account's service says before the first look; nil where it does not answer within a second.
    func word(for account: VaultAccount, on device: Device) async -> ServerWord? {
        guard let transport = try? account.transport else { return nil }
        return try? await AccountVault.word(for: account, on: device, over: transport, patience: .seconds(1))
    }
}

/// Where an account is, and as whom it is asked.
struct AccountPlace: Sendable {
    let name: String
    let transport: AccountTransport

    init(_ options: AccountOptions) throws(Failure) {
        name = options.name
        do {
            transport = try .system(
                origin: ServiceAddress(options.service).origin,
                // It is remembered, and later commands run elsewhere.
                authority: options.authority.map(Folders.absolute),
                pin: options.pin
            )
        } catch let failure as AccountFailure {
            throw Failure(VaultError(failure))
        } catch {
            throw Failure(error)
        }
    }
}

extension AccountPlace {
    /// Whether a vault's account is this one.
    fileprivate func isWhere(_ known: VaultAccount) -> Bool {
        known.name == name && known.service.origin == transport.origin
    }

    /// The way to the service: where no certificates or no key was named, the remembered ones stay.
    fileprivate func transport(beside known: VaultAccount.Service) throws(VaultError) -> AccountTransport {
        try .system(
            origin: transport.origin,
            authority: transport.authority ?? known.authority,
            pin: transport.pin ?? known.pin
        )
    }
}

extension VaultAccount {
    /// The way to its service, trusting what was trusted when the vault was made.
    var transport: AccountTransport {
        get throws(VaultError) {
            try .system(origin: service.origin, authority: service.authority, pin: service.pin)
        }
    }
}
