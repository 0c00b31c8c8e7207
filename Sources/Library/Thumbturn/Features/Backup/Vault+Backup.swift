import ThumbturnBase
public import ThumbturnCrypto
public import ThumbturnDevice
package import ThumbturnRules

// A backup is a vault's file with only the wallets and the recovery slot: no biometric slot, no local slot, no ledger,
// so it contains nothing that a device guards (B-12), and nothing that a PIN opens.
/// The destination of a backup.
package enum BackupTarget: Sendable {
    /// A file that does not exist yet.
    case newFile(String)
    /// A file that does not exist yet, or a backup of this vault, which is replaced once the new one is complete.
    case file(String)
    /// Receives the bytes in order, in chunks.
    case pipe(@Sendable ([UInt8]) throws(VaultError) -> Void)

    var path: String? {
        switch self {
        case .newFile(let path), .file(let path): path
        case .pipe: nil
        }
    }
}

extension Vault {
    /// Writes a backup, which the recovery key opens on any device.
    ///
    /// - Parameters:
    ///   - path: a file that does not exist yet.
    ///   - authorization: the strong factor, entered just now.
    ///   - progress: called every 64 wallets, and at the end.
    /// - Throws: `.backupInsideVault` when the file would be in the vault's own folder, `.recoveryMissing` without a
    ///   confirmed recovery key, `.fileExists`, `.backupTooLarge` above 4 GiB, which `restore` would refuse, or why
    ///   storage failed; then no file is left.
    public func backUp(
        to path: String,
        _ authorization: consuming StrongAuthorization,
        progress: @Sendable (WorkProgress) -> Void = { _ in }
    ) async throws(VaultError) {
        try await backUp(into: .newFile(path), authorization, progress: progress)
    }

    /// Writes a backup to a new file, over a former backup, or through a pipe.
    ///
    /// - Throws: as above; `.fileExists` also for a file that is no backup of this vault, and what a pipe throws.
    package func backUp(
        into target: BackupTarget,
        _ authorization: consuming StrongAuthorization,
        progress: @Sendable (WorkProgress) -> Void = { _ in }
    ) async throws(VaultError) {
        try await turn { (turn) async throws(VaultError) in
            let session = try openSession(authorization, in: turn)
            if let path = target.path, FileCopy.lies(path, in: folder) { throw VaultError(.backupInsideVault) }
            if case .file(let path) = target { try refuseOthers(at: path) }
            try writeBackup(into: target, for: session, progress)
            remember(backedUpBy: session)
        }
    }

    /// Notes that there is a backup of the current wallets.
    ///
    /// A failure to write the note does not undo the backup.
    ///
    /// - Parameter isVerified: whether the whole backup was read just now.
    private func remember(backedUpBy session: Session, isVerified: Bool = false) {
        tolerating { () throws(VaultError) in
            let head = try verifiedHead(for: session).head
            let now = device.clock().wall
            let former = BackupNote.read(in: folder, for: session)
            // The same wallets may have been opened from an earlier backup.
            let verifiedAt = former.flatMap { $0.isCurrent(for: head) ? $0.verifiedAt : nil }
            let note = BackupNote(of: head, madeAt: now, verifiedAt: isVerified ? now : verifiedAt)
            try note.write(in: folder, for: session)
        }
    }

    /// The dates of a backup of the current wallets: a hint, which an open session verifies with its key.
    ///
    /// - Returns: when one was made, and when one was last opened completely; nil for never.
    package var backupHint: (madeAt: Milliseconds?, verifiedAt: Milliseconds?) {
        let found = session.map { BackupNote.read(in: folder, for: $0) } ?? BackupNote.read(in: folder)?.note
        guard let note = found, known.head.isCurrent(in: note) else { return (nil, nil) }
        return (note.madeAt, note.verifiedAt)
    }

