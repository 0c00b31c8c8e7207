public import Thumbturn
public import ThumbturnCrypto
public import ThumbturnRules

// Changes of the account. Each one logs in anew, so that an abandoned open session can't change anything.
extension AccountVault {
    /// A device of the account.
    public struct ListedDevice: Hashable, Sendable {
        /// Its identifier at the service, 32 hexadecimal digits.
        public let id: String
        /// When it was listed, in milliseconds since 1970; `nil` for a device that is not listed but whose key the
        /// account keeps.
        public let createdAt: Milliseconds?
        /// The name its owner has given it; `nil` if it has none.
        public let name: String?
        /// Whether it is this device.
        public let isThis: Bool

        /// Describes a device, for stand-ins of a vault and previews of a list.
        public init(id: String, createdAt: Milliseconds?, name: String?, isThis: Bool) {
            (self.id, self.createdAt, self.name, self.isThis) = (id, createdAt, name, isThis)
        }
    }

    /// Changes the account's password, and reseals this vault's slot under a new key of the account.
    ///
    /// Biometrics are revoked, here and on every other device at its next contact (F-107-09).
    ///
    /// The change is complete once two things are certain: the service has proved, to the login that made the change,
    /// that the epoch rose; and a login with the new password has opened the envelope.
    ///
    /// - Throws: `.strongFactorRefused` for a wrong present password, any weakness that `LocalSecretRules` finds in the
    ///   new one, `.accountChanged` if another device was first, `.accountDevicesLag`, `.serviceUnreachable` if the
    ///   outcome can't be determined; one of the two passwords then works, and the next login tells which.
    /// - Returns: the authorization for calls that could cost coins.
    @discardableResult
    public func changePassword(
        from former: borrowing SecretBytes,
        to password: borrowing SecretBytes
    ) async throws(VaultError) -> StrongAuthorization {
        if let weakness = password.withBytes({
            LocalSecretRules.weakness(of: $0, under: LocalSecretRules.accountAssurance)
        }) {
            throw VaultError(weakness)
        }
        let lockCount = await vault.lockCount
        let proved = try await logIn(former, since: lockCount)
        try await requireFull()
        do throws(AccountFailure) {
            try await change(proved, to: password)
        } catch  where error.isOurs {
            throw VaultError(error)
        } catch {
            try await requireChanged(proved, former, after: error)
        }
        return try await unlock(with: password, since: lockCount)
    }

    /// Logs in and opens the vault, and logs in again if this device had to be listed anew: the change then uses a list
    /// and an envelope without its former identifier.
    private func logIn(
        _ password: borrowing SecretBytes,
        since lockCount: UInt64? = nil
    ) async throws(VaultError) -> ProvedLogin {
        let proved = try await prove(password, since: lockCount)
        // Make sure that this envelope has this vault's key before another replaces it.
        _ = try await unlock(with: proved)
        guard try await account().device != proved.device else { return proved }
        try await tidy(proved)
        return try await prove(password, since: proved.lockCount)
    }

    private func change(
        _ proved: borrowing ProvedLogin,
        to password: borrowing SecretBytes
    ) async throws(AccountFailure) {
        let client = proved.client
        // Use at least the former cost, or every device of the account would refuse it.
        let known = proved.login.protection
        let cost = Argon2Parameters(
            memoryKiB: max(known.cost.memoryKiB, kdf.memoryKiB),
            passes: max(known.cost.passes, kdf.passes)
        )
        let group = known.group.byteCount > SRPGroup.standard.byteCount ? known.group : .standard
        let derived = try AccountPassword.make(password, kdf: cost)
        let sealed = try proved.envelope.changing().sealed(
            under: derived.envelopeKey,
            of: client.account,
            at: proved.login.service
        )
        _ = try await client.changePassword(
            proved.login.session,
            to: derived,
            in: group,
            envelope: sealed,
            replacing: proved.login.envelope,
            policyEpoch: proved.login.policyEpoch
        )
    }

