public import Thumbturn
public import ThumbturnCrypto
public import ThumbturnRules

// What the screens behind the settings ask that differs from the vault's own calls.
extension Vault: WordsVault, RecoveryKeyVault, BackupVault, PINChangeVault, TrailVault {
    /// Returns a wallet's words as its owner writes them down.
    public func exportWords(
        of wallet: Identifier,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) -> SecretBytes {
        do {
            let words = try await exportWallet(wallet, authorization) { summary, bytes in
                guard summary.kind == .mnemonic else { throw VaultError(.mnemonicLengthWrong) }
                return HeldSecret(SecretBytes(copying: bytes))
            }
            return words.bytes.copy()
        } catch let error as VaultError {
            throw error
        } catch {
            throw VaultError(.storageUnavailable, "words")
        }
    }

    /// Makes a recovery key, which becomes valid once `confirmRecoveryKey` has received it.
    public func makeRecoveryKey(_ authorization: consuming StrongAuthorization) async throws(VaultError) -> SecretBytes
    {
        do {
            let key = try await createRecoveryKey(authorization) { HeldSecret(SecretBytes(copying: $0)) }
            return key.bytes.copy()
        } catch let error as VaultError {
            throw error
        } catch {
            throw VaultError(.storageUnavailable, "recovery key")
        }
    }

    /// Returns when a backup of the present wallets was made; nil for none, or one that is older.
    public func backupDate() -> Milliseconds? { backupHint.madeAt }

    /// Returns events of the trail, the newest first.
    public func trailPage(before end: UInt64?, limit: Int) async throws(VaultError) -> TrailPage {
        // Looks, and throws when the trail's key is not to be had.
        _ = try await trail(limit: 0)
        guard let summary = trailSummary else { return TrailPage(events: []) }
        let end = min(end ?? summary.count, summary.count)
        let isNewest = end == summary.count
        let first = end - min(end, UInt64(max(limit, 0)))
        // The newest page has what happened since the count was read, and the failures that no record tells of yet.
        let entries = try await trail(after: first > 0 ? first - 1 : nil, limit: isNewest ? .max : Int(end - first))
        let next = entries.last { $0.seq != nil }?.seq.map { $0 + 1 } ?? first
        return TrailPage(
            events: entries.reversed().map(TrailEvent.init),
            first: first,
            brokenAt: next < end ? next : nil,
            undelivered: summary.delivery?.undelivered,
            beganBecause: summary.beganBecause
        )
    }
}

extension TrailEvent {
    fileprivate init(_ entry: AuditEntry) {
        self.init(entry.kind, at: entry.at, seq: entry.seq)
        reason = entry.reason
        biometryType = entry.biometryType
        attemptCount = entry.attemptCount
        count = entry.count
        until = entry.until
    }
}
