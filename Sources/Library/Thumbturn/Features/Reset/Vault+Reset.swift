import ThumbturnCrypto
public import ThumbturnRules

/// The owner's typed confirmation that everything is to be erased (A61).
public struct ResetConfirmation: Sendable {
    /// The exact text to type.
    public static let phrase = "RESET"

    /// Checks the typed text.
    ///
    /// - Throws: `.confirmationMissing` for anything but the phrase.
    public init(typed: String) throws(VaultError) {
        guard typed == Self.phrase else { throw VaultError(.confirmationMissing) }
    }
}

extension Vault {
    /// Erases every wallet, slot and key.
    ///
    /// Needs no secret, since an owner who forgot the PIN must be able to start again (S-07).
    ///
    /// Order (A61): one transaction deletes the ciphertexts and envelopes and notes which items of the secure store to
    /// delete; then the items are deleted. If interrupted, the reset either did not start, or is completed at the next
    /// start.
    ///
    /// - Parameter confirmation: the owner's typed confirmation.
    /// - Throws: `.resetPending` when an item could not be deleted yet; even then nothing can be opened any more.
    public func reset(_ confirmation: ResetConfirmation) async throws(VaultError) {
        try await turnOnFolder { (turn) async throws(VaultError) in
            apply(machine.handle(.lockRequested))
            let contents = try store.contents()
            let told = try? LockedState(reading: contents, on: device.kind)
            await acceptTrail(contents.trail)
            let entry = trailOfReset
            let own = told?.ownItems ?? contents.leftovers.map(\.item)
            let items = own.filter { $0 != entry.beginning?.secret && $0 != entry.beginning?.writer.key }
            var leftovers: [VaultStore.Leftover] = []
            for item in items {
                leftovers.append(VaultStore.Leftover(item: item, tag: try await device.deletionTag(of: item)))
            }
            // A system key can't vouch for its note without a prompt. Its counter does: an attacker can't create one by
            // editing the file.
            for item in items where item.purpose == .system {
                try await device.makeAnchor(of: item, at: LedgerPosition(sequence: 1, mark: .make()))
            }
            // The wallets for which room was reserved are being erased.
            SpareRoom.remove(in: folder)
            let isErased: Void? = try trail.transaction(telling: entry) { () throws(VaultError) in
                // If the lock file was deleted, another process may have changed the vault in the meantime (A38).
                guard contents.head != .unreadable else { return true }
                return try store.head() == contents.head
            } _: { () throws(VaultError) in
                for leftover in leftovers { try store.addLeftover(leftover.item, tag: leftover.tag) }
                try store.removeEverything()
                if entry.beginning == nil { try store.removeTrail() }
            }
            guard isErased != nil else { throw VaultError(.busy) }
            keepsLeftovers = false
            BackupNote.remove(in: folder)
            try eraseDeleted(in: turn)
            bookkeeper.forgetKey()
            state = try LockedState(reading: store.contents(), on: device.kind).sensing(state.sensor)
            machine.adopt(state.head.policy, mode: state.mode)
            await purgeLeftovers(erased: items, logIsErased: true, in: turn)
            publish()
            guard !state.contents.leftovers.contains(where: { items.contains($0.item) }) else {
                throw VaultError(.resetPending)
            }
        }
    }
}
