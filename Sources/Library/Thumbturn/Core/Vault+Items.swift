import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// Items of the secure store. A name is noted as a leftover before the item is made, so that a crash leaves no orphan; the
// commit that refers to it takes the note away.
extension Vault {
    /// Makes a device secret with its anchor, and looks that it is there.
    ///
    /// The anchor stands where no commit has used it. Until one has, the note deletes the secret, so what a crash leaves
    /// goes; afterwards only a note that the secret itself has tagged does (A25). It tags none here: a copy of the file from
    /// now would delete it for ever.
    ///
    /// - Returns: the note, which stands until a commit names the secret.
    func makeDeviceSecret(of vault: Identifier) async throws(VaultError) -> VaultStore.Leftover {
        // No tag at all would look like the note of what guesses at a former app's PIN are counted with.
        let made = VaultStore.Leftover(item: ItemName(vault: vault, purpose: .deviceSecret, unique: .make()), tag: [])
        try store.addLeftover(made.item, tag: made.tag)
        do throws(VaultError) {
            do throws(DeviceRefusal) {
                try await device.store.makeDeviceSecret(made.item)
                try await checkProtection(of: made.item, access: .deviceOnly)
            } catch {
                throw VaultError(error, at: .makeDeviceSecret)
            }
            try await device.makeAnchor(of: made.item, at: .founding(mark: .make()))
        } catch {
            await discard(made)
            throw error
        }
        return made
    }

    /// Stores the intermediate secret of a slot behind what the device asks for.
    ///
    /// It never prompts.
    func storeIntermediateSecret(
        _ secret: borrowing RandomSecret,
        behind access: AccessControl
    ) async throws(VaultError) -> ItemName {
        let isBiometric = access == .currentBiometrySet
        let purpose: ItemName.Purpose = isBiometric ? .biometric : .system
        let name = ItemName(vault: state.head.vault, purpose: purpose, unique: .make())
        try store.addLeftover(name)
        do throws(DeviceRefusal) {
            let lease = isBiometric ? state.head.policy.lease : nil
            try await device.store.save(secret.copyBytes(), as: name, access: access, lease: lease)
            try await checkProtection(of: name, access: access)
        } catch {
            await discard(VaultStore.Leftover(item: name))
            throw VaultError(error, at: isBiometric ? .storeBiometricSecret : .storeSystemSecret)
        }
        return name
    }

    /// Reads the attributes back: a platform that drops one is refused (A32).
    private func checkProtection(of name: ItemName, access: AccessControl) async throws(DeviceRefusal) {
        guard let stored = try await device.store.describe(name) else { throw .unavailable }
        guard stored == ItemDescription(access: access, staysOnDevice: true) else { throw .weakerThanAsked }
    }

    /// Marks the PIN's own secret as one that a commit names, and takes its note away; the next look makes up for a failure.
    ///
    /// From here on no note deletes it but one that it vouches for.
    func settleOwnSecret() async {
        guard let own = state.ledgerSlot?.item else { return }
        await tolerating { () async throws(VaultError) in
            let position = try await device.anchorPosition(of: own)
            if position?.isUsed != true {
                let used = LedgerPosition(sequence: 1, mark: .make())
                guard try await device.moveAnchor(of: own, from: position, to: used) else { return }
            }
            // Should it come back, it deletes nothing any more.
            try store.forgetLeftover(own)
            state = state.forgetting(own)
        }
    }

    /// Discards what was made for a commit, unless that stands and only something after it failed.
    func discardUnlessNamed(_ made: VaultStore.Leftover) async {
        if !state.slots.contains(where: { $0.items.contains(made.item) }) { await discard(made) }
    }

    /// Deletes an item that nothing refers to, its counter and its note.
    ///
    /// Where that fails, the note stays and it is tried again at the next start.
    ///
    /// - Parameter logIsErased: whether the log was emptied since the last commit that named the item.
    /// - Returns: whether the item is gone.
    @discardableResult
    func discard(_ leftover: VaultStore.Leftover, logIsErased: Bool = false) async -> Bool {
        do {
            // A commit whose sync failed may lie in the log whole, and would count after a crash. It is written over first:
            // else the item could be deleted, and the slot that names it come back.
            if !logIsErased { try store.renewLeftover(leftover) }
            try await device.store.delete(leftover.item)
            try await device.anchor.remove(for: leftover.item)
            try store.forgetLeftover(leftover.item)
            return true
        } catch {
            configuration.tolerated(error as? VaultError ?? VaultError(.storageUnavailable, "leftover: \(error)"))
            return false
        }
    }
}

