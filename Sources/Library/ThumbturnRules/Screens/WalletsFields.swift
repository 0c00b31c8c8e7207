/// What an app shows of its vault's wallets: their names, never a secret.
package struct WalletsFields: Hashable, Sendable {
    /// One wallet of the list.
    package struct Wallet: Hashable, Sendable {
        /// The wallet's permanent id.
        package let id: Identifier
        /// The name, chosen by the owner.
        package let name: WalletName
        /// The kind of its secret.
        package let kind: WalletKind

        package init(id: Identifier, name: WalletName, kind: WalletKind) {
            (self.id, self.name, self.kind) = (id, name, kind)
        }
    }

    /// The wallets, sorted by name; empty while the vault is locked.
    package let list: [Wallet]
    /// Whether a secret is given out, or a wallet deleted, after the system's prompt instead of a PIN or password.
    package let asksSystem: Bool
    /// Whether a call is in progress, or the vault is still being read.
    package let loading: Bool
    /// The refusal of the last call, until the next one.
    package let error: UserError?
}

extension WalletsFields {
    /// The facts that the snapshot does not have.
    package struct Surroundings: Hashable, Sendable {
        /// The wallets, sorted by name.
        package var list: [Wallet]
        /// The language of messages.
        package var language: Language
        /// Whether a call is in progress.
        package var isBusy = false
        /// The refusal of the last call.
        package var refusal: ErrorCode?

        /// Creates the facts from list and language; set the others as needed.
        package init(list: [Wallet] = [], language: Language = .english) {
            (self.list, self.language) = (list, language)
        }
    }

    /// Derives what to show of a vault; nil is a vault that is still being read.
    package init(_ snapshot: VaultSnapshot?, _ around: Surroundings) {
        // A lock that overtook a call has the last word (A36).
        list = snapshot?.state.hasSession == true ? around.list : []
        asksSystem = snapshot?.mode == .system
        loading = around.isBusy || snapshot == nil
        error = snapshot.flatMap { snapshot in
            around.refusal.map { UserError($0, snapshot, in: around.language) }
        }
    }
}
