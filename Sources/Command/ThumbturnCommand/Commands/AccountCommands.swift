import Thumbturn
import ThumbturnAccount
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTransport

// account register, login, password, devices, contact, close.
extension Context {
    /// Creates an account and a vault that its password opens.
    func register(_ place: AccountPlace, _ options: AccountOptions) async throws {
        let secret = { () throws(Failure) -> SecretBytes in
            let password = try secrets.readNewPassword()
            if !AccountPassword.isASCII(password) { output.note(Self.notASCII) }
            return password
        }
        try await enrol(place, allowsOffline: options.allowsOffline, reading: secret) {
            (password, folder, device, policy) async throws(VaultError) in
            try await AccountVault.register(
                place.name,
                password: password,
                over: place.transport,
                in: folder,
                device: device,
                deviceName: options.deviceName,
                policy: policy,
                configuration: configuration()
            )
        }
    }

    /// Logs in, either on a further device of the account or as the strong unlock of this one.
    ///
    /// - Parameter options: the account and service; `nil` means the account of the existing vault.
    func logIn(_ options: AccountOptions?, acceptsWeaker: Bool) async throws {
        let place = try options.map(AccountPlace.init)
        let allowsOffline = options?.allowsOffline ?? false
        // A failed first attempt may have left a folder without a vault.
        do {
            return try await unlock(as: place, called: options?.deviceName, allowsOffline: allowsOffline, acceptsWeaker)
        } catch {
            guard Failure(error).code == .vaultMissing else { throw error }
        }
        guard let place else {
            throw Failure.usage(
                Words(
                    "there is no vault yet: give NAME and --service URL",
                    "il n'y a pas encore de coffre : donnez NOM et --service URL"
                )
            )
        }
        let secret = { () throws(Failure) -> SecretBytes in try secrets.read(.password) }
        try await enrol(place, allowsOffline: allowsOffline, reading: secret) {
            (password, folder, device, policy) async throws(VaultError) in
            try await AccountVault.logIn(
                place.name,
                password: password,
                over: place.transport,
                in: folder,
                device: device,
                deviceName: options?.deviceName,
                policy: policy,
                configuration: configuration()
            )
        }
    }

    /// Unlocks the existing vault with the account's password.
    ///
    /// - Parameter name: the new name the account lists this device under; `nil` keeps the current one.
    private func unlock(
        as place: AccountPlace?,
        called name: String?,
        allowsOffline: Bool,
        _ acceptsWeaker: Bool
    ) async throws {
        try await withVault(mayLeaveTPM: false) { vault, _ in
            let known = try await vault.requiredAccount
            guard place.map({ $0.name == known.name }) != false else { throw Failure(.accountMismatch) }
            guard place.map({ $0.transport.origin == known.service.address }) != false else {
                throw Failure(.serviceElsewhere)
            }
            if allowsOffline, await !vault.snapshot.policy.allowsOfflinePassword {
                throw Failure.usage(
                    Words(
                        "for a vault that exists, run `thumbturn policy set offline-password yes`",
                        "pour un coffre existant, lancez `thumbturn policy set offline-password yes`"
                    )
                )
            }
            // The address, authority and key given here are trusted from now on.
            let transport = try place?.transport.beside(known.service) ?? known.transport
            let account = AccountVault(
                vault,
                over: transport,
                renewingWay: place != nil,
                called: name.flatMap { DeviceName($0) }
            )
            let former = await vault.snapshot
            var password = HeldSecret(try secrets.read(.password))
            _ = try await retrying(&password, on: vault) { password in
                try await account.unlock(with: password.bytes, acceptsWeaker: acceptsWeaker)
            }
            await tellOfPolicy(vault, since: former)
            try await tell(opened: vault, with: .password)
            await deliverBriefly(account)
        }
    }