    /// Asks, with the login that made the change, whether it was made: only a server with the former verifier can
    /// answer.
    ///
    /// A login with the new password would prove less: an attacker who intercepted the change has the new verifier. A
    /// change by another device would have ended this login.
    private func requireChanged(
        _ proved: borrowing ProvedLogin,
        _ former: borrowing SecretBytes,
        after failure: AccountFailure
    ) async throws(VaultError) {
        let state: AccountState
        do throws(AccountFailure) { state = try await proved.client.account(proved.login.session) } catch .tokenEnded {
            throw VaultError(AccountFailure.tokenEnded)
        } catch {
            throw VaultError(AccountFailure.lost)
        }
        guard state.policyEpoch == proved.login.policyEpoch else { return }
        do throws(VaultError) { try await fence(proved) } catch {
            // Another device may have stored its own envelope, or the login may be too old.
            do throws(AccountFailure) {
                let login = try await proved.client.loginBesideOthers(former, known: proved.login.protection)
                guard login.policyEpoch == proved.login.policyEpoch else { throw .lost }
                let again = try ProvedLogin(login, proved.client, as: proved.device, since: proved.lockCount)
                do throws(VaultError) { try await fence(again) } catch { throw .lost }
            } catch {
                throw VaultError(AccountFailure.lost)
            }
        }
        switch failure {
        case .wait, .notProved, .notCertified, .epochMoved, .envelopeMoved, .loginOld: throw VaultError(failure)
        default: throw VaultError(.serviceUnreachable, "the former password still counts")
        }
    }

    /// Stores the envelope anew: a delayed change names the envelope it replaces, and then fails.
    private func fence(_ proved: borrowing ProvedLogin) async throws(VaultError) {
        _ = try await put(proved.envelope, replacing: proved.login.envelope, proved)
    }

    /// Gives the vault a new master key, as `Vault.rekey` does for a vault with a PIN; the password stays the same.
    ///
    /// - Throws: as `Vault.rekey` and `unlock(with:)`.
    public func rekey(
        with password: borrowing SecretBytes,
        recoveryKey: consuming ConfirmedRecoveryKey?,
        keeping seen: WalletInventory? = nil
    ) async throws(VaultError) {
        let proved = try await prove(password)
        let authorization = try await unlock(with: proved)
        try await tidy(proved)
        try await vault.rekey(with: opening(proved), recoveryKey: recoveryKey, keeping: seen, authorization)
    }

    /// Returns the account's devices, oldest first, followed by those that are not listed but whose key the account
    /// keeps.
    public func devices(_ password: borrowing SecretBytes) async throws(VaultError) -> [ListedDevice] {
        let proved = try await prove(password)
        _ = try await unlock(with: proved)
        try await tidy(proved)
        let this = try await account().device
        let state = try await asking { () async throws(AccountFailure) in
            try await proved.client.account(proved.login.session)
        }
        return Self.devices(state, proved, this: this)
    }

    private static func devices(
        _ state: AccountState,
        _ proved: borrowing ProvedLogin,
        this: Identifier
    ) -> [ListedDevice] {
        let listed = state.devices.map {
            ListedDevice(id: $0.id.text, createdAt: $0.createdAt, name: $0.name?.text, isThis: $0.id == this)
        }
        let others = Set(proved.envelope.wrapped.keys).subtracting(state.devices.map(\.id))
            .subtracting([proved.device, this])
        return listed
            + others.map(\.text).sorted().map { ListedDevice(id: $0, createdAt: nil, name: nil, isThis: false) }
    }

    /// Returns the device with an id or name, or with a prefix of either that no other device shares.
    ///
    /// A name that is a prefix of another device's id is ambiguous: any device may choose such a name.
    private static func device(called text: String, among devices: [ListedDevice]) throws(VaultError) -> ListedDevice {
        if let exact = devices.first(where: { $0.id == text }) { return exact }
        let named = devices.filter { $0.name == text || $0.id.hasPrefix(text) }
        let found = named.isEmpty ? devices.filter { $0.name?.hasPrefix(text) == true } : named
        guard found.count < 2 else { throw VaultError(.usage, "several devices of the account are called so") }
        guard let one = found.first, !text.isEmpty else { throw VaultError(AccountFailure.deviceNotListed) }
        return one
    }

