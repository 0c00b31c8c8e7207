public import Thumbturn
public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

/// A vault whose password is an account's (seed 002), with the transport to the service that verifies the password.
///
/// Calls with the password contact the service. Calls with a finger only use the vault, whether or not the service can
/// be reached. No call holds the vault's lock while it waits for the service.
public struct AccountVault: Sendable {
    /// The vault, for calls about wallets, biometrics, recovery and backup.
    public let vault: Vault
    let transport: AccountTransport
    /// The cost of one guess at a new password.
    var kdf: Argon2Parameters { vault.configuration.argon2.forAccounts }

    /// Whether a login proved by both sides replaces the address, certificates and key that the vault remembers with
    /// the transport's.
    let renewsWay: Bool

    /// The name for this device that the next login sets in the account; `nil` keeps the current one.
    let deviceName: DeviceName?

    /// Of this object and its copies.
    let pace = DeliveryPace()

    package init(
        _ vault: Vault,
        over transport: AccountTransport,
        renewingWay: Bool = false,
        called name: DeviceName? = nil
    ) {
        (self.vault, self.transport, renewsWay, deviceName) = (vault, transport, renewingWay, name)
    }

    /// Opens an account's vault, locked.
    ///
    /// It contacts the service first, so that a word that arrives now ends the silence (F-107-09).
    ///
    /// - Parameters:
    ///   - folder: the path of the vault's folder.
    ///   - device: the device it was created on.
    ///   - transport: the transport to the service at the address that the vault knows; otherwise this throws
    ///     `.serviceElsewhere`. If the service has moved, use `move(to:with:)`.
    ///   - patience: how long the service may take to answer, in milliseconds; 0 does not ask.
    ///   - configuration: the app's choices.
    /// - Throws: as `Vault.open`, and `.accountMismatch` for a vault without an account.
    public static func open(
        in folder: String,
        device: Device,
        over transport: AccountTransport,
        patience: Int = 3_000,
        configuration: VaultConfiguration = VaultConfiguration()
    ) async throws(VaultError) -> AccountVault {
        let found = try FoundVault(in: folder, vfs: configuration.vfs)
        let vault = try await Vault.open(found, device: device, configuration: configuration) { contact in
            guard patience > 0, contact.account.service.address == transport.origin else { return nil }
            return try? await Self.answer(
                for: contact,
                on: device,
                over: transport,
                patience: Milliseconds(Int64(patience))
            )
        }
        let opened = AccountVault(vault, over: transport)
        // If the password's slot is lost, the vault can still be opened by its recovery key.
        do throws(VaultError) { _ = try await opened.account() } catch  where error.code == .keyMissing {}
        if patience > 0 { opened.deliverBehind() }
        return opened
    }

    /// Contacts the service and applies its answer (F-107-09): a changed epoch, and a device that is not listed, revoke
    /// biometrics.
    ///
    /// - Throws: `.securityEventMissing` if this device was revoked, `.contactNotProved` if the answer is not proved by
    ///   this device's last login, `.serviceUnreachable` and other failures if there was no contact, which changes
    ///   nothing.
    public func contact() async throws(VaultError) {
        let account = try await account()
        guard let contact = await vault.contact else { throw VaultError(.accountMismatch) }
        let answer = try await Self.answer(for: contact, on: vault.device, over: transport, patience: nil)
        try await vault.accept(answer, of: account)
        // A revoked device's events are what its owner wants to see.
        deliverBehind()
        if answer == .deviceRevoked { throw VaultError(.securityEventMissing) }
    }