    /// Refuses to overwrite anything but a backup of this vault: another vault's backup may be its only copy.
    ///
    /// The file is not verified: this only prevents mistakes.
    private func refuseOthers(at path: String) throws(VaultError) {
        let scan: RowScan
        do throws(VaultError) { scan = try RowScan(path) } catch {
            switch error.code {
            case .vaultMissing: return
            case .vaultUnsafe, .backupTooLarge: throw VaultError(.fileExists)
            default: throw error
            }
        }
        for number in 0..<scan.pageCount {
            for row in scan.heads(in: try scan.page(number), of: state.head.vault) {
                if let head = try? Head(parsing: row.body), head.slots.allSatisfy({ $0.kind == .recovery }) { return }
            }
        }
        throw VaultError(.fileExists)
    }

    private func writeBackup(
        into target: BackupTarget,
        for session: Session,
        _ progress: (WorkProgress) -> Void
    ) throws(VaultError) {
        let index = try verifiedIndex(for: session)
        guard let listed = state.head.slot(.recovery), let slot = state.slot(.recovery) else {
            throw VaultError(.recoveryMissing)
        }
        var head = try verifiedHead(for: session).head
        head.slots = [listed]
        head.awaitedRecoveryKey = nil
        let name = Self.partialBackup
        removePartials()
        defer { removePartials() }
        let copy = try VaultStore(creatingIn: folder, named: name, vfs: configuration.vfs, isScratch: true)
        try Self.fill(copy, from: store, slot: slot, head: session.tagged(head), index, progress)
        try copy.eraseDeleted()
        copy.close()
        switch target {
        case .newFile(let path): try FileCopy.copy(folder + "/" + name, to: path)
        case .file(let path): try FileCopy.copy(folder + "/" + name, inPlaceOf: path)
        case .pipe(let take): try FileCopy.send(folder + "/" + name, to: take)
        }
    }

