import Thumbturn
import ThumbturnCrypto
import ThumbturnRules

// What a login leaves to do at the service: this device is listed, and the envelope says under which key its slot lies. The
// vault is open by then; what fails here is done at the next login.
extension AccountVault {
    /// Says in the envelope under which key this device's slot lies, where it does not say so already.
    func tidy(_ proved: borrowing ProvedLogin) async throws(VaultError) {
        // What a session for export alone goes by, nobody has verified.
        guard await vault.snapshot.state == .unlocked(.full), let key = await vault.accountKey else { return }
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
            // Also where its name was said to be taken, which nobody proved.
            try await asking { () async throws(AccountFailure) in
                do throws(AccountFailure) {
                    try await proved.client.revokeDevice(proved.login.session, former)
                } catch .deviceNotListed {}
            }
        }
        let listed = state.devices.map(\.id).filter { $0 != former } + [device]
        let noted = try await asking { () async throws(AccountFailure) in
            // Another device that is noted and listed no more may come back: a thief of a token can take it off the list. Its
            // key goes where somebody who has the password revokes that very device.
            try proved.envelope.noting(device, wrappedUnder: key)
                .withoutDevices { $0 == former && $0 != device }
                .dropping(whenListed: listed)
        }
        _ = try await put(noted, replacing: proved.login.envelope, proved)
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
                at: proved.login.service
            )
            try await client.putEnvelope(proved.login.session, sealed, replacing: former)
            return sealed
        }
    }

    /// Lists this device, by which the service knows what to prove its contacts with; where that fails, the next login does it,
    /// unless a name was given: that one knows nothing of it.
    ///
    /// - Parameter former: what was kept of the login before, by which they are proved where the service lists none.
    /// - Returns: what calls that could cost coins ask for, where the vault's head names another device then.
    func enlist(_ proved: borrowing ProvedLogin, _ former: [UInt8]?) async throws(VaultError) -> StrongAuthorization? {
        guard await vault.snapshot.state == .unlocked(.full) else { return nil }
        do throws(VaultError) { return try await list(proved, former) } catch
            where error.code != .olderCopy && error.code != .locked && deviceName == nil
        {
            await vault.tolerate(error)
            return nil
        }
    }

    /// The same under another identifier and key where its own key is gone, or the account had it once and revoked it.
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
                // It was revoked: that one is never listed again.
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
        let opening = opening(
            proved,
            keys: proved.envelope.keys.copy(),
            sealed: proved.login.envelope,
            as: renewed
        )
        return try await vault.unlock(with: opening, since: proved.beginning)
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
            // Refused, as where the password was changed meanwhile: what the service keeps is of the login before.
            if error != .lost, error != .notProved { await vault.putBack(contactKey: former) }
            throw error
        }
    }

    /// Runs a call to the service, and says in the vault's words why it failed.
    func asking<Result: ~Copyable>(
        _ body: () async throws(AccountFailure) -> Result
    ) async throws(VaultError) -> Result {
        do { return try await body() } catch { throw VaultError(error) }
    }
}