    /// Returns the service's answer to a contact.
    ///
    /// - Parameter patience: how long it may take; `nil` means as long as any call.
    package static func answer(
        for contact: AccountContact,
        on device: Device,
        over transport: AccountTransport,
        patience: Milliseconds?
    ) async throws(VaultError) -> ServiceAnswer {
        let account = contact.account
        // Without the key no answer could be proved.
        guard let key = contact.key else { throw VaultError(ErrorCode.contactNotProved) }
        do throws(AccountFailure) {
            let client = try AccountClient(named: account.name, over: transport)
            let answer = try await client.contact(
                from: account.device,
                to: account.service.name,
                at: device.clock().wall,
                timeout: patience,
                provedBy: key.bytes
            ) { (message) throws(VaultError) in
                try await device.sign(message, by: account.deviceKey)
            }
            return .epoch(answer.policyEpoch)
        } catch .deviceRevoked {
            return .deviceRevoked
        } catch .deviceUnknown {
            // A service that does not know the device has no key for a proof; a login lists the device, unless the
            // account was closed.
            throw VaultError(ErrorCode.contactNotProved, VaultError.deviceUnknown)
        } catch {
            throw VaultError(error)
        }
    }

    /// Tells the vault that the app is in the foreground again, and contacts the service (F-107-09).
    ///
    /// A failure shows at the next call.
    public func returnToForeground() async { await vault.returnToForeground { await currentAnswer() } }

    /// Handles the device's events like `Vault.followDevice`, and contacts the service at each return to the
    /// foreground.
    public func followDevice() async { await vault.followDevice { await currentAnswer() } }

    private func currentAnswer() async -> AccountAnswer? {
        guard (try? await account()) != nil, let contact = await vault.contact,
            let answer = try? await Self.answer(
                for: contact,
                on: vault.device,
                over: transport,
                patience: Patience.serviceWord
            )
        else { return nil }
        deliverBehind()
        return AccountAnswer(answer, of: contact.account)
    }

    /// Returns the account as the vault names it; throws if the vault has none or a different service.
    func account() async throws(VaultError) -> VaultAccount {
        let account = try await vault.requiredAccount
        guard account.service.address == transport.origin else { throw VaultError(.serviceElsewhere) }
        return account
    }
}

// The strong unlock.
extension AccountVault {
    /// Unlocks with the account's password, or proves it again in an open session: a login, which returns the account's
    /// key (F-107-05).
    ///
    /// - Parameters:
    ///   - password: UTF-8, as it was typed.
    ///   - acceptsWeaker: whether the owner agreed to a smaller group or a cheaper derivation than this device has used
    ///     before.
    /// - Returns: the authorization for calls that could cost coins.
    /// - Throws: `.strongFactorRefused`, `.attemptDelayed` if the service demands a delay, `.serviceUnreachable`,
    ///   `.serviceNotProved`, `.serviceWeakened`, `.accountKeyMissing`, `.accountMismatch` if the name now belongs to
    ///   another account, `.serviceDiffers` if the service has another name, or why the vault failed.
    @discardableResult
    public func unlock(
        with password: borrowing SecretBytes,
        acceptsWeaker: Bool
    ) async throws(VaultError) -> StrongAuthorization {
        try await unlock(with: password, acceptsWeaker: acceptsWeaker, since: vault.lockCount)
    }

    /// - Parameter lockCount: `Vault.lockCount` at the start of the call: a lock since then takes precedence (A36).
    @discardableResult
    func unlock(
        with password: borrowing SecretBytes,
        acceptsWeaker: Bool = false,
        since lockCount: UInt64
    ) async throws(VaultError) -> StrongAuthorization {
        let proved = try await prove(password, acceptsWeaker, since: lockCount)
        let authorization = try await unlock(with: proved)
        try await tidy(proved)
        deliverBehind()
        return authorization
    }

