import ThumbturnCrypto
public import ThumbturnRules

/// What the owner typed to confirm that everything is to be erased (A61).
public struct ResetConfirmation: Sendable {
    /// What has to be typed, letter for letter.
    public static let phrase = "RESET"

    /// Takes what was typed.
    ///
    /// - Throws: `.confirmationMissing` for anything else than the phrase.
    public init(typed: String) throws(VaultError) {
        guard typed == Self.phrase else { throw VaultError(.confirmationMissing) }
    }
}

extension Vault {
    /// Erases every wallet, slot and key.
    ///
    /// It needs no secret, since an owner who forgot the PIN must be able to start again (S-07).
    ///
    /// Order (A61): the ciphertexts and envelopes go in one transaction that notes which items of the secure store are to
    /// be deleted, then the items go. Cut off anywhere, it is completed at the next start, or was not begun.
    ///
    /// - Parameter confirmation: what the owner typed.
    /// - Throws: `.resetPending` when an item could not be deleted yet; nothing can be opened any more all the same.
    public func reset(_ confirmation: ResetConfirmation) async throws(VaultError) {
        try await turnOnFolder { () async throws(VaultError) in
            apply(machine.handle(.lockRequested))
            let contents = try store.contents()
            let told = try? LockedState(reading: contents, on: device.kind)
            let items = told?.ownItems ?? contents.leftovers.map(\.item)
            var leftovers: [VaultStore.Leftover] = []
            for item in items {
                leftovers.append(VaultStore.Leftover(item: item, tag: try await device.deletionTag(of: item)))
            }
            // A system key can't vouch for its note without a prompt. Its counter does: no file holds one.
            for item in items where item.purpose == .system {
                try await device.makeAnchor(of: item, at: LedgerPosition(sequence: 1, mark: .make()))
            }
            // What it was kept for.
            SpareRoom.remove(in: folder)
            try store.transaction { () throws(VaultError) in
                // Where somebody deleted the lock's file, another process may have changed the vault meanwhile (A38).
                if contents.head != .unreadable {
                    guard try store.head() == contents.head else { throw VaultError(.busy) }
                }
                for leftover in leftovers { try store.addLeftover(leftover.item, tag: leftover.tag) }
                try store.removeEverything()
            }
            keepsLeftovers = false
            BackupNote.remove(in: folder)
            try eraseDeleted()
            bookkeeper.forgetKey()
            state = try LockedState(reading: store.contents(), on: device.kind).beside(state.sensor)
            machine.adopt(state.head.policy, mode: state.mode)
            record(.vaultReset)
            await purgeLeftovers(erased: items, logIsErased: true)
            publish()
            guard !state.contents.leftovers.contains(where: { items.contains($0.item) }) else {
                throw VaultError(.resetPending)
            }
        }
    }
}
