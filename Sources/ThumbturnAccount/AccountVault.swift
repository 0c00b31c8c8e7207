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
    /// What one guess at a new password costs; tests take the least.
    package var kdf = Argon2Limits.standard.default

    /// Whether what the transport trusts takes the place of what the vault remembers, at a login whose both sides were proved.
    let renewsTrust: Bool

    package init(_ vault: Vault, over transport: AccountTransport, renewingTrust: Bool = false) {
        (self.vault, self.transport, renewsTrust) = (vault, transport, renewingTrust)
    }

    /// Opens an account's vault, locked.
    ///
    /// The service is asked first whether all is as it was, so that a word which comes now is no silence (F-107-09).
    ///
    /// - Parameters:
    ///   - folder: the path of the vault's folder.
    ///   - device: the device it was made on.
    ///   - transport: the way to the service; the vault's own, else this throws `.accountMismatch`.
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
        let vault = try await Vault.open(found, device: device, configuration: configuration) { account in
            guard patience > 0, account.service.origin == transport.origin else { return nil }
            return try? await Self.word(
                for: account,
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
    /// - Throws: `.securityEventMissing` where this device was revoked, `.serviceUnreachable` and whatever else is no contact;
    ///   that changes nothing.
    public func contact() async throws(VaultError) {
        let account = try await account()
        let word = try await Self.word(for: account, on: vault.device, over: transport, patience: nil)
        try await vault.hear(word, of: account)
        if word == .deviceRevoked { throw VaultError(.securityEventMissing) }
    }

    /// What the service answers to a device that asks.
    ///
    /// - Parameter patience: how long it may take; nil as long as any call.
    package static func word(
        for account: VaultAccount,
        on device: Device,
        over transport: AccountTransport,
        patience: Milliseconds?
    ) async throws(VaultError) -> ServerWord {
        do throws(AccountFailure) {
            let client = try AccountClient(named: account.name, over: transport)
            let answer = try await client.contact(
                from: account.device,
                at: device.clock().wall,
                timeout: patience
            ) { (message) throws(VaultError) in
                try await device.sign(message, by: account.deviceKey)
            }
            return .epoch(answer.policyEpoch)
        } catch .deviceRevoked {
            return .deviceRevoked
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
        guard let account = try? await account(),
            let word = try? await Self.word(for: account, on: vault.device, over: transport, patience: .seconds(1))
        else { return nil }
        return (word, account)
    }

    /// The account, as the vault names it: without one no service is asked.
    func account() async throws(VaultError) -> VaultAccount {
        let account = try await vault.requiredAccount
        guard account.service.origin == transport.origin else { throw VaultError(.accountMismatch) }
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
    ///   now, or why the vault failed.
    @discardableResult
    public func unlock(
        with password: borrowing SecretBytes,
        acceptsWeaker: Bool = false
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
        // Where the device was listed anew, what vouched for the former head vouches for nothing.
        switch try await tidy(proved) {
        case .some(let newer): return newer
        case .none: return authorization
        }
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
        let account = try await account()
        try await vault.unlockOffline { (kept) throws(VaultError) in
            do throws(AccountFailure) {
                let derived = try AccountPassword(password, salt: kept.salt, kdf: kept.cost)
                let envelope = try AccountEnvelope(
                    opening: kept.envelope,
                    with: derived.envelopeKey,
                    of: AccountClient(named: account.name, over: transport).account,
                    at: transport.origin
                )
                return envelope.takeKeys()
            } catch .keyMissing {
                return nil
            } catch {
                throw VaultError(error)
            }
        }
    }

    /// Proves the password to the service, then turns biometrics on (F-107-02).
    ///
    /// - Throws: `.wrongSecretForEnabling` (ERR-107-010) when the password is wrong; and as `Vault.enableBiometrics(_:_:)`.
    public func enableBiometrics(
        _ consent: BiometricConsent,
        with password: borrowing SecretBytes
    ) async throws(VaultError) {
        let authorization: StrongAuthorization
        do throws(VaultError) {
            authorization = try await unlock(with: password)
        } catch  where error.code == .strongFactorRefused {
            throw VaultError(.wrongSecretForEnabling)
        }
        try await vault.enableBiometrics(consent, authorization)
    }

    /// Logs in, and opens the envelope; a password that the service refuses is a failure that the vault tells.
    ///
    /// - Parameter beginning: as in `unlock`; nil where the call begins here.
    func prove(
        _ password: borrowing SecretBytes,
        _ acceptsWeaker: Bool = false,
        since beginning: UInt64? = nil
    ) async throws(VaultError) -> ProvedLogin {
        let (now, isUnheard) = await (vault.beginning, vault.isUnheard)
        let account = try await account()
        do throws(AccountFailure) {
            let client = try AccountClient(named: account.name, over: transport)
            let login = try await client.loginBesideOthers(
                password,
                known: account.login,
                acceptsWeaker: acceptsWeaker
            )
            guard login.userID == account.userID else { throw .otherAccount }
            // A slot stands here, so the account has a key: where it is not to be had, none is made in its place.
            return try ProvedLogin(login, client, since: beginning ?? now, isUnheard: isUnheard)
        } catch .passwordRefused {
            try await vault.refuseAccountPassword()
            throw VaultError(.strongFactorRefused)
        } catch {
            throw VaultError(error)
        }
    }

    /// Opens the vault with what a login brought.
    func unlock(with proved: borrowing ProvedLogin) async throws(VaultError) -> StrongAuthorization {
        try await vault.unlock(with: opening(proved), since: proved.beginning)
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
            offline: sealed.map { OfflineLogin($0, under: proved.login.envelopeKey) },
            trust: renewsTrust ? transport.trust : nil
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
    /// What this way to the service trusts, as a vault keeps it.
    var trust: VaultAccount.Service { VaultAccount.Service(origin: origin, authority: authority, pin: pin) }
}

/// A login that both sides proved, and the envelope that came with it.
struct ProvedLogin: ~Copyable, Sendable {
    let login: AccountLogin
    let client: AccountClient
    let envelope: AccountEnvelope
    /// `Vault.beginning` as it was when the call began.
    let beginning: UInt64
    /// Whether the service's last word before was that all is not as it was: this device may be listed no more.
    let isUnheard: Bool

    init(
        _ login: consuming AccountLogin,
        _ client: AccountClient,
        since beginning: UInt64,
        isUnheard: Bool
    ) throws(AccountFailure) {
        envelope = try AccountEnvelope(
            opening: login.envelope,
            with: login.envelopeKey,
            of: client.account,
            at: client.transport.origin
        )
        self.login = login
        self.client = client
        self.beginning = beginning
        self.isUnheard = isUnheard
    }
}
