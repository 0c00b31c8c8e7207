public import Thumbturn
public import ThumbturnCrypto
public import ThumbturnRules

// What changes the account. Each logs in anew, so that a login which somebody left open changes nothing.
extension AccountVault {
    /// A device of the account.
    public struct ListedDevice: Hashable, Sendable {
        /// Its name at the service, 32 hexadecimal digits.
        public let id: String
        /// When it was listed, in milliseconds since 1970; nil for one that the service lists no more, and whose key the
        /// account keeps.
        public let createdAt: Milliseconds?
        /// What its owner calls it; nil where it has no name.
        public let name: String?
        /// Whether it is this one.
        public let isThis: Bool
    }

    /// Changes the account's password: a new key of the account, and this vault's slot under it.
    ///
    /// Biometrics end, here and on every other device at its next contact (F-107-09).
    ///
    /// It is done once two things are certain: the service has proved, to the login that made the change, that the epoch rose;
    /// and a login with the new password has opened the envelope.
    ///
    /// - Throws: `.strongFactorRefused` for a wrong present password, what `LocalSecretRules` finds in the new one,
    ///   `.accountChanged` where another device was first, `.accountDevicesLag`, `.serviceUnreachable` where the outcome can't
    ///   be known now; then one of the two passwords opens, and the next login tells which.
    /// - Returns: what calls that could cost coins ask for.
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
        let beginning = await vault.beginning
        let proved = try await logIn(former, since: beginning)
        try await requireFull()
        do throws(AccountFailure) {
            try await change(proved, to: password)
        } catch  where error.isOurs {
            throw VaultError(error)
        } catch {
            try await requireChanged(proved, former, after: error)
        }
        return try await unlock(with: password, since: beginning)
    }

    /// Logs in and opens the vault, and once more where this device had to be listed anew: what is changed then goes by a list and
    /// an envelope that know its former name no more.
    private func logIn(
        _ password: borrowing SecretBytes,
        since beginning: UInt64? = nil
    ) async throws(VaultError) -> ProvedLogin {
        let proved = try await prove(password, since: beginning)
        // That this envelope has this vault's key is known before any other takes its place.
        _ = try await unlock(with: proved)
        guard try await account().device != proved.device else { return proved }
        try await tidy(proved)
        return try await prove(password, since: proved.beginning)
    }

    private func change(
        _ proved: borrowing ProvedLogin,
        to password: borrowing SecretBytes
    ) async throws(AccountFailure) {
        let client = proved.client
        // No less than before, or every device of the account would refuse it.
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

    /// Asks by the login that made the change whether it was done: only who had the former verifier can answer that.
    ///
    /// A login with the new password would say less: who got the change on its way has that verifier. Another device's change
    /// would have ended this login.
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
            // Another device may have put its own, or the login may be too old for that.
            do throws(AccountFailure) {
                let login = try await proved.client.loginBesideOthers(former, known: proved.login.protection)
                guard login.policyEpoch == proved.login.policyEpoch else { throw .lost }
                let again = try ProvedLogin(login, proved.client, as: proved.device, since: proved.beginning)
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

    /// Puts the envelope anew: a change that is still on its way names the one that it replaces, and comes to nothing.
    private func fence(_ proved: borrowing ProvedLogin) async throws(VaultError) {
        _ = try await put(proved.envelope, replacing: proved.login.envelope, proved)
    }

    /// Gives the vault a new master key, as `Vault.rekey` does for one with a PIN; the password stays.
    ///
    /// - Throws: as `Vault.rekey`, and as `unlock(with:)`.
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

    /// The devices of the account, oldest first; behind them those that the service lists no more, and whose key the account
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

    /// The device that somebody names: by its id, its name, or a beginning of either that no other has.
    ///
    /// A name that is the beginning of another device's id names neither: whoever lists a device may call it so.
    private static func device(called text: String, among devices: [ListedDevice]) throws(VaultError) -> ListedDevice {
        if let exact = devices.first(where: { $0.id == text }) { return exact }
        let named = devices.filter { $0.name == text || $0.id.hasPrefix(text) }
        let found = named.isEmpty ? devices.filter { $0.name?.hasPrefix(text) == true } : named
        guard found.count < 2 else { throw VaultError(.usage, "several devices of the account are called so") }
        guard let one = found.first, !text.isEmpty else { throw VaultError(AccountFailure.deviceNotListed) }
        return one
    }

    /// Revokes a device: its finger dies at its next contact, it signs nothing that counts any more, and the account gets a new
    /// key.
    ///
    /// The keys of all others stay, also of one that the service lists no more: a token alone can take it off the list.
    ///
    /// - Parameters:
    ///   - text: its id as `devices` names it, its name, or a beginning of either that no other device has; not this device's
    ///     own, which a password change or a reset serves better.
    ///   - password: the account's, UTF-8.
    /// - Returns: the device's id.
    /// - Throws: `.strongFactorRefused`, `.usage` where the account neither lists nor notes such a device, or several,
    ///   `.serviceUnreachable`, or `.accountChanged`.
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
            // What only the revoked one still needed makes room for the new key.
            try proved.envelope.noting(this, wrappedUnder: key).withoutDevices { $0 == revoked }
                .dropping(whenListed: listed).changing()
        }
        // The key first: cut off behind it, the device is listed still, and can be revoked once more.
        let sealed = try await put(changed, replacing: proved.login.envelope, proved)
        if isListed {
            try await asking { () async throws(AccountFailure) in
                try await client.revokeDevice(proved.login.session, revoked)
            }
        }
        _ = try await sealAnew(changed, sealed, listed, proved)
        return found.id
    }

    /// Refuses a session that may only export: what it goes by, nobody has verified.
    private func requireFull() async throws(VaultError) {
        guard await vault.snapshot.state == .unlocked(.full) else { throw VaultError(.exportOnly) }
    }

    /// Closes the account: verifier, envelope, devices and logins go at once, and no password opens any of its vaults any more.
    ///
    /// The exception are other devices, which don't hear of it: where the policy allows that, they go on opening offline until
    /// the service has been silent for too long.
    ///
    /// - Throws: `.recoveryKeyRequired` where this vault has no recovery key that was typed back: without one its wallets would
    ///   be gone.
    public func close(_ password: borrowing SecretBytes) async throws(VaultError) {
        let proved = try await prove(password)
        _ = try await unlock(with: proved)
        try await requireFull()
        // By the head that the open session has verified.
        guard await vault.snapshot.slots.contains(where: { $0.kind == .recovery }) else {
            throw VaultError(.recoveryKeyRequired)
        }
        do throws(AccountFailure) {
            try await proved.client.closeAccount(proved.login.session)
        } catch  where error.isOurs {
            throw VaultError(error)
        } catch {
            try await requireClosed(proved, after: error)
        }
        await vault.endOfflineLogin()
    }

    /// Asks by the login whether the account is there still, then by this device's key whether the service knows it no more.
    ///
    /// Nobody can prove the second: the key is gone that could.
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
    /// After any other a change may have been done: a refusal is not proved, or is one to what somebody on the way sent twice.
    fileprivate var isOurs: Bool {
        switch self {
        case .crypto, .devicesLag, .keyMissing, .passwordMalformed: true
        default: false
        }
    }
}
