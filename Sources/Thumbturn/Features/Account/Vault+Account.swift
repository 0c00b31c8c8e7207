import ThumbturnBase
import ThumbturnCrypto
package import ThumbturnDevice
package import ThumbturnRules

// A vault whose strong factor is an account's password (seed 002). What speaks to the service stands outside: here its answers are
// taken, and nothing is asked.
extension Vault {
    /// The account that the head names; nil for a vault without one.
    ///
    /// While the vault is locked nobody has verified that.
    package var account: VaultAccount? { known.head.account }

    /// The account's key that the slot of its password is sealed under, by its name in the envelope.
    package var accountKey: Identifier? { known.slot(.password)?.accountKey }

    /// The public half of the key by which the service knows this device.
    ///
    /// - Throws: `.keyMissing` where the key is gone, or why the device failed.
    package func publicKey(of key: ItemName) async throws(VaultError) -> [UInt8] {
        do throws(DeviceRefusal) { return try await device.store.devicePublicKey(key) } catch .absent {
            throw VaultError(.keyMissing)
        } catch {
            throw VaultError(error, at: .errand("device key"))
        }
    }

    /// Tells the app's log of a fault that undid nothing.
    package func tolerate(_ fault: VaultError) { configuration.tolerated(fault) }

    /// Takes the service's answer to a device that asked whether all is as it was, and looks at the vault anew.
    ///
    /// - Throws: why vault or device could not be looked at.
    package func hear(_ word: ServerWord) async throws(VaultError) {
        try await turnOnFolder { () async throws(VaultError) in
            try await lookAround(hearing: word)
            publish()
        }
    }
}

// The first state.
extension Vault {
    /// Begins a vault that an account's password is to open: its folder, and the key by which the service will know this device.
    ///
    /// Nothing is a vault yet. What is left where it goes no further is deleted by the next one that begins here.
    ///
    /// - Throws: `.vaultExists`, or why storage or device failed.
    package static func begin(
        in folder: String,
        device: Device,
        policy: VaultPolicy = .pd107,
        configuration: VaultConfiguration = VaultConfiguration()
    ) async throws(VaultError) -> (vault: Vault, device: AccountDevice) {
        precondition(policy.strongFactor == .accountPassword, "a policy without an account")
        let vault = try await make(in: folder, device: device, policy: policy, configuration: configuration)
        return (vault, try await vault.beginWithAccount())
    }

    private func beginWithAccount() async throws(VaultError) -> AccountDevice {
        try await turnOnFolder { () async throws(VaultError) -> AccountDevice in
            try await lookAtEmptyFolder()
            return try await makeDeviceKey(of: state.head.vault)
        }
    }

    /// Makes the vault that `begin` began: its first key, sealed under the account's newest one.
    ///
    /// - Returns: what calls that could cost coins ask for; the vault is unlocked.
    /// - Throws: `.vaultExists` where another process made one meanwhile, `.keyMissing` where the device's key is gone, or why
    ///   nothing was made.
    package func found(by opening: borrowing AccountOpening) async throws(VaultError) -> StrongAuthorization {
        try await turnOnFolder { () async throws(VaultError) -> StrongAuthorization in
            try await lookAtEmptyFolder()
            guard var head = state.founding else { throw VaultError(.vaultExists) }
            head.account = opening.account
            head.policyEpoch = opening.policyEpoch
            state = state.founding(head)
            // Another process may have deleted it while the service was asked.
            _ = try await publicKey(of: opening.account.deviceKey)
            let session = try await begin(with: .make()) { (change, _) throws(VaultError) in
                change.ledger.policyEpoch = opening.policyEpoch
                change.ledger.lastServerContact = self.now
                change.record(.vaultCreated)
            } rows: { () throws(VaultError) in
                try self.store.removeLeftover(opening.account.deviceKey)
            } sealing: { (own, ledgerItem, session) throws(VaultError) in
                try await self.prepareAccountSlot(opening.keys, item: own, ledgerItem: ledgerItem, for: session)
            }
            keptItems.remove(opening.account.deviceKey)
            await keep(opening.offline)
            return try authorization(by: .password, in: session.id)
        }
    }
}

// The strong unlock.
extension Vault {
    /// Makes another key for this device, where the account lists its former one no more; `unlock(with:)` commits it.
    package func renewDevice() async throws(VaultError) -> AccountDevice {
        try await turn { () async throws(VaultError) -> AccountDevice in
            try await makeDeviceKey(of: state.head.vault)
        }
    }

    /// Tells that the service refused the password (F-107-05): it was a failure, and nothing else.
    ///
    /// - Throws: `.strongFactorRefused`.
    package func refuseAccountPassword() async throws(VaultError) {
        let attempt = newAttempt()
        try await turn { () async throws(VaultError) in
            _ = try await unlock(by: .accountPassword, in: attempt) { () throws(VaultError) in .strongSecretRefused }
        }
    }

    /// Unlocks with what a login brought, or proves the password again in an open session.
    ///
    /// Where the account has a newer key the slot is sealed under that, with a device secret of its own, as for a new PIN: what is copied
    /// from here on opens with no former password.
    ///
    /// - Returns: what calls that could cost coins ask for.
    /// - Throws: `.accountMismatch` for another account's, `.accountKeyMissing`, `.keyMissing`, or why storage failed.
    package func unlock(with opening: borrowing AccountOpening) async throws(VaultError) -> StrongAuthorization {
        let attempt = newAttempt()
        return try await turn { () async throws(VaultError) -> StrongAuthorization in
            if let refusal = state.condition.refusal { throw VaultError(refusal) }
            guard let account = state.head.account, account.userID == opening.account.userID else {
                throw VaultError(.accountMismatch)
            }
            guard let slot = state.slot(.password), state.condition == .ready else { throw VaultError(.keyMissing) }
            try await take(.epoch(opening.policyEpoch))
            let opened = try await unlock(by: .accountPassword, in: attempt) { () throws(VaultError) in
                guard let secret = try await self.accountSecret(of: slot, from: opening.keys) else {
                    throw VaultError(.keyMissing)
                }
                // A lock that came while the device worked has won (A36).
                try attempt.requireOngoing()
                return try self.open(slot, with: .account(secret))
            }
            try await settle(opening, slot)
            if session?.scope == .full { await keep(opening.offline) }
            for guest in Guest.all {
                await guest.afterStrong?(self, state.slot(.password) ?? slot)
                await guest.afterUnlock?(self)
            }
            guard session != nil else { throw VaultError(.locked) }
            return try authorization(by: .password, in: opened)
        }
    }

