import ThumbturnBase
import ThumbturnCrypto
package import ThumbturnDevice
package import ThumbturnRules

// A vault whose strong factor is an account's password (seed 002). What speaks to the service stands outside: here its answers
// are taken, and nothing is asked.
extension Vault {
    /// The account whose password opens the vault; nil where none does, whatever the head says.
    ///
    /// Nothing that was typed, or that the device signs, goes to any other service. While the vault is locked nobody has
    /// verified it.
    package var account: VaultAccount? { known.account }

    /// The same for what can't go on without.
    ///
    /// - Throws: `.accountMismatch` for a vault without one; `.keyMissing` where nothing is left that its password could open.
    package var requiredAccount: VaultAccount {
        get throws(VaultError) {
            if let account = known.account { return account }
            throw VaultError(known.head.account == nil ? .accountMismatch : known.condition.refusal ?? .accountMismatch)
        }
    }

    /// Whether the service's last word was that the account has revoked this device.
    package var isOnRevokedDevice: Bool { known.ledger.deviceIsRevoked }

    /// The account's key that the slot of its password is sealed under, by its name in the envelope.
    package var accountKey: Identifier? { known.slot(.password)?.accountKey }

    /// The public half of the key by which the service knows this device.
    ///
    /// - Throws: `.keyMissing` where the key is gone or damaged, or why the device failed.
    package func publicKey(of key: ItemName) async throws(VaultError) -> [UInt8] {
        do throws(DeviceRefusal) { return try await device.store.devicePublicKey(key) } catch {
            if error == .absent || error == .damaged { throw VaultError(.keyMissing) }
            throw VaultError(error, at: .errand("device key"))
        }
    }

    /// Tells the app's log of a fault that undid nothing.
    package func tolerate(_ fault: VaultError) { configuration.tolerated(fault) }

    /// What a call begins from that waits for the service: a lock that comes meanwhile makes another of it (A36).
    package var beginning: UInt64 { lockCount }

    /// Whether the key by which the service knows this device signs nothing any more: it is confirmed missing, or damaged.
    ///
    /// A damaged one stays where it is until a login has committed another under a name of its own.
    package func hasLost(_ key: ItemName) async throws(VaultError) -> Bool { try await device.isMissing(key) }

    /// Takes the service's answer to a device that asked whether all is as it was, and looks at the vault anew.
    ///
    /// - Parameter account: the account that was asked: where the head names another, the answer does not count.
    /// - Throws: why vault or device could not be looked at.
    package func hear(_ word: ServerWord, of account: VaultAccount) async throws(VaultError) {
        try await turnOnFolder { () async throws(VaultError) in
            try await lookAround(hearing: (word, account))
            publish()
            // It is kept until there is room, and nothing opens here before.
            if unwrittenWord != nil { throw VaultError(.diskFull) }
        }
    }
}

