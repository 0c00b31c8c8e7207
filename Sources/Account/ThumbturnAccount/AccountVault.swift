public import Thumbturn
public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

/// A vault whose password is an account's (seed 002): the vault, and the way to the service that answers for the password.
///
/// What needs the password asks the service. What needs a finger asks the vault alone, whether the service can be reached or not.
/// No call holds the vault's lock while it waits for the service.
public struct AccountVault: Sendable {
    /// The vault: wallets, biometrics, recovery and backup are asked of it.
    public let vault: Vault
    let transport: AccountTransport
    /// What one guess at a new password costs.
    var kdf: Argon2Parameters { vault.configuration.argon2.forAccounts }

    /// Whether the transport's address and what it trusts take the place of what the vault remembers, at a login whose both
    /// sides were proved.
    let renewsWay: Bool

    /// What the account is to call this device from its next login on; nil leaves it as it is called.
    let deviceName: DeviceName?

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
    /// The service is asked first whether all is as it was, so that a word which comes now is no silence (F-107-09).
    ///
    /// - Parameters:
    ///   - folder: the path of the vault's folder.
    ///   - device: the device it was made on.
    ///   - transport: the way to the service, at the address that the vault knows, else this throws `.serviceElsewhere`; where
    ///     the service has moved, `move(to:with:)` follows it.
    ///   - patience: how long the service may take to answer, in milliseconds; 0 asks nothing.
    ///   - configuration: what an app may choose.
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
            return try? await Self.word(
                for: contact,
                on: device,
                over: transport,
                patience: Milliseconds(Int64(patience))
            )
        }
        let opened = AccountVault(vault, over: transport)
        // Where its password's slot is lost, the recovery key is asked of the vault.
        do throws(VaultError) { _ = try await opened.account() } catch  where error.code == .keyMissing {}
        return opened
    }

    /// Asks the service whether all is as it was, and takes its answer (F-107-09): an epoch that rose or fell, and a device
    /// that is listed no more, end the finger's right.
    ///
    /// - Throws: `.securityEventMissing` where this device was revoked, `.contactNotProved` where the answer is not proved by
    ///   this device's last login, `.serviceUnreachable` and whatever else is no contact; that changes nothing.
    public func contact() async throws(VaultError) {
        let account = try await account()
        guard let contact = await vault.contact else { throw VaultError(.accountMismatch) }
        let word = try await Self.word(for: contact, on: vault.device, over: transport, patience: nil)
        try await vault.hear(word, of: account)
        if word == .deviceRevoked { throw VaultError(.securityEventMissing) }
    }

    /// What the service answers to a device that asks.
    ///
    /// - Parameter patience: how long it may take; nil as long as any call.
    package static func word(
        for contact: AccountContact,
        on device: Device,
        over transport: AccountTransport,
        patience: Milliseconds?
    ) async throws(VaultError) -> ServerWord {
        let account = contact.account
        // Without it no answer would count.
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
            // Who knows no device has nothing to prove it by; a login lists it, unless the account was closed.
            throw VaultError(ErrorCode.contactNotProved, VaultError.deviceUnknown)
        } catch {
            throw VaultError(error)
        }
    }

    /// Tells the vault that the app is in the foreground again, and asks the service whether all is as it was (F-107-09).
    ///
    /// What can't be read or heard now shows at the next call.
    public func returnToForeground() async {
        await vault.returnToForeground { await currentWord() }
    }

    /// Does what the device's events ask for, as `Vault.followDevice`, and asks the service at each return to the foreground.
    public func followDevice() async {
        await vault.followDevice { await currentWord() }
    }

    private func currentWord() async -> (ServerWord, VaultAccount)? {
        guard (try? await account()) != nil, let contact = await vault.contact,
            let word = try? await Self.word(
                for: contact,
                on: vault.device,
                over: transport,
                patience: Patience.serviceWord
            )
        else { return nil }
        return (word, contact.account)
    }

    /// The account, as the vault names it: without one no service is asked.
    func account() async throws(VaultError) -> VaultAccount {
        let account = try await vault.requiredAccount
        guard account.service.address == transport.origin else { throw VaultError(.serviceElsewhere) }
        return account
    }
}

