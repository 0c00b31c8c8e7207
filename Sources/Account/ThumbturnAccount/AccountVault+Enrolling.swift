public import Thumbturn
public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

// Sets up an account's first device, and further ones.
extension AccountVault {
    /// Registers an account, and creates a vault on this device that its password opens.
    ///
    /// If the answer to the registration was lost, or the name is taken, a login tells whether the account is ours
    /// after all: then nothing is registered, and this becomes a further device of the account.
    ///
    /// - Parameters:
    ///   - name: 1 to 64 of `a-z 0-9 . _ + @ -`.
    ///   - password: UTF-8, as it was typed; nothing is normalised, so one that is not ASCII may be hard to type
    ///     elsewhere.
    ///   - transport: the transport to the service.
    ///   - folder: the folder for the vault; it must not contain one, and its parent must exist.
    ///   - device: the device that is to guard it.
    ///   - deviceName: the account's name for this device, 1 to 64 characters, readable by the service; `nil` uses the
    ///     kind of system.
    ///   - policy: the rules; `.pd107`, or one that allows more.
    ///   - configuration: the app's choices.
    /// - Returns: the vault, unlocked, and the authorization for calls that could cost coins.
    /// - Throws: `.usage` for a policy without an account, `.accountNameTaken`, `.accountNameInvalid`, `.vaultExists`,
    ///   any weakness that `LocalSecretRules` finds, `.serviceUnreachable`, or why storage failed. An account may then
    ///   exist without a vault; a login creates that.
    public static func register(
        _ name: String,
        password: borrowing SecretBytes,
        over transport: AccountTransport,
        in folder: String,
        device: Device,
        deviceName: String? = nil,
        policy: VaultPolicy = .pd107,
        configuration: VaultConfiguration = VaultConfiguration()
    ) async throws(VaultError) -> Enrolled {
        if let weakness = password.withBytes({
            LocalSecretRules.weakness(of: $0, under: LocalSecretRules.accountAssurance)
        }) {
            throw VaultError(weakness)
        }
        let client = try client(name, over: transport)
        let begun = try await begin(
            in: folder,
            device: device,
            called: deviceName,
            policy: policy,
            configuration: configuration
        )
        let registration = try await begun.registering { () async throws(AccountFailure) -> Registration in
            try await register(password, client, at: configuration.argon2.forAccounts)
        }
        return try await begun.registering { () async throws(AccountFailure) -> Enrolled in
            do throws(AccountFailure) {
                var enrolled = try await enrol(begun, client, password)
                enrolled.existed = registration == .taken
                return enrolled
            } catch  where error == .passwordRefused && registration != .done {
                throw registration == .taken ? .nameTaken : .unreachable
            }
        }
    }

    private enum Registration {
        case done
        /// The answer was lost.
        case unknown
        /// The name is taken, perhaps by our own registration whose answer was lost.
        case taken
    }

    private static func register(
        _ password: borrowing SecretBytes,
        _ client: AccountClient,
        at cost: Argon2Parameters
    ) async throws(AccountFailure) -> Registration {
        let derived = try AccountPassword.make(password, kdf: cost)
        do throws(AccountFailure) {
            // The envelope is bound to the service's name, which only the first login reports.
            try await client.register(derived, envelope: nil)
            return .done
        } catch .lost {
            return .unknown
        } catch .nameTaken {
            return .taken
        }
    }

    /// Logs in on a further device, and creates a vault on it that the account's password opens.
    ///
    /// An account registered without an envelope gets its first key here.
    ///
    /// - Throws: `.usage` for a policy without an account, `.strongFactorRefused`, `.vaultExists`, `.accountKeyMissing`
    ///   if the envelope can't be read, `.serviceUnreachable`, or why storage failed; no vault is created then.
    public static func logIn(
        _ name: String,
        password: borrowing SecretBytes,
        over transport: AccountTransport,
        in folder: String,
        device: Device,
        deviceName: String? = nil,
        policy: VaultPolicy = .pd107,
        configuration: VaultConfiguration = VaultConfiguration()
    ) async throws(VaultError) -> Enrolled {
        let client = try client(name, over: transport)
        let begun = try await begin(
            in: folder,
            device: device,
            called: deviceName,
            policy: policy,
            configuration: configuration
        )
        return try await begun.registering { () async throws(AccountFailure) -> Enrolled in
            try await enrol(begun, client, password)
        }
    }

    private static func client(_ name: String, over transport: AccountTransport) throws(VaultError) -> AccountClient {
        do throws(AccountFailure) { return try AccountClient(named: name, over: transport) } catch {
            throw VaultError(error)
        }
    }