// The first state.
extension Vault {
    /// Begins a vault that an account's password is to open: its folder, and the key by which the service will know this device.
    ///
    /// Nothing is a vault yet. What is left where it goes no further is deleted by the next one that begins here.
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
        try await turnOnFolder(asksSensor: configuration.asksSensor) { () async throws(VaultError) -> AccountDevice in
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
        try await turnOnFolder(asksSensor: configuration.asksSensor) {
            () async throws(VaultError) -> StrongAuthorization in
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
            await keep(opening.offline, opening.contactKey)
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
    /// Where the account has a newer key the slot is sealed under that, with a device secret of its own, as for a new PIN: what
    /// is copied from here on opens with no former password.
    ///
    /// Where the service answered at another address than the head names, nothing is believed before the slot has opened by its
    /// keys: a name is anybody's to claim. Then the head names that address, or this throws.
    ///
    /// - Parameter beginning: `beginning` as it was before the service was asked; nil where nobody waited for it.
    /// - Returns: what calls that could cost coins ask for.
    /// - Throws: `.locked` where a lock came since, `.accountMismatch` for another account's, `.accountKeyMissing`,
    ///   `.keyMissing`, `.serviceDiffers` for another service at another address, or why storage failed.
    package func unlock(
        with opening: borrowing AccountOpening,
        since beginning: UInt64? = nil
    ) async throws(VaultError) -> StrongAuthorization {
        // While the service was asked a lock may have come, which has won.
        if let beginning, beginning != lockCount { throw VaultError(.locked) }
        let attempt = newAttempt()
        return try await turn { () async throws(VaultError) -> StrongAuthorization in
            if let refusal = state.condition.refusal { throw VaultError(refusal) }
            guard let account = state.head.account, account.userID == opening.account.userID else {
                throw VaultError(.accountMismatch)
            }
            guard let slot = state.slot(.password), state.condition == .ready else { throw VaultError(.keyMissing) }
            let moves = opening.service.map { $0.address != account.service.address } ?? false
            if moves {
                try requireSame(opening, account, slot)
            } else {
                try await take(.epoch(opening.policyEpoch), of: account)
            }
            let opened = try await unlock(by: .accountPassword, in: attempt) { () throws(VaultError) in
                guard let secret = try await self.accountSecret(of: slot, from: opening.keys) else {
                    throw VaultError(.keyMissing)
                }
                // A lock that came while the device worked has won (A36).
                try attempt.requireOngoing()
                let event = try self.open(slot, with: .account(secret))
                if moves, event == .strongSecretRefused { throw VaultError(.serviceDiffers, "another key") }
                return event
            }
            if moves { try await take(.epoch(opening.policyEpoch), of: account) }
            session?.policyEpoch = opening.policyEpoch
            try await settle(opening, slot, moving: moves)
            for guest in Guest.all {
                await guest.afterStrong?(self, state.slot(.password) ?? slot)
                await guest.afterUnlock?(self)
            }
            // By the policy that counts from this login on.
            if session?.scope == .full { await keep(opening.offline, opening.contactKey) }
            guard session != nil else { throw VaultError(.locked) }
            return try authorization(by: .password, in: opened)
        }
    }

    /// Unlocks with the account's password without its service, where the policy allows that (F-107-05).
    ///
    /// The tries are counted here, as a PIN's. It forgives no failure, dates no strong unlock, and vouches for nothing: what
    /// could cost coins asks for the service.
    ///
    /// - Parameter open: makes the account's keys of what was kept; nil where the password is wrong.
    /// - Throws: `.serviceUnreachable` where nothing is kept, `.sessionExpired` for a clock that makes no sense or is older than
    ///   the newest one that was written, `.strongFactorRefused`, `.attemptDelayed`, or why storage failed.
    /// - Returns: what turns biometrics off.
    @discardableResult
    package func unlockOffline(
        _ open: (OfflineLogin) throws(VaultError) -> AccountKeys?
    ) async throws(VaultError) -> OfflineAuthorization {
        let attempt = newAttempt()
        return try await turn { () async throws(VaultError) -> OfflineAuthorization in
            if let refusal = state.condition.refusal { throw VaultError(refusal) }
            guard state.condition == .ready, let slot = state.slot(.password),
                let kept = try await offlineLogin(for: slot)
            else { throw VaultError(.serviceUnreachable, "nothing is kept for that") }
            // Set back, and booted anew, it would keep a former password alive; a login dates all of them anew.
            guard state.ledger.isDatedBefore(device.clock()) else { throw VaultError(.sessionExpired, "the clock") }
            let opened = try await unlock(by: .offlinePassword, in: attempt) { () throws(VaultError) in
                guard let keys = try open(kept) else { return .strongSecretRefused }
                guard let secret = try await self.accountSecret(of: slot, from: keys) else {
                    throw VaultError(.keyMissing)
                }
                try attempt.requireOngoing()
                let event = try self.open(slot, with: .account(secret))
                // Before it is the session: a lock that comes next dates it.
                self.candidate?.isUndated = true
                return event
            }
            return OfflineAuthorization(try authorization(by: .password, in: opened))
        }
    }

    /// Refuses a service at another address that is not the account's, as far as that shows without the slot.
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

    /// Writes what the login said that the head does not say yet, and seals the slot anew under a newer key of the account.
    ///
    /// It may fail, unless the service has moved: the former slot opens, as long as the envelope has its key.
    private func settle(
        _ opening: borrowing AccountOpening,
        _ slot: SlotRecord,
        moving moves: Bool
    ) async throws(VaultError) {
        guard let session, session.scope == .full else {
            // What such a session goes by, nobody has verified.
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
            if isNewest { return try await commit(opening, replacing: nil, for: session) { _ throws(VaultError) in } }
            try await withNextLedger(state.ledger) { (item, _) throws(VaultError) in
                try await self.withOwnSecret(of: session.vault) { (own) throws(VaultError) in
                    let newer = try await self.prepareAccountSlot(
                        opening.keys,
                        item: own,
                        ledgerItem: item,
                        for: session
                    )
                    try await self.commit(opening, replacing: slot, for: session) { (change) throws(VaultError) in
                        try change.add(newer)
                    }
                }
            }
        } catch {
            // Another copy came first, and stands on what is here.
            guard error.code != .olderCopy, error.code != .busy, !moves else { throw error }
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
        try await commit(change, for: session) { () throws(VaultError) in
            if let key { try self.store.removeLeftover(key) }
            if let old, old != key { try self.store.addLeftover(old) }
        }
        if let key { keptItems.remove(key) }
    }

    /// The account as the head is to name it: as the verified head has it, with how the password was proved now.
    ///
    /// What else the login goes by came from a head that nobody had verified when the service was asked. Another device is
    /// taken where this very object made its key, and that is there still; another address or trust where the owner gave it, of
    /// the service that the head names.
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
    /// - Throws: `.keyMissing` where the key is gone or damaged, or why the device failed.
    package func sign(_ message: [UInt8], by key: ItemName) async throws(VaultError) -> [UInt8] {
        do throws(DeviceRefusal) { return try await store.sign(message, with: key) } catch {
            if error == .absent || error == .damaged { throw VaultError(.keyMissing) }
            throw VaultError(error, at: .errand("device key"))
        }
    }
}