// The strong unlock.
extension AccountVault {
    /// Unlocks with the account's password, or proves it again in an open session: a login, and the account's key that comes
    /// with it (F-107-05).
    ///
    /// - Parameters:
    ///   - password: UTF-8, as it was typed.
    ///   - acceptsWeaker: whether the owner agreed to a smaller group or a cheaper derivation than this device has used before.
    /// - Returns: what calls that could cost coins ask for.
    /// - Throws: `.strongFactorRefused`, `.attemptDelayed` where the service asks to wait, `.serviceUnreachable`,
    ///   `.serviceNotProved`, `.serviceWeakened`, `.accountKeyMissing`, `.accountMismatch` where the name is another account's
    ///   now, `.serviceDiffers` where the service has another name, or why the vault failed.
    @discardableResult
    public func unlock(
        with password: borrowing SecretBytes,
        acceptsWeaker: Bool
    ) async throws(VaultError) -> StrongAuthorization {
        try await unlock(with: password, acceptsWeaker: acceptsWeaker, since: vault.beginning)
    }

    /// - Parameter beginning: `Vault.beginning` as it was when the call began: a lock that came since has won (A36).
    @discardableResult
    func unlock(
        with password: borrowing SecretBytes,
        acceptsWeaker: Bool = false,
        since beginning: UInt64
    ) async throws(VaultError) -> StrongAuthorization {
        let proved = try await prove(password, acceptsWeaker, since: beginning)
        let authorization = try await unlock(with: proved)
        try await tidy(proved)
        return authorization
    }

    /// Follows the service to another address: unlocks with the account's password by a login there, and dials that address from
    /// now on.
    ///
    /// The service has to prove the same name and account, an epoch that is not older, and an envelope whose key opens this
    /// vault. What vouches for it stays, unless `transport` names another. Where anything fails the vault dials as before.
    ///
    /// - Parameters:
    ///   - transport: the way to the service at its new address.
    ///   - password: the account's, UTF-8.
    ///   - acceptsWeaker: as in `unlock(with:acceptsWeaker:)`.
    /// - Returns: the same vault over the new way, unlocked.
    /// - Throws: `.serviceDiffers` or `.accountMismatch` where another service or account answers, `.exportOnly`, and as
    ///   `unlock(with:acceptsWeaker:)`.
    public func move(
        to transport: AccountTransport,
        with password: borrowing SecretBytes,
        acceptsWeaker: Bool = false
    ) async throws(VaultError) -> Enrolled {
        let (beginning, known) = (await vault.beginning, try await vault.requiredAccount)
        let there = AccountVault(vault, over: transport, renewingWay: true)
        let proved: ProvedLogin
        do throws(VaultError) {
            proved = try await there.prove(password, as: known, acceptsWeaker, since: beginning)
        } catch  where error.code == .accountKeyMissing {
            throw VaultError(.serviceDiffers, "no envelope of this vault's")
        }
        let keys = proved.envelope.keys.copy()
        let opening = there.opening(proved, keys: keys, sealed: proved.login.envelope, as: known)
        let moved = AccountVault(vault, over: transport)
        let authorization = try await moved.unlock(with: opening, proved)
        try await moved.tidy(proved)
        return Enrolled(account: moved, authorization: authorization)
    }

    /// Unlocks with the password while the service can't be reached, where the vault's policy allows that
    /// (`allowsOfflinePassword`).
    ///
    /// Such an opening forgives no failure and vouches for nothing: no export, no change of a way in. Tries are counted as a
    /// PIN's.
    ///
    /// - Throws: `.serviceUnreachable` where the policy does not allow it, or nothing is kept for it since the password changed
    ///   or the service was silent for too long; `.strongFactorRefused`, `.attemptDelayed`, or why the vault failed.
    public func unlockOffline(with password: borrowing SecretBytes) async throws(VaultError) {
        _ = try await openOffline(with: password)
    }

