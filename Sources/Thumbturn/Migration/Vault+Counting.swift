import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// Guesses at a former app's PIN are counted from the first one on, when there is no slot yet and perhaps no vault. The
// ledger stands on a device secret then that only a note names; the slot that the PIN gets takes it over.
extension Vault {
    /// Gets a ledger ready for a guess.
    func prepareCounting() async throws(VaultError) {
        switch outside.migration {
        case .legacy:
            if try await findCounting() != nil { return }
        case .half, .erasing, .full:
            if outside.condition == .ready { return }
        }
        try await withNewLedger(Ledger(founding: outside.head.vault)) { (item, ledger) throws(VaultError) in
            self.outside.ledger = ledger
            let slots = self.outside.slotIDs
            // With its ledger the note is a wish to delete no more, but what the secret is found by.
            try await self.demand {
                () throws(VaultError) in
                try self.store.addLeftover(item)
            } _: {
                $0.slots = slots
            }
        }
        if outside.migration != .legacy { outside.condition = .ready }
    }

    /// Finds what guesses were counted with where there is no vault, and takes up its ledger.
    ///
    /// Anybody who can write the file can write a note. Only a ledger without slots, which its device secret authenticates and
    /// its counter fits, is believed; a vault's own never is like that.
    func findCounting() async throws(VaultError) -> ItemName? {
        guard let stored = outside.contents.ledger else { return nil }
        let vault = outside.head.vault
        for item in outside.countingSecrets {
            guard let named = item.vault else { continue }
            outside.head.vault = named
            guard try await loadLedgerKey(item), let ledger = authenticLedger(stored), ledger.slots.isEmpty,
                let anchor = try await anchorPosition(item),
                LedgerMachine.standing(of: ledger, at: anchor) != .putBack
            else { continue }
            try await hold(ledger, item, isKnown: true)
            return item
        }
        outside.head.vault = vault
        forgetLedgerKey()
        return nil
    }

    /// Gives the count up where a vault of another origin is made: its device secret vouches that it may go.
    ///
    /// - Returns: what is to be deleted before that vault is made; nil where nothing was counted.
    func endCounting() async throws(VaultError) -> ItemName? {
        let vault = outside.head.vault
        guard let item = try await findCounting() else { return nil }
        let tag = try await deletionTag(of: item)
        try store.addLeftover(item, tag: tag)
        outside.contents.leftovers.removeAll { $0.item == item }
        outside.contents.leftovers.append(VaultStore.Leftover(item: item, tag: tag))
        outside.head.vault = vault
        forgetLedgerKey()
        return item
    }
}
