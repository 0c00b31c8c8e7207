import ThumbturnBase
import ThumbturnCrypto
package import ThumbturnDevice
package import ThumbturnRules

// A vault whose strong factor is an account's password (seed 002). The code that talks to the service is elsewhere:
// this file only processes its answers.
extension Vault {
    /// The account whose password opens the vault; nil when none does, even if the head names one.
    ///
    /// No typed input and no signature by the device is sent to any other service. Unverified while the vault is
    /// locked.
    package var account: VaultAccount? { known.account }

    /// The account, for callers that need one.
    ///
    /// - Throws: `.accountMismatch` for a vault without an account; `.keyMissing` when its password has nothing left to
    ///   open.
    package var requiredAccount: VaultAccount {
        get throws(VaultError) {
            if let account = known.account { return account }
            throw VaultError(known.head.account == nil ? .accountMismatch : known.condition.refusal ?? .accountMismatch)
        }
    }

    /// Whether the service last said that the account has revoked this device.
    package var isOnRevokedDevice: Bool { known.ledger.deviceIsRevoked }

    /// The id, in the envelope, of the account key that seals the password's slot.
    package var accountKey: Identifier? { known.slot(.password)?.accountKey }

    /// Returns the public key by which the service knows this device.
    ///
    /// - Throws: `.keyMissing` when the key is missing or damaged, or why the device failed.
    package func publicKey(of key: ItemName) async throws(VaultError) -> [UInt8] {
        do throws(DeviceRefusal) { return try await device.store.devicePublicKey(key) } catch {
            if error == .absent || error == .damaged { throw VaultError(.keyMissing) }
            throw VaultError(error, at: .errand("device key"))
        }
    }

    /// Reports a fault that undid nothing to the app's log.
    package func tolerate(_ fault: VaultError) { configuration.tolerated(fault) }

    /// The number of locks before a call that waits for the service: it changes when a lock comes in the meantime
    /// (A36).
    package var lockCount: UInt64 { keys.lockCount }

    /// Returns whether this device's signing key is lost: confirmed missing, or damaged.
    ///
    /// A damaged key stays in place until a login has committed a new one under its own name.
    package func hasLost(_ key: ItemName) async throws(VaultError) -> Bool { try await device.isMissing(key) }

    /// Accepts the service's answer to this device's status request, and looks at the vault again.
    ///
    /// - Parameter account: the account that was asked; if the head names another one, the answer is ignored.
    /// - Throws: why vault or device could not be read.
    package func accept(_ answer: ServiceAnswer, of account: VaultAccount) async throws(VaultError) {
        try await turnOnFolder { (turn) async throws(VaultError) in
            try await lookAround(hearing: AccountAnswer(answer, of: account), in: turn)
            publish()
            // The answer is kept in memory until the disk has room, and nothing opens here before that.
            if unwrittenAnswer != nil { throw VaultError(.diskFull) }
        }
    }

    /// Deletes the offline login because the account was closed; a failure to delete it does not undo that.
    package func endOfflineLogin() async {
        await tolerating { () async throws(VaultError) in
            try await turn { (turn) async throws(VaultError) in try forgetOfflineLogin(in: turn) }
        }
    }

    /// Restores the key that was stored before a login in which the service did not list this device, so answers can be
    /// proved.
    package func putBack(contactKey box: [UInt8]?) async {
        guard let box else { return }
        await tolerating { () async throws(VaultError) in
            try await turn { (turn) async throws(VaultError) in try store.setContactKey(box) }
        }
    }
}

// The first state.
extension Vault {
    /// Starts a vault that an account's password will open: its folder, and the signing key for the service.
    ///
    /// It is not a vault yet. If creation stops here, the next one in the same folder deletes what is left.
    ///
    /// - Throws: `.usage` for a policy without an account, `.vaultExists`, or why storage or device failed.
    package static func begin(
        in folder: String,
        device: Device,
        policy: VaultPolicy = .pd107,
        configuration: VaultConfiguration = VaultConfiguration()
    ) async throws(VaultError) -> (vault: Vault, device: AccountDevice) {
        guard policy.strongFactor == .accountPassword else { throw VaultError(.usage, "a policy without an account") }
        try requireTrust(in: device, under: policy)
        let vault = try await make(in: folder, device: device, policy: policy, configuration: configuration)
        return (vault, try await vault.beginWithAccount())
    }