// What nothing refers to any more.
extension Vault {
    /// Deletes what no slot refers to, and forgets it once it is gone.
    ///
    /// What can't be deleted now waits for the next time. `LeftoverFacts` says which notes are believed (A25). In an older
    /// copy none is: what it calls done with may be what the vault stands on.
    ///
    /// - Parameters:
    ///   - isVerified: whether an open session knows which slots stand, and the device has what they need.
    ///   - erased: what the owner's reset has just ended.
    ///   - logIsErased: whether the log was emptied since the last change.
    func purgeLeftovers(isVerified: Bool = false, erased: [ItemName] = [], logIsErased: Bool = false) async {
        guard !keepsLeftovers, state.headStanding != .putBack else { return }
        var logIsErased = logIsErased
        for leftover in state.contents.leftovers
        where await mayDelete(leftover, isVerified || erased.contains(leftover.item)) {
            // What took its place must be in the file, and not in the log alone, which damage may cut short.
            if !logIsErased {
                guard tolerating({ () throws(VaultError) in try store.eraseDeleted() }) != nil else { return }
                logIsErased = true
            }
            guard await discard(leftover, logIsErased: true) else { continue }
            state = state.forgetting(leftover.item)
        }
    }

    /// Deletes what only a session that knows its slots may, once there is one.
    func purgeWhatWaited() async {
        guard !state.contents.leftovers.isEmpty else { return }
        await purgeLeftovers(isVerified: session?.scope == .full && state.condition == .ready)
    }

    private func mayDelete(_ leftover: VaultStore.Leftover, _ isVerified: Bool) async -> Bool {
        let item = leftover.item
        guard !keptItems.contains(item) else { return false }
        var facts = LeftoverFacts(
            item: LeftoverFacts.Item(item.purpose),
            isReferredTo: state.refers(to: item),
            isOwn: item.purpose.map { item.belongs(to: state.head.vault, for: $0) } ?? false,
            isHeadless: state.condition == .resetPending,
            isVerified: isVerified
        )
        while true {
            switch facts.verdict {
            case .delete: return true
            case .keep: return false
            case .ask(.counter):
                facts.counter = await device.usedCounter(of: item)
            case .ask(.item):
                facts.presence = await device.presence(of: item)
            case .ask(.voucher):
                facts.vouches = await vouches(for: leftover)
            }
        }
    }

    private func vouches(for leftover: VaultStore.Leftover) async -> Bool {
        guard let noted = leftover.tag else { return false }
        return await tolerating { () async throws(VaultError) in
            try await device.vouches(for: leftover.item, by: noted)
        } ?? false
    }

    static let partialBackup = "backup.partial"
    static let partialRestore = "restore.partial"

    /// Removes what a backup or a restore that was cut off left, and all that SQLite keeps beside it.
    ///
    /// A log that stayed behind would be in the way of the next one, or be taken for its own.
    func removePartials() {
        for name in [Self.partialBackup, Self.partialRestore] { VaultStore.removeFiles(named: name, in: folder) }
    }

    /// Overwrites what was deleted, and removes the copies of it that a backup of another process left when it was cut off.
    func eraseDeleted() throws(VaultError) {
        removePartials()
        try store.eraseDeleted()
    }
}

extension VaultPolicy {
    /// How long hardware that can tell lets a finger's key live after the PIN was given.
    ///
    /// Idle time is not part of it: that counts from the last use, which no hardware knows.
    fileprivate var lease: ItemLease? {
        guard strongFactorAfterReboot || strongFactorMaxAge != nil else { return nil }
        return ItemLease(thisBootOnly: strongFactorAfterReboot, duration: strongFactorMaxAge)
    }
}

extension LeftoverFacts.Item {
    fileprivate init(_ purpose: ItemName.Purpose?) {
        switch purpose {
        case .deviceSecret?: self = .deviceSecret
        case .system?: self = .systemKey
        case .biometric?, .credential?, .deviceKey?: self = .replaceable
        case nil: self = .foreign
        }
    }
}