    private func enrol(
        _ place: AccountPlace,
        allowsOffline: Bool,
        reading secret: () throws(Failure) -> SecretBytes,
        _ make: (borrowing SecretBytes, String, Device, VaultPolicy) async throws(VaultError) -> AccountVault.Enrolled
    ) async throws {
        var existed = false
        let folder = try vaultFolder()
        try requirePlace(for: folder)
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
                made = try await making(on: device, despite: damage) { () async throws(VaultError) in
                    let enrolled = try await make(password.bytes, folder, device, policy)
                    existed = enrolled.existed
                    return enrolled.account.vault
                }
            } catch {
                guard tries.hasMore, Failure(error).code == .strongFactorRefused else { throw error }
                tries.next(after: Self.wrongPassword)
                password = HeldSecret(try secret())
            }
        }
        guard let vault = made else { throw Failure(.storageUnavailable) }
        let account = await vault.account
        try output.print(
            Words(
                "The account's password opens the vault in \(folder).",
                "Le mot de passe du compte ouvre le coffre dans \(folder)."
            ) + prospect.line,
            json: [
                "vault": .string(folder), "account": .string(place.name), "service": .string(place.transport.origin),
                "origin": JSON(account?.service.name),
                "userId": JSON(account?.userID.text), "deviceId": JSON(account?.device.text),
                "keys": .string(prospect.choice.rawValue),
                "assurance": .string(device.store.assurance(of: .deviceOnly).name),
                "existed": .bool(existed),
            ]
        )
        if existed {
            output.note(
                Words(
                    "the account exists already, and this is its password: this device joined it, as with"
                        + " `thumbturn account login`",
                    "le compte existait déjà, et c'est son mot de passe : cet appareil l'a rejoint, comme avec"
                        + " `thumbturn account login`"
                )
            )
        }
        output.note(
            Words(
                "in case you forget the password, `thumbturn recovery create` makes a key that still exports",
                "au cas où vous oublieriez le mot de passe, `thumbturn recovery create` crée une clé qui exporte encore"
            )
        )
        await deliverBriefly(AccountVault(vault, over: place.transport))
        await vault.close()
    }

    private static let notASCII = Words(
        "the password has characters that another keyboard may type as other bytes",
        "le mot de passe a des caractères qu'un autre clavier peut taper en d'autres octets"
    )
}

extension Context {
    func changePassword() async throws {
        try await withAccount { account in
            var former = HeldSecret(try secrets.read(.password))
            let given =
                secrets.isTerminal
                ? nil : HeldSecret(try secrets.readNewPassword(otherThan: former))
            // Check the former password before the user thinks of a new one.
            if secrets.isTerminal {
                _ = try await retrying(&former, on: account.vault) { try await account.unlock(with: $0.bytes) }
            }
            let new =
                try given ?? HeldSecret(secrets.readNewPassword(otherThan: former))
            _ = try await account.changePassword(from: former.bytes, to: new.bytes)
            try output.print(
                Words(
                    "The password was changed. Biometrics are off here, and on other devices from their next contact.",
                    "Le mot de passe est changé. La biométrie est désactivée ici, et sur les autres appareils à leur prochain contact."
                ),
                json: ["changed": .bool(true)]
            )
            output.note(
                Words(
                    "open sessions, recovery keys and earlier copies are not affected",
                    "les sessions ouvertes, les clés de secours et les copies antérieures restent valables"
                )
            )
        }
    }