    private func beginWithAccount() async throws(VaultError) -> AccountDevice {
        try await turnOnFolder(asksSensor: configuration.asksSensor) {
            (turn) async throws(VaultError) -> AccountDevice in
            try await lookAtEmptyFolder(in: turn)
            return try await makeDeviceKey(of: state.head.vault, in: turn)
        }
    }

    /// Creates the vault that `begin` started: its first key, sealed under the account's newest one.
    ///
    /// - Returns: the authorization that calls which could cost coins require; the vault is unlocked.
    /// - Throws: `.vaultExists` when another process created one in the meantime, `.keyMissing` when the device's key
    ///   is gone, or why nothing was created.
    package func create(by opening: borrowing AccountOpening) async throws(VaultError) -> StrongAuthorization {
        try await turnOnFolder(asksSensor: configuration.asksSensor) {
            (turn) async throws(VaultError) -> StrongAuthorization in
            try await lookAtEmptyFolder(in: turn)
            guard var head = state.founding else { throw VaultError(.vaultExists) }
            head.account = opening.account
            head.policyEpoch = opening.policyEpoch
            state = state.founding(head)
            // Another process may have deleted the key during the request to the service.
            _ = try await publicKey(of: opening.account.deviceKey)
            let session = try await begin(with: .make(), in: turn) { (change, _) throws(VaultError) in
                change.ledger.policyEpoch = opening.policyEpoch
                change.ledger.lastServerContact = self.now
                change.record(.vaultCreated)
            } rows: { () throws(VaultError) in
                try self.store.removeLeftover(opening.account.deviceKey)
            } sealing: { (item, session) throws(VaultError) in
                try await self.prepareAccountSlot(opening.keys, item: item, for: session)
            }
            keptItems.remove(opening.account.deviceKey)
            await keep(opening.offline, opening.contactKey, in: turn)
            return try authorization(by: .password, in: session.id)
        }
    }
}

// The strong unlock.
extension Vault {
    /// Creates another signing key for a device that the account no longer lists; `unlock(with:)` commits it.
    package func renewDevice() async throws(VaultError) -> AccountDevice {
        try await turn { (turn) async throws(VaultError) -> AccountDevice in
            try await makeDeviceKey(of: state.head.vault, in: turn)
        }
    }

    /// Records that the service refused the password (F-107-05): a failed attempt, with no other effect.
    ///
    /// - Throws: `.strongFactorRefused`.
    package func refuseAccountPassword() async throws(VaultError) {
        let attempt = newAttempt()
        try await turn { (turn) async throws(VaultError) in
            _ = try await unlock(by: .accountPassword, for: attempt, in: &turn) { _ throws(VaultError) in
                .strongSecretRefused
            }
        }
    }