    /// Follows the service to another address: unlocks with a login there, and uses that address from now on.
    ///
    /// The service has to prove the same name and account, an epoch that is not older, and an envelope whose key opens
    /// this vault. The trusted certificates and key stay, unless `transport` names others. After any failure the vault
    /// uses the former address.
    ///
    /// - Parameters:
    ///   - transport: the transport to the service at its new address.
    ///   - password: the account's password, UTF-8.
    ///   - acceptsWeaker: as for `unlock(with:acceptsWeaker:)`.
    /// - Returns: the same vault over the new transport, unlocked.
    /// - Throws: `.serviceDiffers` or `.accountMismatch` if another service or account answers, `.exportOnly`, and as
    ///   `unlock(with:acceptsWeaker:)`.
    public func move(
        to transport: AccountTransport,
        with password: borrowing SecretBytes,
        acceptsWeaker: Bool = false
    ) async throws(VaultError) -> Enrolled {
        let (lockCount, known) = (await vault.lockCount, try await vault.requiredAccount)
        let there = AccountVault(vault, over: transport, renewingWay: true)
        let proved: ProvedLogin
        do throws(VaultError) {
            proved = try await there.prove(password, as: known, acceptsWeaker, since: lockCount)
        } catch  where error.code == .accountKeyMissing {
            throw VaultError(.serviceDiffers, "no envelope of this vault's")
        }
        let keys = proved.envelope.keys.copy()
        let opening = there.opening(proved, keys: keys, sealed: proved.login.envelope, as: known)
        let moved = AccountVault(vault, over: transport)
        let authorization = try await moved.unlock(with: opening, proved)
        try await moved.tidy(proved)
        moved.deliverBehind()
        return Enrolled(account: moved, authorization: authorization)
    }

    /// Unlocks with the password while the service can't be reached, if the vault's policy allows that
    /// (`allowsOfflinePassword`).
    ///
    /// Such a session resets no failure count and authorizes nothing: no export, and no change of a slot. Attempts are
    /// counted like those of a PIN.
    ///
    /// - Throws: `.serviceUnreachable` if the policy does not allow it, or if nothing is kept for it since the password
    ///   was changed or the service was silent for too long; `.strongFactorRefused`, `.attemptDelayed`, or why the
    ///   vault failed.
    public func unlockOffline(with password: borrowing SecretBytes) async throws(VaultError) {
        _ = try await openOffline(with: password)
    }

    /// Unlocks offline, and returns the authorization that disables biometrics.
    func openOffline(with password: borrowing SecretBytes) async throws(VaultError) -> OfflineAuthorization {
        let account = try await account()
        return try await vault.unlockOffline { (kept) throws(VaultError) in
            do throws(AccountFailure) {
                let derived = try AccountPassword(password, salt: kept.salt, kdf: kept.cost)
                let envelope = try AccountEnvelope(
                    opening: kept.envelope,
                    with: derived.envelopeKey,
                    of: AccountClient(named: account.name, over: transport).account,
                    at: account.service.name
                )
                return envelope.takeKeys()
            } catch .keyMissing {
                return nil
            } catch {
                throw VaultError(error)
            }
        }
    }

    /// Logs in and opens the envelope; reports a password that the service refuses to the vault.
    ///
    /// - Parameter lockCount: as for `unlock`; `nil` if the call starts here.
    func prove(
        _ password: borrowing SecretBytes,
        _ acceptsWeaker: Bool = false,
        since lockCount: UInt64? = nil
    ) async throws(VaultError) -> ProvedLogin {
        try await prove(password, as: account(), acceptsWeaker, since: lockCount)
    }

    private func prove(
        _ password: borrowing SecretBytes,
        as account: VaultAccount,
        _ acceptsWeaker: Bool,
        since lockCount: UInt64?
    ) async throws(VaultError) -> ProvedLogin {
        let now = await vault.lockCount
        do throws(AccountFailure) {
            let client = try AccountClient(named: account.name, over: transport)
            let login = try await client.loginBesideOthers(password, known: account.login, acceptsWeaker: acceptsWeaker)
            guard login.service == account.service.name else { throw .otherService }
            guard login.userID == account.userID else { throw .otherAccount }
            // A slot exists, so the account has a key: if it is missing, do not create another.
            return try ProvedLogin(login, client, as: account.device, since: lockCount ?? now)
        } catch .passwordRefused {
            // Another address has not yet proved to be the account's service.
            if transport.origin == account.service.address { try await vault.refuseAccountPassword() }
            throw VaultError(.strongFactorRefused)
        } catch {
            throw VaultError(error)
        }
    }