    private static func begin(
        in folder: String,
        device: Device,
        called deviceName: String?,
        policy: VaultPolicy,
        configuration: VaultConfiguration
    ) async throws(VaultError) -> BegunVault {
        guard let name = deviceName.map({ DeviceName($0) }) ?? .ofSystem else {
            throw VaultError(.usage, "a device's name has 1 to 64 characters, none of them invisible")
        }
        let (vault, known) = try await Vault.begin(
            in: folder,
            device: device,
            policy: policy,
            configuration: configuration
        )
        return BegunVault(vault: vault, device: known, name: name)
    }

    /// Lists the device, records in the envelope the key for its slot, and only then creates the vault: so a concurrent
    /// key change can't leave a vault without its key.
    private static func enrol(
        _ begun: BegunVault,
        _ client: AccountClient,
        _ password: borrowing SecretBytes
    ) async throws(AccountFailure) -> Enrolled {
        let login = try await client.loginBesideOthers(password)
        do throws(AccountFailure) { return try await enrol(begun, client, login) } catch {
            // A device that is listed or noted without a vault would keep every former key forever.
            try? await forget(begun.device.id, client, password)
            throw error
        }
    }

    private static func forget(
        _ device: Identifier,
        _ client: AccountClient,
        _ password: borrowing SecretBytes
    ) async throws(AccountFailure) {
        let login = try await client.loginBesideOthers(password)
        try? await client.revokeDevice(login.session, device)
        guard let former = login.envelope else { return }
        let (account, origin) = (client.account, login.service)
        let stored = try AccountEnvelope(opening: former, with: login.envelopeKey, of: account, at: origin)
        guard stored.wrapped[device] != nil else { return }
        let others = try stored.withoutDevices { $0 == device }
        let sealed = try others.sealed(under: login.envelopeKey, of: account, at: origin)
        try await client.putEnvelope(login.session, sealed, replacing: former)
    }

    private static func enrol(
        _ begun: BegunVault,
        _ client: AccountClient,
        _ login: borrowing AccountLogin
    ) async throws(AccountFailure) -> Enrolled {
        let device = begun.device
        _ = try await client.addDevice(login.session, device.id, publicKey: device.publicKey, name: begun.name)
        let envelope = try await Self.envelope(of: login, client, noting: device.id)
        let sealed = try envelope.sealed(under: login.envelopeKey, of: client.account, at: login.service)
        let opening = AccountOpening(
            keys: envelope.takeKeys(),
            account: VaultAccount(
                service: client.transport.service(named: login.service),
                name: client.account.text,
                userID: login.userID,
                device: device.id,
                deviceKey: device.key,
                login: login.protection
            ),
            policyEpoch: login.policyEpoch,
            contactKey: HeldSecret(login.session.contactKey()),
            offline: OfflineLogin(sealed, under: login.envelopeKey)
        )
        do throws(VaultError) {
            let authorization = try await begun.vault.create(by: opening)
            await AccountVault.learnLog(of: begun.vault, client, login.session)
            let account = AccountVault(begun.vault, over: client.transport)
            account.deliverBehind()
            return Enrolled(account: account, authorization: authorization)
        } catch {
            throw .vault(error)
        }
    }

    /// Returns the envelope, after recording at the service that this device's slot is under the newest key.
    private static func envelope(
        of login: borrowing AccountLogin,
        _ client: AccountClient,
        noting device: Identifier
    ) async throws(AccountFailure) -> AccountEnvelope {
        let noted: AccountEnvelope
        if login.envelope == nil {
            noted = try .first(for: device)
        } else {
            let stored = try AccountEnvelope(
                opening: login.envelope,
                with: login.envelopeKey,
                of: client.account,
                at: login.service
            )
            guard stored.wrapped[device] != stored.keys.newest else { return stored }
            noted = try stored.noting(device, wrappedUnder: stored.keys.newest)
        }
        let sealed = try noted.sealed(under: login.envelopeKey, of: client.account, at: login.service)
        try await client.putEnvelope(login.session, sealed, replacing: login.envelope)
        return noted
    }
}

extension DeviceName {
    /// The kind of system rather than the host's name, because the service reads it.
    static var ofSystem: DeviceName? {
        #if os(macOS)
        DeviceName("macOS")
        #elseif os(iOS)
        DeviceName("iOS")
        #else
        DeviceName("Linux")
        #endif
    }
}

/// A vault being created, closed again if that fails.
private struct BegunVault: Sendable {
    let vault: Vault
    let device: AccountDevice
    let name: DeviceName

    func registering<Result: ~Copyable>(
        _ body: () async throws(AccountFailure) -> Result
    ) async throws(VaultError) -> Result {
        do { return try await body() } catch {
            await vault.close()
            throw VaultError(error)
        }
    }
}