    /// Unlocks with the result of a login, or proves the password again in an open session.
    ///
    /// If the account has a newer key, the slot is sealed under it with a new device secret, as for a new PIN: copies
    /// made from here on do not open with a former password.
    ///
    /// If the service answered at another address than the head names, nothing it said is trusted until its keys have
    /// opened the slot: any server can claim a name. Then the head names the new address, or this throws.
    ///
    /// - Parameter lockCount: the value of `lockCount` before the service was asked; nil without such a wait.
    /// - Returns: the authorization that calls which could cost coins require.
    /// - Throws: `.locked` when a lock came since, `.accountMismatch` for another account's, `.accountKeyMissing`,
    ///   `.keyMissing`, `.serviceDiffers` for another service at another address, or why storage failed.
    package func unlock(
        with opening: borrowing AccountOpening,
        since lockCount: UInt64? = nil
    ) async throws(VaultError) -> StrongAuthorization {
        // A lock during the request to the service takes precedence.
        if let lockCount, lockCount != keys.lockCount { throw VaultError(.locked) }
        let attempt = newAttempt()
        return try await turn { (turn) async throws(VaultError) -> StrongAuthorization in
            if let refusal = state.condition.refusal { throw VaultError(refusal) }
            guard let account = state.head.account, account.userID == opening.account.userID else {
                throw VaultError(.accountMismatch)
            }
            guard let slot = state.slot(.password), state.condition == .ready else { throw VaultError(.keyMissing) }
            let moves = opening.service.map { $0.address != account.service.address } ?? false
            if moves {
                try requireSame(opening, account, slot)
            } else {
                try await write(.epoch(opening.policyEpoch), of: account, in: turn)
            }
            let opened = try await unlock(by: .accountPassword, for: attempt, in: &turn) { _ throws(VaultError) in
                guard let secret = try await self.accountSecret(of: slot, from: opening.keys) else {
                    throw VaultError(.keyMissing)
                }
                // A lock that came while the device was busy takes precedence (A36).
                try attempt.requireOngoing()
                let event = try self.open(slot, with: .account(secret))
                if moves, event == .strongSecretRefused { throw VaultError(.serviceDiffers, "another key") }
                return event
            }
            if moves { try await write(.epoch(opening.policyEpoch), of: account, in: turn) }
            session?.policyEpoch = opening.policyEpoch
            try await update(from: opening, slot, moving: moves, in: turn)
            for guest in Guest.all {
                await guest.afterStrong?(self, state.slot(.password) ?? slot, turn)
                await guest.afterUnlock?(self, turn)
            }
            // Apply the policy in force from this login on.
            if session?.scope == .full { await keep(opening.offline, opening.contactKey, in: turn) }
            guard session != nil else { throw VaultError(.locked) }
            return try authorization(by: .password, in: opened)
        }
    }

    /// Unlocks with the account's password without its service, if the policy allows that (F-107-05).
    ///
    /// Attempts are counted here, as for a PIN. A success clears no failures, dates no strong unlock, and is no
    /// authorization: calls that could cost coins need the service.
    ///
    /// - Parameter open: derives the account's keys from the stored login; returns nil when the password is wrong.
    /// - Throws: `.serviceUnreachable` when no login is stored, `.sessionExpired` when the clock is implausible or
    ///   before the newest recorded date, `.strongFactorRefused`, `.attemptDelayed`, or why storage failed.
    /// - Returns: the authorization that turns biometrics off.
    @discardableResult
    package func unlockOffline(
        _ open: (OfflineLogin) throws(VaultError) -> AccountKeys?
    ) async throws(VaultError) -> OfflineAuthorization {
        let attempt = newAttempt()
        return try await turn { (turn) async throws(VaultError) -> OfflineAuthorization in
            if let refusal = state.condition.refusal { throw VaultError(refusal) }
            guard state.condition == .ready, let slot = state.slot(.password),
                let kept = try await offlineLogin(for: slot)
            else { throw VaultError(.serviceUnreachable, "nothing is kept for that") }
            // A clock set back before a reboot would keep a former password valid; a login renews all dates.
            guard state.ledger.isDatedBefore(device.clock()) else { throw VaultError(.sessionExpired, "the clock") }
            let opened = try await unlock(by: .offlinePassword, for: attempt, in: &turn) { _ throws(VaultError) in
                guard let keys = try open(kept) else { return .strongSecretRefused }
                guard let secret = try await self.accountSecret(of: slot, from: keys) else {
                    throw VaultError(.keyMissing)
                }
                try attempt.requireOngoing()
                let event = try self.open(slot, with: .account(secret))
                // Set this before the session is published: a lock right after would date it.
                self.keys.candidate?.isUndated = true
                return event
            }
            return OfflineAuthorization(try authorization(by: .password, in: opened))
        }
    }

    /// Refuses a service at another address that is not the account's, as far as can be told without the slot.
    private func requireSame(
        _ opening: borrowing AccountOpening,
        _ account: VaultAccount,
        _ slot: SlotRecord
    ) throws(VaultError) {
        guard opening.service?.name == account.service.name else { throw VaultError(.serviceDiffers, "another name") }
        guard opening.policyEpoch >= state.policyEpoch else { throw VaultError(.serviceDiffers, "an older state") }
        guard let key = slot.accountKey, opening.keys.names.contains(key) else {
            throw VaultError(.serviceDiffers, "no key of this vault")
        }
    }