    /// Revokes a device: its biometrics end at its next contact, its signatures are refused, and the account gets a new
    /// key.
    ///
    /// The keys of all other devices stay, even of one that the service does not list: a token alone can take it off
    /// the list.
    ///
    /// - Parameters:
    ///   - text: its id as returned by `devices`, its name, or a unique prefix of either; not this device's own, for
    ///     which a password change or a reset is the better way.
    ///   - password: the account's password, UTF-8.
    /// - Returns: the device's id.
    /// - Throws: `.strongFactorRefused`, `.usage` if the account neither lists nor notes such a device, or if there are
    ///   several, `.serviceUnreachable`, or `.accountChanged`.
    @discardableResult
    public func revoke(_ text: String, _ password: borrowing SecretBytes) async throws(VaultError) -> String {
        let proved = try await logIn(password)
        try await requireFull()
        let this = try await account().device
        guard let key = await vault.accountKey else { throw VaultError(ErrorCode.keyMissing) }
        let client = proved.client
        let state = try await asking { () async throws(AccountFailure) in
            try await client.account(proved.login.session)
        }
        let found = try Self.device(called: text, among: Self.devices(state, proved, this: this))
        guard !found.isThis, let revoked = Identifier(text: found.id) else {
            throw VaultError(.usage, "the account lists no such device beside this one")
        }
        let isListed = found.createdAt != nil
        let listed = state.devices.map(\.id).filter { $0 != revoked }
        let changed = try await asking { () async throws(AccountFailure) in
            // Dropping the keys that only the revoked device needed makes room for the new one.
            try proved.envelope.noting(this, wrappedUnder: key).withoutDevices { $0 == revoked }
                .dropping(whenListed: listed).changing()
        }
        // Change the key first: if interrupted after it, the device is still listed and can be revoked again.
        let sealed = try await put(changed, replacing: proved.login.envelope, proved)
        if isListed {
            try await asking { () async throws(AccountFailure) in
                try await client.revokeDevice(proved.login.session, revoked)
            }
        }
        _ = try await sealAnew(changed, sealed, listed, proved)
        return found.id
    }

    /// Refuses a session for export only: its data is not verified.
    private func requireFull() async throws(VaultError) {
        guard await vault.snapshot.state == .unlocked(.full) else { throw VaultError(.exportOnly) }
    }

    /// Closes the account: verifier, envelope, devices and logins are deleted at once, and no password opens its vaults
    /// any more.
    ///
    /// Events of this device are delivered first, if the service takes them within half a minute; later it takes none.
    ///
    /// Other devices do not learn of it, however: if their policy allows, they can be opened offline until the service
    /// has been silent for too long.
    ///
    /// - Throws: `.recoveryKeyRequired` if this vault has no confirmed recovery key, without which its wallets would be
    ///   lost.
    public func close(_ password: borrowing SecretBytes) async throws(VaultError) {
        let proved = try await prove(password)
        _ = try await unlock(with: proved)
        try await requireFull()
        // Use the head that the open session has verified.
        guard await vault.snapshot.slots.contains(where: { $0.kind == .recovery }) else {
            throw VaultError(.recoveryKeyRequired)
        }
        await deliverBeforeClosing()
        do throws(AccountFailure) {
            try await proved.client.closeAccount(proved.login.session)
        } catch  where error.isOurs {
            throw VaultError(error)
        } catch {
            try await requireClosed(proved, after: error)
        }
        await vault.endOfflineLogin()
    }

    /// Asks whether the account still exists, first with the login and then with this device's key.
    ///
    /// That the service does not know the device can't be proved: the key for that proof is gone.
    private func requireClosed(
        _ proved: borrowing ProvedLogin,
        after failure: AccountFailure
    ) async throws(VaultError) {
        let client = proved.client
        let isThere: Bool
        do throws(AccountFailure) {
            _ = try await client.account(proved.login.session)
            isThere = true
        } catch .tokenEnded {
            isThere = false
        } catch {
            throw VaultError(AccountFailure.lost)
        }
        guard !isThere else { throw VaultError(failure) }
        let account = try await account()
        let device = await vault.device
        do throws(AccountFailure) {
            _ = try await client.contact(
                from: account.device,
                to: account.service.name,
                at: device.clock().wall,
                provedBy: proved.login.session.contactKey()
            ) { (message) throws(VaultError) in
                try await device.sign(message, by: account.deviceKey)
            }
        } catch .deviceUnknown {
            return
        } catch {
            throw VaultError(AccountFailure.lost)
        }
        throw VaultError(failure)
    }
}

extension AccountFailure {
    /// Whether nothing was sent.
    ///
    /// After any other failure the change may have been made: a refusal is not proved, or answers a request that an
    /// attacker sent twice.
    fileprivate var isOurs: Bool {
        switch self {
        case .crypto, .devicesLag, .keyMissing, .passwordMalformed: true
        default: false
        }
    }
}
