import Thumbturn
import ThumbturnCrypto
import ThumbturnRules

// What a login still has to do at the service: list this device, record in the envelope the key of its slot, and learn the
// keys of the account's log. The vault is already open; a failure here is made up for by the next login.
extension AccountVault {
    /// Records in the envelope the key of this device's slot, unless it is already recorded, and learns the log's keys.
    func tidy(_ proved: borrowing ProvedLogin) async throws(VaultError) {
        // The data of a session for export only is not verified.
        guard await vault.snapshot.state == .unlocked(.full), let key = await vault.accountKey else { return }
        await Self.learnLog(of: vault, proved.client, proved.login.session)
        do throws(VaultError) {
            let device = try await account().device
            guard device != proved.device || proved.envelope.wrapped[device] != key else { return }
            try await note(device, insteadOf: proved.device, proved, sealedUnder: key)
        } catch  where error.code != .olderCopy && error.code != .locked {
            await vault.tolerate(error)
        }
    }

    private func note(
        _ device: Identifier,
        insteadOf former: Identifier,
        _ proved: borrowing ProvedLogin,
        sealedUnder key: Identifier
    ) async throws(VaultError) {
        let state = try await asking { () async throws(AccountFailure) in
            try await proved.client.account(proved.login.session)
        }
        if device != former {
            // Also if the service says that the identifier was taken, which is not proved.
            try await asking { () async throws(AccountFailure) in
                do throws(AccountFailure) {
                    try await proved.client.revokeDevice(proved.login.session, former)
                } catch .deviceNotListed {}
            }
        }
        let listed = state.devices.map(\.id).filter { $0 != former } + [device]
        let noted = try await asking { () async throws(AccountFailure) in
            // Keep another device that is noted but not listed, because it may come back: a thief of a token can take
            // it off the list. Its key is removed when a user with the password revokes that very device.
            try proved.envelope.noting(device, wrappedUnder: key)
                .withoutDevices { $0 == former && $0 != device }
                .dropping(whenListed: listed)
        }
        _ = try await put(noted, replacing: proved.login.envelope, proved)
    }

    /// Seals the slot under an envelope's newest key, then records that in the envelope.
    func sealAnew(
        _ envelope: borrowing AccountEnvelope,
        _ sealed: [UInt8],
        _ listed: [Identifier],
        _ proved: borrowing ProvedLogin
    ) async throws(VaultError) -> StrongAuthorization {
        let account = try await account()
        let opening = opening(proved, keys: envelope.keys.copy(), sealed: sealed, as: account)
        let authorization = try await vault.unlock(with: opening, since: proved.lockCount)
        guard let key = await vault.accountKey else { throw VaultError(ErrorCode.keyMissing) }
        let device = account.device
        let noted = try await asking { () async throws(AccountFailure) in
            try envelope.noting(device, wrappedUnder: key).dropping(whenListed: listed)
        }
        _ = try await put(noted, replacing: sealed, proved)
        return authorization
    }

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
                at: proved.login.service
            )
            try await client.putEnvelope(proved.login.session, sealed, replacing: former)
            return sealed
        }
    }

    /// Lists this device, which tells the service the key to prove its contacts with.
    ///
    /// A failure is left to the next login, unless a device name was given, which that login would not know.
    ///
    /// - Parameter former: the former login's contact key, which proves contacts if the service does not list the
    ///   device.
    /// - Returns: the authorization for calls that could cost coins, if the vault's head now names another device.
    func enlist(_ proved: borrowing ProvedLogin, _ former: [UInt8]?) async throws(VaultError) -> StrongAuthorization? {
        guard await vault.snapshot.state == .unlocked(.full) else { return nil }
        do throws(VaultError) { return try await list(proved, former) } catch
            where error.code != .olderCopy && error.code != .locked && deviceName == nil
        {
            await vault.tolerate(error)
            return nil
        }
    }

    /// Lists this device, under a new identifier and key if its own key is gone or was revoked by the account.
    private func list(
        _ proved: borrowing ProvedLogin,
        _ former: [UInt8]?
    ) async throws(VaultError) -> StrongAuthorization? {
        let account = try await account()
        if try await !vault.hasLost(account.deviceKey) {
            let publicKey = try await vault.publicKey(of: account.deviceKey)
            do throws(AccountFailure) {
                try await add(account.device, publicKey, called: deviceName, proved, former)
                return nil
            } catch .deviceTaken {
                // The identifier was revoked and can't be listed again.
            } catch {
                throw VaultError(error)
            }
        }
        let device = try await vault.renewDevice()
        try await asking { () async throws(AccountFailure) in
            try await add(device.id, device.publicKey, called: deviceName ?? .ofSystem, proved, former)
        }
        var renewed = account
        (renewed.device, renewed.deviceKey) = (device.id, device.key)
        let opening = opening(proved, keys: proved.envelope.keys.copy(), sealed: proved.login.envelope, as: renewed)
        return try await vault.unlock(with: opening, since: proved.lockCount)
    }

    private func add(
        _ device: Identifier,
        _ publicKey: [UInt8],
        called name: DeviceName?,
        _ proved: borrowing ProvedLogin,
        _ former: [UInt8]?
    ) async throws(AccountFailure) {
        do throws(AccountFailure) {
            _ = try await proved.client.addDevice(proved.login.session, device, publicKey: publicKey, name: name)
        } catch {
            // If the call was refused, for example because the password was changed, the service still has the former
            // login's key.
            if error != .lost, error != .notProved { await vault.putBack(contactKey: former) }
            throw error
        }
    }

    /// Runs a call to the service, and converts its failure to the vault's error.
    func asking<Result: ~Copyable>(
        _ body: () async throws(AccountFailure) -> Result
    ) async throws(VaultError) -> Result {
        do { return try await body() } catch { throw VaultError(error) }
    }
}