    /// Updates the head from the login, and reseals the slot under a newer key of the account.
    ///
    /// Failure is tolerated unless the service has moved: the former slot opens as long as the envelope has its key.
    private func update(
        from opening: borrowing AccountOpening,
        _ slot: SlotRecord,
        moving moves: Bool,
        in turn: borrowing Turn
    ) async throws(VaultError) {
        guard let session, session.scope == .full else {
            // An export-only session relies on unverified data.
            if moves { throw VaultError(.exportOnly) }
            return
        }
        let isNewest = slot.accountKey == opening.keys.newest
        let standing = state.head.account
        let isWritten =
            standing?.login == opening.account.login && standing?.deviceKey == opening.account.deviceKey
            && (opening.service == nil || opening.service == standing?.service)
            && state.head.policyEpoch == opening.policyEpoch
        guard !isNewest || !isWritten || state.ledger.policyEpoch != opening.policyEpoch else { return }
        if let known = standing?.login.saltDigest, known != opening.account.login.saltDigest,
            state.head.policyEpoch == opening.policyEpoch
        {
            configuration.tolerated(VaultError(.accountChanged, "another salt, and no change of the password"))
        }
        do throws(VaultError) {
            if isNewest {
                return try await commit(opening, replacing: nil, for: session, in: turn) { _ throws(VaultError) in }
            }
            try await withNextLedger(state.ledger, in: turn) { (item, _) throws(VaultError) in
                let newer = try await self.prepareAccountSlot(opening.keys, item: item, for: session)
                try await self.commit(opening, replacing: slot, for: session, in: turn) {
                    (change) throws(VaultError) in
                    try change.add(newer)
                }
            }
        } catch {
            // Another copy was changed first, and depends on what is here.
            guard error.code != .olderCopy, error.code != .busy, !moves else { throw error }
            configuration.tolerated(error)
        }
        // A lock in the meantime takes precedence (A36).
        guard self.session === session else { throw VaultError(.locked) }
    }

    private func commit(
        _ opening: borrowing AccountOpening,
        replacing slot: SlotRecord?,
        for session: Session,
        in turn: borrowing Turn,
        _ fill: (inout Change) throws(VaultError) -> Void
    ) async throws(VaultError) {
        var change = try change(by: session)
        let former = change.head.account
        change.head.account = try await account(after: opening, former)
        change.head.policyEpoch = opening.policyEpoch
        change.ledger.policyEpoch = opening.policyEpoch
        change.ledger.lastServerContact = now
        change.ledger.deviceIsRevoked = false
        if let slot { change.remove(slot) }
        try fill(&change)
        let (old, key) = (former?.deviceKey, change.head.account?.deviceKey)
        try await commit(change, for: session, in: turn) { () throws(VaultError) in
            if let key { try self.store.removeLeftover(key) }
            if let old, old != key { try self.store.addLeftover(old) }
        }
        if let key { keptItems.remove(key) }
    }

    /// Returns the account for the new head: the verified head's, with how the password was proved this time.
    ///
    /// The login's other fields came from a head that was unverified when the service was asked. A new device is
    /// accepted only if this object made its key and the key still exists; a new address or trust anchor only as given
    /// by the owner, for the service that the head names.
    private func account(
        after opening: borrowing AccountOpening,
        _ verified: VaultAccount?
    ) async throws(VaultError) -> VaultAccount? {
        guard var account = verified else { return nil }
        account.login = opening.account.login
        if let service = opening.service, service.name == account.service.name { account.service = service }
        let renewed = opening.account
        if keptItems.contains(renewed.deviceKey), try await !device.isMissing(renewed.deviceKey) {
            (account.device, account.deviceKey) = (renewed.device, renewed.deviceKey)
        }
        return account
    }
}

extension Device {
    /// Signs for this device, to an account's service.
    ///
    /// - Throws: `.keyMissing` when the key is missing or damaged, or why the device failed.
    package func sign(_ message: [UInt8], by key: ItemName) async throws(VaultError) -> [UInt8] {
        do throws(DeviceRefusal) { return try await store.sign(message, with: key) } catch {
            if error == .absent || error == .damaged { throw VaultError(.keyMissing) }
            throw VaultError(error, at: .errand("device key"))
        }
    }
}
