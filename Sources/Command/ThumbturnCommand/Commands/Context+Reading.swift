import Thumbturn
import ThumbturnConsole

extension Context {
    /// The wallets of a vault or a backup.
    struct Reading {
        let inventory: WalletInventory
        /// The current time, for computing ages.
        let now: Milliseconds
        /// The snapshot of the vault; `nil` for a backup.
        let vault: VaultSnapshot?
        private let advice: Advice

        /// The damage in the inventory.
        var damage: Failure? { about(inventory.damage) }

        /// Throws for a file whose log can't be used, after the command has printed: the data may be older than the
        /// last write.
        func requireLog() throws {
            guard inventory.isLogLost else { return }
            var failure = Failure(.logUnusable)
            failure.isPrinted = true
            throw failure
        }

        /// Returns a failure with the advice that fits the vault's state.
        func about(_ failure: Failure?) -> Failure? {
            guard let failure, let vault else { return failure }
            return advice.failure(failure, of: vault)
        }

        /// Creates a reading of a backup.
        init(_ inventory: WalletInventory, _ advice: Advice) {
            (self.inventory, self.advice) = (inventory, advice)
            now = .now
            vault = nil
        }

        /// Creates a reading of a vault.
        init(_ inventory: WalletInventory, _ vault: VaultSnapshot, at now: Milliseconds, _ advice: Advice) {
            (self.inventory, self.vault, self.now, self.advice) = (inventory, vault, now, advice)
        }
    }
}
