import Thumbturn
import ThumbturnCrypto
import ThumbturnRules

// What a login leaves to do at the service: this device is listed, and the envelope says under which key its slot lies. The
// vault is open by then; what fails here is done at the next login.
extension AccountVault {
    /// Does that, where the envelope does not say so already.
    ///
    /// - Returns: what calls that could cost coins ask for, where the device was listed anew.
    func tidy(_ proved: borrowing ProvedLogin) async throws(VaultError) -> StrongAuthorization? {
        // What a session for export alone goes by, nobody has verified.
        guard await vault.snapshot.state == .unlocked(.full), let key = await vault.accountKey else { return nil }
        let account = try await account()
        let isNoted = proved.envelope.wrapped[account.device] == key
        if isNoted, !proved.isUnheard, try await !vault.hasLost(account.deviceKey) { return nil }
        do throws(VaultError) {
            return try await tidy(proved, for: account, sealedUnder: key)
        } catch  where error.code != .olderCopy && error.code != .locked {
            await vault.tolerate(error)
            return nil
        }
    }

    private func tidy(
        _ proved: borrowing ProvedLogin,
        for account: VaultAccount,
        sealedUnder key: Identifier
    ) async throws(VaultError) -> StrongAuthorization? {
        let state = try await asking { () async throws(AccountFailure) in
            try await proved.client.account(proved.login.session)
        }
        var listed = state.devices.map(\.id)
        var device = account.device
        var renewed: StrongAuthorization?
        let hasLostKey = try await vault.hasLost(account.deviceKey)
        if !listed.contains(device) || hasLostKey {
            renewed = try await enlist(account, proved, anew: hasLostKey)
            device = try await self.account().device
            listed.append(device)
        }
        if device != account.device {
            // Also where its name was said to be taken, which nobody proved.
            try await asking { () async throws(AccountFailure) in
                do throws(AccountFailure) {
                    try await proved.client.revokeDevice(proved.login.session, account.device)
                } catch .deviceNotListed {}
            }
            listed.removeAll { $0 == account.device }
        }
        let named = device
        let noted = try await asking { () async throws(AccountFailure) in
            // Another device that is noted and listed no more may come back: a thief of a token can take it off the list. Its
            // key goes where somebody who has the password revokes that very device.
            try proved.envelope.noting(named, wrappedUnder: key)
                .withoutDevices { $0 == account.device && $0 != named }
                .dropping(whenListed: listed)
        }
        _ = try await put(noted, replacing: proved.login.envelope, proved)
        return renewed
    }

    /// Seals the slot under an envelope's newest key, then says so in the envelope.
    func sealAnew(
        _ envelope: borrowing AccountEnvelope,
        _ sealed: [UInt8],
        _ listed: [Identifier],
        _ proved: borrowing ProvedLogin
    ) async throws(VaultError) -> StrongAuthorization {
        let account = try await account()
        let opening = opening(proved, keys: envelope.keys.copy(), sealed: sealed, as: account)
        let authorization = try await vault.unlock(with: opening, since: proved.beginning)
        guard let key = await vault.accountKey else { throw VaultError(ErrorCode.keyMissing) }
        let device = account.device
        let noted = try await asking { () async throws(AccountFailure) in
            try envelope.noting(device, wrappedUnder: key).dropping(whenListed: listed)
        }
        _ = try await put(noted, replacing: sealed, proved)
        return authorization
    }

    /// Puts an envelope in the place of the one that was read.
    func put(
        _ envelope: borrowing AccountEnvelope,
        replacing former: [UInt8]?,
        _ proved: borrowing ProvedLogin
    ) async throws(VaultError) -> [UInt8] {
        try await asking { () async throws(AccountFailure) in
            let client = proved.client
            let sealed = try envelope.sealed(
                under: proved.login.envelopeKey,
                of: client.account,
                at: client.transport.origin
            )
            try await client.putEnvelope(proved.login.session, sealed, replacing: former)
            return sealed
        }
    }

    /// Lists this device; under another name and key where the account had it once and revoked it.
    ///
    /// - Parameter isAnew: whether the key of the former name is gone.
    /// - Returns: what calls that could cost coins ask for, where the vault's head names another device then.
    private func enlist(
        _ account: VaultAccount,
        _ proved: borrowing ProvedLogin,
        anew isAnew: Bool
    ) async throws(VaultError) -> StrongAuthorization? {
        let client = proved.client
        if !isAnew {
            let publicKey = try await vault.publicKey(of: account.deviceKey)
            do throws(AccountFailure) {
                _ = try await client.addDevice(proved.login.session, account.device, publicKey: publicKey)
                return nil
            } catch .deviceTaken {
                // It was revoked: that name is never listed again.
            } catch {
                throw VaultError(error)
            }
        }
        let device = try await vault.renewDevice()
        _ = try await asking { () async throws(AccountFailure) in
            try await client.addDevice(proved.login.session, device.id, publicKey: device.publicKey)
        }
        var renewed = account
        (renewed.device, renewed.deviceKey) = (device.id, device.key)
        let opening = opening(
            proved,
            keys: proved.envelope.keys.copy(),
            sealed: proved.login.envelope,
            as: renewed
        )
        return try await vault.unlock(with: opening, since: proved.beginning)
    }

    /// Runs a call to the service, and says in the vault's words why it failed.
    func asking<Result: ~Copyable>(
        _ body: () async throws(AccountFailure) -> Result
    ) async throws(VaultError) -> Result {
        do { return try await body() } catch { throw VaultError(error) }
    }
}
