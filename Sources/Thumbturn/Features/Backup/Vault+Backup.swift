public import ThumbturnCrypto
public import ThumbturnDevice
package import ThumbturnRules

// A backup is a vault's file with the wallets and the recovery slot alone: no biometric slot, no local slot, no ledger, so
// that it holds nothing that a device guards (B-12), and nothing that a PIN opens.
extension Vault {
    /// Writes a backup, which the recovery key opens on any device.
    ///
    /// - Parameters:
    ///   - path: a file that does not exist yet.
    ///   - authorization: the strong factor, given just now.
    ///   - progress: called every 64 wallets, and at the end.
    /// - Throws: `.backupInsideVault` where the file would lie in the vault's own folder, `.recoveryMissing` without a confirmed
    ///   recovery key, `.fileExists`, `.backupTooLarge` above 4 GiB, which `restore` would refuse, or why storage failed; then no
    ///   file is left.
    public func backUp(
        to path: String,
        _ authorization: consuming StrongAuthorization,
        progress: @Sendable (WorkProgress) -> Void = { _ in }
    ) async throws(VaultError) {
        try await turn { () async throws(VaultError) in
            let session = try openSession(authorization)
            guard !FileCopy.lies(path, in: folder) else { throw VaultError(.backupInsideVault) }
            try writeBackup(to: path, for: session, progress)
        }
    }

    private func writeBackup(
        to path: String,
        for session: Session,
        _ progress: (WorkProgress) -> Void
    ) throws(VaultError) {
        _ = try verifiedIndex(for: session)
        guard let listed = state.head.slot(.recovery), let slot = state.slot(.recovery) else {
            throw VaultError(.recoveryMissing)
        }
        var head = try verifiedHead(for: session).head
        head.slots = [listed]
        head.format = Head.format(with: head.account)
        let name = Self.partialBackup
        removePartials()
        defer { removePartials() }
        let copy = try VaultStore(creatingIn: folder, named: name, vfs: configuration.vfs)
        try Self.fill(
            copy,
            from: store,
            slot: slot,
            head: session.tagged(head),
            total: Int(head.walletCount),
            progress
        )
        try copy.eraseDeleted()
        copy.close()
        try FileCopy.copy(folder + "/" + name, to: path)
    }

    /// Makes a vault from a backup: opened by the recovery key, with a new PIN or password and a new device secret (A26).
    ///
    /// - Parameters:
    ///   - path: the backup.
    ///   - folder: where the vault is to be; there must be none, and its parent exists.
    ///   - device: the device that is to guard it.
    ///   - key: the recovery key, as it was typed.
    ///   - secret: the new PIN or password, UTF-8.
    ///   - configuration: what an app may choose.
    ///   - progress: called every 64 wallets, and at the end.
    /// - Throws: `.vaultExists`, `.vaultMissing` when there is no backup, `.backupTooLarge`, `.vaultDamaged`, `.vaultNewer`,
    ///   `.strongFactorRefused`, `.vaultTampered`, `.exportOnly` for a backup of an account's vault; then there is no vault in `folder`.
    /// - Returns: the vault, unlocked.
    public static func restore(
        from path: String,
        in folder: String,
        device: Device,
        recoveryKey key: borrowing SecretBytes,
        newSecret secret: borrowing SecretBytes,
        configuration: VaultConfiguration = VaultConfiguration(),
        progress: @Sendable (WorkProgress) -> Void = { _ in }
    ) async throws(VaultError) -> Vault {
        let key = SlotSecret.recovery(try RecoveryKey.parse(key))
        try checkBackup(at: path)
        let vault = try await make(in: folder, device: device, policy: .wallet, configuration: configuration)
        try await vault.restore(from: path, key: key, secret: secret, progress: progress)
        return vault
    }

    /// Looks whether there is a file that may be a backup, before anything is asked or made for it.
    ///
    /// - Throws: `.vaultMissing`, `.vaultUnsafe`, `.backupTooLarge`.
    package static func checkBackup(at path: String) throws(VaultError) { try FileCopy.check(path) }

    private func restore(
        from path: String,
        key: borrowing SlotSecret,
        secret: borrowing SecretBytes,
        progress: @Sendable (WorkProgress) -> Void
    ) async throws(VaultError) {
        try await turnOnFolder { () async throws(VaultError) in
            try await lookAtEmptyFolder()
            let name = Self.partialRestore
            removePartials()
            defer { removePartials() }
            try FileCopy.copy(path, to: folder + "/" + name)
            let backup = try VaultStore(openingIn: folder, named: name, vfs: configuration.vfs)
            defer { backup.close() }

            let source = try LockedState(reading: backup.contents(), on: device.kind)
            guard let slot = source.slot(.recovery), let listed = source.head.slot(.recovery) else {
                throw VaultError(.vaultDamaged)
            }
            guard let masterKey = try slot.open(with: key) else {
                throw VaultError(.strongFactorRefused)
            }
            let (verified, total) = try verify(backup, source, with: masterKey)
            // A vault with a PIN would be a way round the account (P-107-01).
            guard verified.head.account == nil else { throw VaultError(.exportOnly) }
            var head = verified.head
            head.slots = []
            head.device = device.kind
            state = state.founding(head)
            _ = try await begin(with: masterKey, secret: secret) { change, _ in
                change.head.slots.append(listed)
                change.record(.vaultCreated, reason: "restored")
            } rows: { () throws(VaultError) in
                try store.add(slot)
                try Self.copyWallets(from: backup, to: store, total: total, progress)
            }
        }
    }

    /// Holds a backup's head and index against its master key, and counts its wallets.
    private func verify(
        _ backup: VaultStore,
        _ source: LockedState,
        with masterKey: borrowing MasterKey
    ) throws(VaultError) -> (VerifiedHead, walletCount: Int) {
        let opened = newSession(masterKey.copy(), named: source.head.key, of: source.head.vault)
        defer { opened.forget() }
        guard let verified = opened.verified(source.contents.head, slots: source.slots) else {
            throw VaultError(.vaultTampered)
        }
        var entries: [WalletIndex.Entry] = []
        try backup.forEachWallet { (record) throws(VaultError) in
            entries.append(WalletIndex.Entry(id: record.id, digest: record.digest))
        }
        guard WalletIndex(entries: entries).hash == verified.head.walletIndexHash,
            entries.count == Int(verified.head.walletCount)
        else {
            throw VaultError(.vaultTampered)
        }
        return (verified, entries.count)
    }

    private static func fill(
        _ copy: VaultStore,
        from store: VaultStore,
        slot: SlotRecord,
        head: VaultStore.TaggedRow,
        total: Int,
        _ progress: (WorkProgress) -> Void
    ) throws(VaultError) {
        try copy.transaction { () throws(VaultError) in
            try copy.add(slot)
            try copy.setHead(head)
            try copyWallets(from: store, to: copy, total: total, progress)
        }
    }

    private static func copyWallets(
        from source: VaultStore,
        to target: VaultStore,
        total: Int,
        _ progress: (WorkProgress) -> Void
    ) throws(VaultError) {
        var done = 0
        try source.forEachWallet { (record) throws(VaultError) in
            try target.add(record)
            done += 1
            if done % 64 == 0 || done == total { progress(WorkProgress(done: done, total: total)) }
        }
    }
}