    /// Creates a vault from a backup: opened by the recovery key, with a new PIN or password and a new device secret
    /// (A26).
    ///
    /// - Parameters:
    ///   - path: the backup; a vault's own file is read with the log beside it.
    ///   - folder: the folder for the vault; it must not contain one, and its parent must exist.
    ///   - device: the device that will guard the vault.
    ///   - key: the recovery key, as typed.
    ///   - secret: the new PIN or password, UTF-8.
    ///   - configuration: the app's choices.
    ///   - progress: called every 64 wallets, and at the end.
    /// - Throws: `.vaultExists`, `.assuranceTooLow` for a simulated device when the backup's policy allows none,
    ///   `.vaultMissing` when there is no backup, `.backupTooLarge`, `.vaultDamaged`, `.vaultNewer`, `.logUnusable`,
    ///   `.strongFactorRefused`, `.vaultTampered`, `.exportOnly` for a backup of an account's vault; then there is no
    ///   vault in `folder`.
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
        try await restore(
            from: path,
            in: folder,
            device: device,
            recoveryKey: key,
            newSecret: secret,
            allowing: .hardwareBound,
            configuration: configuration,
            progress: progress
        )
    }

    /// Creates a vault from a backup, with the assurance that the owner also allows: a simulated device must be named.
    package static func restore(
        from path: String,
        in folder: String,
        device: Device,
        recoveryKey key: borrowing SecretBytes,
        newSecret secret: borrowing SecretBytes,
        allowing assurance: Assurance,
        configuration: VaultConfiguration,
        progress: @Sendable (WorkProgress) -> Void
    ) async throws(VaultError) -> Vault {
        let key = SlotSecret.recovery(try RecoveryKey.parse(key))
        try checkBackup(at: path)
        let vault = try await make(in: folder, device: device, policy: .wallet, configuration: configuration)
        try await vault.restore(from: path, key: key, secret: secret, allowing: assurance, progress: progress)
        return vault
    }

    /// Checks that a file exists that may be a backup, before anything is asked or created for it.
    ///
    /// - Throws: `.vaultMissing`, `.vaultUnsafe`, `.backupTooLarge`.
    package static func checkBackup(at path: String) throws(VaultError) { try FileCopy.check(path) }

    /// The largest backup, in bytes.
    package static var mostBackupBytes: Int { PlainFile.mostBytes }

    /// Opens everything in a backup, as `restore` would, without creating a vault.
    ///
    /// - Parameters:
    ///   - path: the backup; nothing is written to it or beside it.
    ///   - key: the recovery key, as typed.
    ///   - scratch: a folder private to this user, for a temporary copy.
    ///   - folder: the folder that may contain its vault, which notes that the backup is intact.
    ///   - now: the current time.
    /// - Returns: the number of wallets, all of which opened.
    /// - Throws: `.recoveryKeyMalformed`, and as `restore`.
    package static func verifyBackup(
        at path: String,
        recoveryKey key: borrowing SecretBytes,
        in scratch: String,
        noting folder: String?,
        at now: Milliseconds
    ) async throws(VaultError) -> Int {
        let key = SlotSecret.recovery(try RecoveryKey.parse(key))
        defer { VaultStore.removeFiles(named: partialRestore, in: scratch) }
        let backup = try open(copyOf: path, in: scratch, vfs: nil, openedBy: key)
        defer { backup.close() }
        // The kind of device does not matter: a backup contains nothing of a device.
        let source = try LockedState(reading: backup.contents(), on: .simulated)
        let slot = try recoverySlot(in: source).record
        guard let masterKey = try slot.open(with: key) else { throw VaultError(.strongFactorRefused) }
        let reading = ClockReading(wall: now, boottime: .zero, bootID: slot.id)
        let session = Session(masterKey: masterKey, named: source.head.key, vault: slot.vault, at: reading)
        defer { session.forget() }
        let (verified, index) = try verify(backup, source, for: session)
        try session.withMasterKey { (key) throws(VaultError) in
            let labels = key.labelKey(of: slot.vault)
            try backup.forEachWallet { (record) throws(VaultError) in
                let kind = try record.summary(key: labels, vault: slot.vault).kind
                _ = try key.open(record.secret, kind: kind, wallet: record.id, vault: slot.vault)
            }
        }
        // The backup is intact, whether or not that can be noted.
        if let folder { try? await note(verified.head, verifiedBy: session, in: folder, at: now) }
        return index.count
    }

    /// Sets the verification date in a note of exactly these wallets that this key vouches for; creates no note.
    private static func note(
        _ head: Head,
        verifiedBy session: Session,
        in folder: String,
        at now: Milliseconds
    ) async throws(VaultError) {
        let current = { BackupNote.read(in: folder, for: session).flatMap { $0.isCurrent(for: head) ? $0 : nil } }
        // Create no lock in a folder without a note.
        guard current() != nil else { return }
        let lock = try ProcessLock(in: folder)
        try await lock.acquire()
        defer { lock.release() }
        // Another process may have written a note in the meantime.
        guard var note = current() else { return }
        note.verifiedAt = now
        try note.write(in: folder, for: session)
    }

    private static func open(
        copyOf path: String,
        in folder: String,
        vfs: String?,
        openedBy key: borrowing SlotSecret
    ) throws(VaultError) -> VaultStore {
        let image = try DatabaseImage(path)
        guard !image.isLogDamaged else { throw VaultError(.logUnusable) }
        // With another file's log nothing would verify, although there was no tampering.
        if try image.logMayBeForeign {
            guard OpenedBackup.authenticGeneration(of: try image.scan(), openedBy: key) != nil else {
                throw VaultError(.logUnusable)
            }
        }
        try FileCopy.copy(image, toScratch: folder + "/" + partialRestore)
        return try VaultStore(openingIn: folder, named: partialRestore, vfs: vfs, isScratch: true)
    }

    /// Returns the recovery slot of a backup, and its entry in the head.
    private static func recoverySlot(
        in source: LockedState
    ) throws(VaultError) -> (record: SlotRecord, listed: Head.Slot) {
        guard let slot = source.slot(.recovery), let listed = source.head.slot(.recovery) else {
            throw VaultError(.vaultDamaged)
        }
        return (slot, listed)
    }

    private func restore(
        from path: String,
        key: borrowing SlotSecret,
        secret: borrowing SecretBytes,
        allowing assurance: Assurance,
        progress: @Sendable (WorkProgress) -> Void
    ) async throws(VaultError) {
        try await turnOnFolder(asksSensor: configuration.asksSensor) { (turn) async throws(VaultError) in
            try await lookAtEmptyFolder(in: turn)
            removePartials()
            defer { removePartials() }
            let backup = try Self.open(copyOf: path, in: folder, vfs: configuration.vfs, openedBy: key)
            defer { backup.close() }

            let source = try LockedState(reading: backup.contents(), on: device.kind)
            let (slot, listed) = try Self.recoverySlot(in: source)
            guard let masterKey = try slot.open(with: key) else {
                throw VaultError(.strongFactorRefused)
            }
            let opened = newSession(masterKey.copy(), named: source.head.key, of: source.head.vault)
            defer { opened.forget() }
            let (verified, index) = try Self.verify(backup, source, for: opened)
            // A vault with a PIN would bypass the account (P-107-01).
            guard verified.head.account == nil else { throw VaultError(.exportOnly) }
            var head = verified.head
            head.slots = []
            head.awaitedRecoveryKey = nil
            head.device = device.kind
            head.policy = head.policy.allowing(assurance)
            head.nextPolicy = nil  // The new PIN asked for nothing more lenient.
            state = state.founding(head)
            let session = try await begin(with: masterKey, secret: secret, in: turn) { change, _ in
                change.head.slots.append(listed)
                change.record(.vaultCreated, reason: "restored")
                change.beginsTrail = .restored
            } rows: { () throws(VaultError) in
                try store.add(slot)
                try Self.copyWallets(index, from: backup, to: store, progress)
            }
            // The wallets came from a backup that was just verified.
            remember(backedUpBy: session, isVerified: true)
        }
    }

    /// Verifies a backup's head and its wallets' rows with its master key.
    private static func verify(
        _ backup: VaultStore,
        _ source: LockedState,
        for session: Session
    ) throws(VaultError) -> (VerifiedHead, WalletIndex) {
        guard let verified = session.verified(source.contents.head, slots: source.slots) else {
            throw VaultError(.vaultTampered)
        }
        var entries: [WalletIndex.Entry] = []
        try backup.forEachWallet { (record) throws(VaultError) in
            entries.append(WalletIndex.Entry(record))
        }
        let index = WalletIndex(entries: entries)
        guard verified.head.names(index) else { throw VaultError(.vaultTampered) }
        return (verified, index)
    }

    private static func fill(
        _ copy: VaultStore,
        from store: VaultStore,
        slot: SlotRecord,
        head: VaultStore.TaggedRow,
        _ index: WalletIndex,
        _ progress: (WorkProgress) -> Void
    ) throws(VaultError) {
        try copy.transaction { () throws(VaultError) in
            try copy.add(slot)
            try copy.setHead(head)
            try copyWallets(index, from: store, to: copy, progress)
        }
    }

    private static func copyWallets(
        _ index: WalletIndex,
        from source: VaultStore,
        to target: VaultStore,
        _ progress: (WorkProgress) -> Void
    ) throws(VaultError) {
        var done = 0
        try source.forEachWallet { (record) throws(VaultError) in
            guard index.vouches(for: record) else { throw VaultError(.vaultTampered) }
            try target.add(record)
            done += 1
            if done % 64 == 0 || done == index.count { progress(WorkProgress(done: done, total: index.count)) }
        }
        guard done == index.count else { throw VaultError(.vaultTampered) }
        try target.setWalletIndex(index.bytes)
    }
}
