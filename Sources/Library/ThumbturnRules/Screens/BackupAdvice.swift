/// What an app reminds its owner of, so that a lost device costs no wallet.
@nonexhaustive
public enum BackupAdvice: Hashable, Sendable, CaseIterable {
    /// There is no confirmed recovery key: no backup and no copy of the phone would open.
    case recoveryKey
    /// No backup has the present wallets.
    case backup

    /// Returns the reminder for a vault.
    ///
    /// Nothing is worth an interruption while the vault is locked or covered, while there is no wallet, or while the
    /// session may only export.
    ///
    /// - Parameters:
    ///   - snapshot: the vault.
    ///   - backedUpAt: when a backup of the present wallets was made; nil for none, or one that is older.
    ///   - isPaying: whether the owner is paying, which no reminder interrupts.
    public init?(_ snapshot: VaultSnapshot, backedUpAt: Milliseconds?, isPaying: Bool = false) {
        guard !isPaying, snapshot.state.scope == .full, !snapshot.isCovered, snapshot.walletCount > 0 else {
            return nil
        }
        if !snapshot.hasRecoveryKey {
            self = .recoveryKey
        } else if backedUpAt == nil {
            self = .backup
        } else {
            return nil
        }
    }
}