    /// Lists the account's devices, or revokes one.
    ///
    /// - Parameter text: the device's name or identifier, or a prefix of one.
    func showDevices(revoking text: String?) async throws {
        try await withAccount { account in
            var password = HeldSecret(try secrets.read(.password))
            var revoked: String?
            if let text {
                revoked = try await retrying(&password, on: account.vault) { try await account.revoke(text, $0.bytes) }
                output.note(
                    Words(
                        "what is only in that device's vault now opens with its recovery key alone",
                        "ce qui n'est que dans le coffre de cet appareil ne s'ouvre plus qu'avec sa clé de secours"
                    )
                )
            }
            let devices = try await retrying(&password, on: account.vault) { try await account.devices($0.bytes) }
            let lines = devices.map { device in
                Words("\(device.id)  ") + Words(device.name.map { $0 + "  " } ?? "")
                    + (device.createdAt.map { Words($0.date) } ?? Words("no longer listed", "n'est plus inscrit"))
                    + (device.isThis ? Words("  this device", "  cet appareil") : Words(""))
            }
            try output.print(
                lines.joined(separator: "\n"),
                json: [
                    "devices": .array(
                        devices.map { device in
                            [
                                "deviceId": .string(device.id), "name": JSON(device.name),
                                "createdAt": device.createdAt.map { .integer($0.count) } ?? .null,
                                "isThis": .bool(device.isThis),
                            ]
                        }
                    ),
                    "revoked": JSON(revoked),
                ]
            )
        }
    }

    func moveAccount(to options: ServiceOptions) async throws {
        // Send nothing to the old address.
        try await withVault(mayLeaveTPM: false, asksService: false) { vault, _ in
            let known = try await vault.requiredAccount
            let transport = try AccountTransport(options).beside(known.service)
            // Do not read the certificates trusted for the old address: the file may be gone.
            let account = AccountVault(vault, over: transport)
            var password = HeldSecret(try secrets.read(.password))
            try await retrying(&password, on: vault, meaning: Self.refusedThere) {
                _ = try await account.move(to: transport, with: $0.bytes)
            }
            try output.print(
                Words("The service is at ", "Le service est à ") + Words(transport.origin) + Words("."),
                json: ["service": .string(transport.origin), "origin": .string(known.service.name)]
            )
        }
    }

    private static let refusedThere = Words(
        "the service there refused this name and password: it is another service, or the password is wrong",
        "le service à cette adresse a refusé ce nom et ce mot de passe : c'est un autre, ou le mot de passe est faux"
    )

    /// Contacts the service to check that the account is unchanged.
    func contact() async throws {
        // Contact it before the first look too: otherwise days of silence would already disable biometrics.
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

    func closeAccount() async throws {
        try await withAccount(delivers: false) { account in
            let name = try await account.vault.requiredAccount.name
            var password = HeldSecret(try secrets.read(.password))
            guard try secrets.readText(.accountName) == name else { throw Failure(.confirmationMissing) }
            try await retrying(&password, on: account.vault) { try await account.close($0.bytes) }
            let unsent = await account.vault.undeliveredEvents
            try output.print(
                Words(
                    "The account is closed. The recovery key exports what is in the vault: `thumbturn wallet export --recovery --all`.",
                    "Le compte est fermé. La clé de secours exporte ce qui est dans le coffre : `thumbturn wallet export --recovery --all`."
                ),
                json: ["closed": .bool(true), "unsent": .integer(Int64(clamping: unsent))]
            )
            tellOfUnsent(unsent)
        }
    }

    /// Says that events stay on this device for good.
    func tellOfUnsent(_ count: UInt64) {
        guard count > 0 else { return }
        output.note(
            .events(count)
                + Words(" could not be sent to the account's log", " n'ont pu être envoyés au registre du compte")
        )
    }

    /// - Parameter delivers: whether events are sent when the service has answered.
    private func withAccount<Result: Sendable>(
        delivers: Bool = true,
        _ body: (AccountVault) async throws -> Result
    ) async throws -> Result {
        try await withVault(mayLeaveTPM: false) { vault, _ in
            let account = AccountVault(vault, over: try await vault.requiredAccount.transport)
            do {
                let result = try await body(account)
                if delivers { await deliverBriefly(account) }
                return result
            } catch let error as VaultError where error.code == .securityEventMissing {
                // What happens on a revoked device is what its owner wants to see.
                if delivers { await deliverBriefly(account) }
                throw error
            }
        }
    }
}

// Uses the account's password wherever a PIN is asked for.
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