    /// Opens the vault with the results of a login, and lists this device.
    func unlock(with proved: borrowing ProvedLogin) async throws(VaultError) -> StrongAuthorization {
        try await unlock(with: opening(proved), proved)
    }

    private func unlock(
        with opening: borrowing AccountOpening,
        _ proved: borrowing ProvedLogin
    ) async throws(VaultError) -> StrongAuthorization {
        let former = await vault.keptContactKey
        let authorization = try await vault.unlock(with: opening, since: proved.lockCount)
        // If the device was listed anew, the authorization for the former head is void.
        switch try await enlist(proved, former) {
        case .some(let newer): return newer
        case .none: return authorization
        }
    }

    /// Returns the results of a login in the vault's form.
    func opening(_ proved: borrowing ProvedLogin) async throws(VaultError) -> AccountOpening {
        try await opening(proved, keys: proved.envelope.keys.copy(), sealed: proved.login.envelope, as: account())
    }

    /// Returns the same, if another envelope replaced the received one, or the account is to know this device by
    /// another identifier.
    func opening(
        _ proved: borrowing ProvedLogin,
        keys: consuming AccountKeys,
        sealed: [UInt8]?,
        as account: VaultAccount
    ) -> AccountOpening {
        var account = account
        account.login = proved.login.protection
        return AccountOpening(
            keys: keys,
            account: account,
            policyEpoch: proved.login.policyEpoch,
            contactKey: HeldSecret(proved.login.session.contactKey()),
            offline: sealed.map { OfflineLogin($0, under: proved.login.envelopeKey) },
            service: renewsWay ? transport.service(named: account.service.name, beside: account.service) : nil
        )
    }
}

extension AccountVault {
    /// A vault that was just created, or whose service has moved.
    public struct Enrolled: ~Copyable, Sendable {
        /// Whether a registration found the name taken by an account that the password opens, and logged in instead.
        public internal(set) var existed = false
        /// The vault, unlocked.
        public let account: AccountVault
        /// The authorization by the password just given.
        public let authorization: StrongAuthorization

        /// Returns the authorization.
        public consuming func takeAuthorization() -> StrongAuthorization { authorization }
    }
}

extension OfflineLogin {
    /// Stores an envelope with the parameters for deriving its key from the password.
    init(_ envelope: [UInt8], under key: borrowing EnvelopeKey) {
        self.init(salt: key.salt, cost: key.kdf, envelope: envelope)
    }
}

extension AccountTransport {
    /// Returns the service reached by this transport, as a vault stores it.
    ///
    /// - Parameter known: supplies the certificates and key if this transport names none.
    func service(named name: String, beside known: VaultAccount.Service? = nil) -> VaultAccount.Service {
        VaultAccount.Service(
            name: name,
            address: origin,
            authority: authority ?? known?.authority,
            pin: pin ?? known?.pin
        )
    }
}

/// A login proved by both sides, and the envelope received with it.
struct ProvedLogin: ~Copyable, Sendable {
    let login: AccountLogin
    let client: AccountClient
    let envelope: AccountEnvelope
    /// The identifier of this device in the account at that time.
    let device: Identifier
    /// `Vault.lockCount` at the start of the call.
    let lockCount: UInt64

    init(
        _ login: consuming AccountLogin,
        _ client: AccountClient,
        as device: Identifier,
        since lockCount: UInt64
    ) throws(AccountFailure) {
        envelope = try AccountEnvelope(
            opening: login.envelope,
            with: login.envelopeKey,
            of: client.account,
            at: login.service
        )
        self.login = login
        self.client = client
        self.device = device
        self.lockCount = lockCount
    }
}
