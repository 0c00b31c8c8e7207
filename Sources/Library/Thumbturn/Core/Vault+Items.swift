import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// Items of the secure store. A leftover note is written before the item is created, so that a crash leaves no orphan;
// the commit that refers to the item removes the note.
extension Vault {
    /// Creates a device secret with its anchor, and checks that it exists.
    ///
    /// The anchor starts at a position that no commit uses. Until a commit moves it, the note is enough to delete the
    /// secret, so a crash leaves nothing behind; afterwards the note must be tagged by the secret itself (A25). It is
    /// not tagged here: otherwise a copy of the file made now could delete the secret permanently.
    ///
    /// - Returns: the note, which stays until a commit names the secret.
    func makeDeviceSecret(of vault: Identifier, in turn: borrowing Turn) async throws(VaultError) -> VaultStore.Leftover
    {
        // An absent tag would look like the note of a secret that counts guesses at a former app's PIN.
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
            await discard(made, in: turn)
            throw error
        }
        return made
    }

    /// Stores the intermediate secret of a slot behind `access`.
    ///
    /// Never prompts.
    func storeIntermediateSecret(
        _ secret: borrowing RandomSecret,
        behind access: AccessControl,
        in turn: borrowing Turn
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
            await discard(VaultStore.Leftover(item: name), in: turn)
            throw VaultError(error, at: isBiometric ? .storeBiometricSecret : .storeSystemSecret)
        }
        return name
    }

    /// Reads the attributes back, and refuses a platform that dropped one (A32).
    func checkProtection(of name: ItemName, access: AccessControl) async throws(DeviceRefusal) {
        guard let stored = try await device.store.describe(name) else { throw .unavailable }
        guard stored == ItemDescription(access: access, staysOnDevice: true) else { throw .weakerThanAsked }
    }

    /// Discards an item made for a commit, unless that commit succeeded and only a later step failed.
    func discardUnlessNamed(_ made: VaultStore.Leftover, in turn: borrowing Turn) async {
        if !state.slots.contains(where: { $0.items.contains(made.item) }) { await discard(made, in: turn) }
    }

    /// Deletes an item without references, its counter and its note.
    ///
    /// If that fails, the note stays, and the next start tries again.
    ///
    /// - Parameter logIsErased: whether the log was emptied since the last commit that named the item.
    /// - Returns: whether the item is gone.
    @discardableResult
    func discard(_ leftover: VaultStore.Leftover, logIsErased: Bool = false, in turn: borrowing Turn) async -> Bool {
        do {
            // A commit whose sync failed may be complete in the log, and would become valid after a crash. Overwrite it
            // first: otherwise the slot that names the deleted item could come back.
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

// Deleting what nothing refers to any more.
extension Vault {
    /// Deletes items that no slot refers to, and removes their notes once they are gone.
    ///
    /// An item that can't be deleted now is retried next time. `LeftoverFacts` decides which notes to believe (A25). An
    /// older copy's notes are not believed: they may name items that the current vault needs.
    ///
    /// - Parameters:
    ///   - isVerified: whether an open session has verified the slots, and the device has what they need.
    ///   - erased: items released by the owner's reset that just completed.
    ///   - logIsErased: whether the log was emptied since the last change.
    func purgeLeftovers(
        isVerified: Bool = false,
        erased: [ItemName] = [],
        logIsErased: Bool = false,
        in turn: borrowing Turn
    ) async {
        guard !keepsLeftovers, state.headStanding != .putBack else { return }
        var logIsErased = logIsErased
        for leftover in state.contents.leftovers
        where await mayDelete(leftover, isVerified || erased.contains(leftover.item)) {
            // The replacement must be in the file, not only in the log, which damage may truncate.
            if !logIsErased {
                guard tolerating({ () throws(VaultError) in try store.eraseDeleted() }) != nil else { return }
                logIsErased = true
            }
            guard await discard(leftover, logIsErased: true, in: turn) else { continue }
            state = state.forgetting(leftover.item)
        }
    }

    /// Deletes leftovers that only a session with verified slots may delete.
    func purgeWhatWaited(in turn: borrowing Turn) async {
        guard !state.contents.leftovers.isEmpty else { return }
        await purgeLeftovers(isVerified: session?.scope == .full && state.condition == .ready, in: turn)
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

    /// Removes what an interrupted backup or restore left, with SQLite's side files.
    ///
    /// A log left behind would block the next one, or be mistaken for its own.
    func removePartials() {
        for name in [Self.partialBackup, Self.partialRestore] { VaultStore.removeFiles(named: name, in: folder) }
    }

    /// Overwrites deleted data, and removes partial copies that another process's interrupted backup left.
    func eraseDeleted(in turn: borrowing Turn) throws(VaultError) {
        removePartials()
        try store.eraseDeleted()
    }
}

extension VaultPolicy {
    /// How long a biometric key lives after PIN entry, on hardware that can enforce it.
    ///
    /// Idle time is not included: it counts from the last use, which no hardware knows.
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
        case .biometric?, .credential?, .deviceKey?, .trail?: self = .replaceable
        case nil: self = .foreign
        }
    }
}