    /// Opens a session with a PIN or with the account's password, offline too if the policy allows it.
    func open(_ vault: Vault, with secret: HeldSecret) async throws -> SlotKind {
        do {
            return try await prove(secret, to: vault).slot
        } catch let error as VaultError where error.code == .serviceUnreachable {
            guard let account = await vault.account, await vault.snapshot.policy.allowsOfflinePassword else {
                throw error
            }
            let offline = try AccountVault(vault, over: account.transport)
            do throws(VaultError) { try await offline.unlockOffline(with: secret.bytes) } catch {
                guard error.code == .serviceUnreachable else { throw error }
                throw Failure(.serviceUnreachable, hint: Self.nothingKept)
            }
            output.note(
                Words(
                    "the service can't be reached: the password opens the vault, but exporting and changing a way in need the service",
                    "le service est injoignable : le mot de passe ouvre le coffre, mais exporter ou changer un accès demande le service"
                )
            )
            return .password
        }
    }

    private static let nothingKept = Words(
        "try again; the vault opens without the service only after a login, which is needed again once the password changed or"
            + " the service was silent for too long",
        "réessayez ; le coffre ne s'ouvre sans le service qu'après une connexion, à refaire si le mot de passe a changé ou si le"
            + " service s'est tu trop longtemps"
    )

    /// Returns the service's answer before the first look; `nil` if it does not answer within a second.
    func answer(for contact: AccountContact, on device: Device) async -> ServiceAnswer? {
        guard let transport = try? contact.account.transport else { return nil }
        do throws(VaultError) {
            return try await AccountVault.answer(
                for: contact,
                on: device,
                over: transport,
                patience: Patience.serviceWord
            )
        } catch {
            if error.code == .contactNotProved {
                output.note(error.diagnostic == VaultError.deviceUnknown ? Self.unknown : Self.unproved)
            }
            return nil
        }
    }

    private static let unknown =
        Words("the service says that it does not know this device: ", "le service dit ne pas connaître cet appareil : ")
        + Failure.unknownDevice
    private static let unproved = Words(
        "the service's answer is not proved by this device's last login, and is ignored: `thumbturn account login` fixes this",
        "la réponse du service n'est pas prouvée par la dernière connexion de cet appareil, et est ignorée : `thumbturn account"
            + " login` y remédie"
    )
}

/// An account's name, and the transport to its service.
struct AccountPlace: Sendable {
    let name: String
    let transport: AccountTransport

    init(_ options: AccountOptions) throws(Failure) {
        name = options.name
        transport = try AccountTransport(options.service)
    }
}

extension AccountTransport {
    fileprivate init(_ options: ServiceOptions) throws(Failure) {
        do {
            self = try .system(
                origin: ServiceAddress(options.address).origin,
                // The path is stored, and later commands run in other folders.
                authority: options.authority.map(Folders.absolute),
                pin: options.pin
            )
        } catch let failure as AccountFailure {
            throw Failure(VaultError(failure))
        } catch {
            throw Failure(error)
        }
    }

    /// Fills in the remembered certificates and key where none is given, unless the connection has no TLS.
    fileprivate func beside(_ known: VaultAccount.Service) throws(VaultError) -> AccountTransport {
        guard try !Self.isPlain(origin) else { return self }
        return try .system(origin: origin, authority: authority ?? known.authority, pin: pin ?? known.pin)
    }

    fileprivate static func isPlain(_ address: String) throws(VaultError) -> Bool {
        do throws(AccountFailure) { return try ServiceAddress(address).isPlain } catch { throw VaultError(error) }
    }
}

extension VaultAccount {
    /// The transport to its service, trusting the certificates and key the vault remembers.
    var transport: AccountTransport {
        get throws(VaultError) { try AccountTransport.system(origin: service.address).beside(service) }
    }
}