    /// The same, and what turns biometrics off.
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

    /// Logs in, and opens the envelope; a password that the service refuses is a failure that the vault tells.
    ///
    /// - Parameter beginning: as in `unlock`; nil where the call begins here.
    func prove(
        _ password: borrowing SecretBytes,
        _ acceptsWeaker: Bool = false,
        since beginning: UInt64? = nil
    ) async throws(VaultError) -> ProvedLogin {
        try await prove(password, as: account(), acceptsWeaker, since: beginning)
    }

    private func prove(
        _ password: borrowing SecretBytes,
        as account: VaultAccount,
        _ acceptsWeaker: Bool,
        since beginning: UInt64?
    ) async throws(VaultError) -> ProvedLogin {
        let now = await vault.beginning
        do throws(AccountFailure) {
            let client = try AccountClient(named: account.name, over: transport)
            let login = try await client.loginBesideOthers(
                password,
                known: account.login,
                acceptsWeaker: acceptsWeaker
            )
            guard login.service == account.service.name else { throw .otherService }
            guard login.userID == account.userID else { throw .otherAccount }
            // A slot stands here, so the account has a key: where it is not to be had, none is made in its place.
            return try ProvedLogin(login, client, as: account.device, since: beginning ?? now)
        } catch .passwordRefused {
            // At another address nobody has proved yet that this is the account's service.
            if transport.origin == account.service.address { try await vault.refuseAccountPassword() }
            throw VaultError(.strongFactorRefused)
        } catch {
            throw VaultError(error)
        }
    }

    /// Opens the vault with what a login brought, and lists this device.
    func unlock(with proved: borrowing ProvedLogin) async throws(VaultError) -> StrongAuthorization {
        try await unlock(with: opening(proved), proved)
    }

    private func unlock(
        with opening: borrowing AccountOpening,
        _ proved: borrowing ProvedLogin
    ) async throws(VaultError) -> StrongAuthorization {
        let former = await vault.keptContactKey
        let authorization = try await vault.unlock(with: opening, since: proved.beginning)
        // Where the device was listed anew, what vouched for the former head vouches for nothing.
        switch try await enlist(proved, former) {
        case .some(let newer): return newer
        case .none: return authorization
        }
    }

    /// What a login brought, as the vault takes it.
    func opening(_ proved: borrowing ProvedLogin) async throws(VaultError) -> AccountOpening {
        try await opening(proved, keys: proved.envelope.keys.copy(), sealed: proved.login.envelope, as: account())
    }

    /// The same, where another envelope took the place of the one that came, or the account is to know this device by another
    /// name.
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

extension OfflineLogin {
    /// An envelope, and how its key is made of the password.
    init(_ envelope: [UInt8], under key: borrowing EnvelopeKey) {
        self.init(salt: key.salt, cost: key.kdf, envelope: envelope)
    }
}

extension AccountTransport {
    /// This way to a service, as a vault keeps it.
    ///
    /// - Parameter known: what vouches for the service where this way names nothing.
    func service(named name: String, beside known: VaultAccount.Service? = nil) -> VaultAccount.Service {
        VaultAccount.Service(
            name: name,
            address: origin,
            authority: authority ?? known?.authority,
            pin: pin ?? known?.pin
        )
    }
}

/// A login that both sides proved, and the envelope that came with it.
struct ProvedLogin: ~Copyable, Sendable {
    let login: AccountLogin
    let client: AccountClient
    let envelope: AccountEnvelope
    /// How the account knew this device then.
    let device: Identifier
    /// `Vault.beginning` as it was when the call began.
    let beginning: UInt64

    init(
        _ login: consuming AccountLogin,
        _ client: AccountClient,
        as device: Identifier,
        since beginning: UInt64
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
        self.beginning = beginning
    }
}