    /// Unlocks with the account's password without its service, where the policy allows that (F-107-05).
    ///
    /// The tries are counted here, as a PIN's. It forgives no failure, dates no strong unlock, and vouches for nothing: what could cost
    /// coins asks for the service.
    ///
    /// - Parameter open: makes the account's keys of what was kept; nil where the password is wrong.
    /// - Throws: `.serviceUnreachable` where nothing is kept, `.strongFactorRefused`, `.attemptDelayed`, or why storage failed.
    package func unlockOffline(
        _ open: (OfflineLogin) throws(VaultError) -> AccountKeys?
    ) async throws(VaultError) {
        let attempt = newAttempt()
        try await turn { () async throws(VaultError) in
            if let refusal = state.condition.refusal { throw VaultError(refusal) }
            guard state.condition == .ready, let slot = state.slot(.password),
                let kept = try await offlineLogin(for: slot)
            else { throw VaultError(.serviceUnreachable, "nothing is kept for that") }
            _ = try await unlock(by: .offlinePassword, in: attempt) { () throws(VaultError) in
                guard let keys = try open(kept) else { return .strongSecretRefused }
                guard let secret = try await self.accountSecret(of: slot, from: keys) else {
                    throw VaultError(.keyMissing)
                }
                try attempt.requireOngoing()
                return try self.open(slot, with: .account(secret))
            }
        }
    }

    private func keep(_ login: OfflineLogin?) async {
        guard let slot = state.slot(.password) else { return }
        await tolerating { () async throws(VaultError) in try await keepOfflineLogin(login, for: slot) }
    }

    /// Writes what the login said that the head does not say yet, and seals the slot anew under a newer key of the account.
    ///
    /// It may fail: the former slot opens, as long as the envelope has its key.
    private func settle(_ opening: borrowing AccountOpening, _ slot: SlotRecord) async throws(VaultError) {
        guard let session, session.scope == .full, let ledgerItem = slot.ledgerItem else { return }
        let isNewest = slot.accountKey == opening.keys.newest
        let isWritten = state.head.account == opening.account && state.head.policyEpoch == opening.policyEpoch
        guard !isNewest || !isWritten || state.ledger.policyEpoch != opening.policyEpoch else { return }
        do throws(VaultError) {
            if isNewest { return try await commit(opening, replacing: nil, for: session) { _ throws(VaultError) in } }
            try await withOwnSecret(of: session.vault) { (own) throws(VaultError) in
                let newer = try await self.prepareAccountSlot(
                    opening.keys,
                    item: own,
                    ledgerItem: ledgerItem,
                    for: session
                )
                try await self.commit(opening, replacing: slot, for: session) { (change) throws(VaultError) in
                    try change.add(newer)
                }
            }
        } catch {
            // Another copy came first, and stands on what is here.
            guard error.code != .olderCopy else { throw error }
            configuration.tolerated(error)
        }
        // A lock that came meanwhile has won (A36).
        guard self.session === session else { throw VaultError(.locked) }
    }

    private func commit(
        _ opening: borrowing AccountOpening,
        replacing slot: SlotRecord?,
        for session: Session,
        _ fill: (inout Change) throws(VaultError) -> Void
    ) async throws(VaultError) {
        let former = state.head.account?.deviceKey
        let account = try await standingAccount(opening.account)
        let key = account.deviceKey
        var change = try change(by: session)
        change.head.account = account
        change.head.policyEpoch = opening.policyEpoch
        change.ledger.policyEpoch = opening.policyEpoch
        change.ledger.lastServerContact = now
        if let slot { change.remove(slot) }
        try fill(&change)
        try await commit(change, for: session) { () throws(VaultError) in
            try self.store.removeLeftover(key)
            if let former, former != key { try self.store.addLeftover(former) }
        }
        keptItems.remove(key)
    }

    /// The account as a login names it; under the device of the head where the login's has no key any more.
    ///
    /// Another process may have renewed the device, or deleted a new key that no head named yet, since the login was begun: a head
    /// that names a key which is gone would be heard by no service again.
    private func standingAccount(_ account: VaultAccount) async throws(VaultError) -> VaultAccount {
        guard let standing = state.head.account, standing.deviceKey != account.deviceKey else { return account }
        do throws(VaultError) {
            _ = try await publicKey(of: account.deviceKey)
            return account
        } catch  where error.code == .keyMissing {
            var kept = account
            (kept.device, kept.deviceKey) = (standing.device, standing.deviceKey)
            return kept
        }
    }
}

extension Device {
    /// Signs for this device, to an account's service.
    ///
    /// - Throws: `.keyMissing` where the key is gone, or why the device failed.
    package func sign(_ message: [UInt8], by key: ItemName) async throws(VaultError) -> [UInt8] {
        do throws(DeviceRefusal) { return try await store.sign(message, with: key) } catch .absent {
            throw VaultError(.keyMissing)
        } catch {
            throw VaultError(error, at: .errand("device key"))
        }
    }
}
