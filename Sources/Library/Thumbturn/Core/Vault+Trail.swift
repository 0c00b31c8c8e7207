import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// The trail's part in each call: it is read before anything is written, and no event is told but in a transaction.
extension Vault {
    /// Creates an event from what is known now.
    ///
    /// - Parameters:
    ///   - secret: the strong secret that was tried, if one was.
    ///   - count: how many wallets left the vault.
    func event(
        _ kind: AuditEventKind,
        reason: String? = nil,
        trying secret: StrongSecret? = nil,
        count: Int = 1
    ) -> AuditEvent {
        let now = device.clock()
        let state = state
        let (isBiometric, isPassword, succeeded) =
            switch kind {
            case .biometricSuccess: (true, false, true)
            case .biometricFailure: (true, false, false)
            case .passwordFallback: (false, true, true)
            case .passwordFailure: (false, true, false)
            case .systemSuccess: (false, false, true)
            default: (false, false, false)
            }
        // An attempt was counted before it began.
        let attempts = isPassword && secret?.isCounted == true ? state.ledger.beforeAttempt : nil
        return AuditEvent(
            kind: kind,
            at: now,
            biometryType: state.capability.biometryType,
            attemptCount: isBiometric
                ? state.ledger.biometricFailures : (attempts ?? state.ledger.attempts).failures,
            unlockDuration: succeeded ? keys.attempt.map { now.boottime - $0.startedAt.boottime } : nil,
            reason: (reason ?? (isPassword ? AuditEvent.reason(of: secret) : nil)).map(AuditReason.safe),
            count: count
        )
    }

    func events(_ kinds: [AuditEventKind], trying secret: StrongSecret? = nil) -> [AuditEvent] {
        kinds.map { event($0, trying: secret) }
    }

    /// Writes events that nothing else is written with.
    ///
    /// - Parameter endsAttempt: whether they tell how an attempt at a counted secret ended.
    /// - Throws: why they could not be written; then what they tell did not happen.
    func tell(
        _ events: [AuditEvent],
        endsAttempt: Bool = false,
        in turn: borrowing Turn
    ) async throws(VaultError) {
        await prepareTrail(in: turn)
        let entry = TrailEntry(events, attempt: endsAttempt ? .ended : .unchanged)
        _ = try trail.transaction(telling: entry) {}
    }
}

// Looking at the trail, which only the device's own secret opens.
extension Vault {
    /// Accepts the trail's row and asks for its key; a device that can't tell leaves events untold.
    func acceptTrail(_ row: VaultStore.TaggedRow?) async {
        // One answer may be a passing fault, and what happens would go untold.
        do throws(VaultError) { try await trail.accept(row, on: device) } catch {
            await tolerating { () async throws(VaultError) in try await trail.accept(row, on: device) }
        }
        state = state.owing(trail.row?.undelivered ?? 0)
    }

    /// What a reset tells: the only record that it leaves, under the trail's own items.
    ///
    /// An account's device key ends with its vault, and the trail with it.
    var trailOfReset: TrailEntry {
        var entry = TrailEntry([event(.vaultReset)], attempt: .ended)
        entry.position = .begun(at: nil)
        if let row = trail.row, row.epoch.writer.user == nil {
            entry.beginning = TrailEntry.Beginning(
                reason: .reset,
                vault: row.epoch.vault,
                writer: row.epoch.writer,
                secret: row.secret
            )
        }
        return entry
    }

    /// Begins another chain where the one that was read can't be continued, and tells of an attempt that ended with its
    /// process.
    func judgeTrail(in turn: borrowing Turn) async {
        await prepareTrail(in: turn)
        guard state.condition == .ready, let open = trail.row?.attempt else { return }
        tolerating { () throws(VaultError) in
            var at = device.clock()
            at.wall = open.began
            let interrupted = AuditEvent(
                kind: .passwordFailure,
                at: at,
                biometryType: state.capability.biometryType,
                attemptCount: open.attemptCount,
                unlockDuration: nil,
                reason: AuditEvent.interrupted,
                count: 1
            )
            _ = try trail.transaction(telling: TrailEntry([interrupted], attempt: .ended)) {}
        }
    }

    /// Makes sure that events can be written; where that fails they go untold, and the next chain says so.
    private func prepareTrail(in turn: borrowing Turn) async {
        // Counted guesses at a former app's PIN come before there is a vault. Where a device has lost or damaged what the
        // vault needs, nothing is made there until the owner gives it another PIN.
        guard state.founding == nil, state.condition == .ready else { return }
        let ledger = state.mode == .local ? bookkeeper.row?.position : nil
        guard let fault = trail.fault(in: state.head.vault, beside: ledger) else { return }
        await tolerating { () async throws(VaultError) in
            // A key that was left on another device is not lost here.
            let here = fault == .lost ? try await device.currentInstallation() : state.head.installation
            let isElsewhere = here != state.head.installation
            try await beginTrail(isElsewhere ? .reinstalled : fault, beside: ledger, in: turn)
        }
    }

    /// Begins another chain, in a transaction of its own.
    func beginTrail(
        _ reason: TrailReason,
        beside ledger: LedgerPosition? = nil,
        in turn: borrowing Turn
    ) async throws(VaultError) {
        if reason == .damaged {
            // Items are made only if their names can be written.
            try store.transaction { () throws(VaultError) in try store.probeTrail() }
        }
        let made = try await makeTrail(reason, of: state.account, in: turn)
        var entry = TrailEntry()
        entry.beginning = made.beginning
        if let ledger { entry.position = .begun(at: ledger) }
        do throws(VaultError) {
            _ = try trail.transaction(telling: entry) { () throws(VaultError) in
                try store.renewNotes(of: made.beginning, after: state.contents.trailItems)
            }
        } catch {
            await discard(made.items, in: turn)
            throw error
        }
    }

    /// Passes on what a change tells: its events, and a chain that begins with it.
    func withTrail(
        of change: Change,
        in turn: borrowing Turn,
        _ commit: (TrailEntry) async throws(VaultError) -> Void
    ) async throws(VaultError) {
        let events = change.told + change.records.map { event($0.kind, reason: $0.reason, count: $0.count) }
        var entry = TrailEntry(events, attempt: .ended)
        guard let reason = reasonToBegin(with: change) else { return try await commit(entry) }
        let made = try await makeTrail(reason, of: change.head.account, in: turn)
        entry.beginning = made.beginning
        do throws(VaultError) { try await commit(entry) } catch {
            await discard(made.items, in: turn)
            throw error
        }
    }

    /// Why a chain begins with a change; nil when none does.
    private func reasonToBegin(with change: Change) -> TrailReason? {
        if let reason = change.beginsTrail { return reason }
        if state.founding != nil { return .created }
        guard !trail.isUnknown else { return nil }
        let (former, next) = (state.head, change.head)
        let writer = trail.row?.epoch.writer
        let isRenewed = next.account != nil && writer != nil && writer?.device != next.account?.device
        if former.device != next.device || isRenewed { return .deviceChanged }
        if former.installation != next.installation { return .reinstalled }
        return trail.hasKeys && trail.row != nil ? nil : .lost
    }

    /// Names who writes a chain that begins, and makes the items that are missing.
    private func makeTrail(
        _ reason: TrailReason,
        of account: VaultAccount?,
        in turn: borrowing Turn
    ) async throws(VaultError) -> MadeTrail {
        let vault = state.head.vault
        // Another vault's trail, put here, is not this one's; what a reset left goes on.
        let standing = trail.hasKeys ? trail.row : nil
        let former = standing.flatMap { $0.epoch.vault == vault || $0.isOfReset ? $0 : nil }
        let secret = former?.secret ?? ItemName(vault: vault, purpose: .trail, unique: .make())
        var writer = try await writer(after: former, of: account, because: reason)
        let key = ItemName(vault: vault, purpose: .deviceKey, unique: .make())
        let items = (former == nil ? [secret] : []) + (writer == nil ? [key] : [])
        do throws(VaultError) {
            try note(items)
            do throws(DeviceRefusal) {
                if former == nil {
                    try await device.store.makeDeviceSecret(secret)
                    try await checkProtection(of: secret, access: .deviceOnly)
                }
                if writer == nil {
                    let publicKey = try await device.store.makeDeviceKey(key)
                    writer = TrailRow.Writer(user: nil, device: .make(), key: key, publicKey: publicKey)
                }
            } catch {
                throw VaultError(error, at: .errand("the trail's items"))
            }
            try await trail.loadKeys(of: secret, on: device)
            guard let writer else { throw VaultError(.storageUnavailable, "the trail's key") }
            let beginning = TrailEntry.Beginning(reason: reason, vault: vault, writer: writer, secret: secret)
            return MadeTrail(beginning: beginning, items: items)
        } catch {
            await discard(items, in: turn)
            throw error
        }
    }

    /// Returns who goes on writing; nil for a device that needs another key.
    private func writer(
        after former: TrailRow?,
        of account: VaultAccount?,
        because reason: TrailReason
    ) async throws(VaultError) -> TrailRow.Writer? {
        if let account {
            return TrailRow.Writer(
                user: account.userID,
                device: account.device,
                key: account.deviceKey,
                publicKey: try await publicKey(of: account.deviceKey)
            )
        }
        guard let writer = former?.epoch.writer, writer.user == nil, reason != .deviceChanged,
            try await !device.isMissing(writer.key)
        else { return nil }
        return writer
    }

    /// Notes items before they are made, so that a crash leaves none behind.
    private func note(_ items: [ItemName]) throws(VaultError) {
        guard !items.isEmpty else { return }
        try store.transaction { () throws(VaultError) in for item in items { try store.addLeftover(item) } }
    }

    private func discard(_ items: [ItemName], in turn: borrowing Turn) async {
        if items.contains(where: { $0.purpose == .trail }) { trail.forgetKeys() }
        for item in items { await discard(VaultStore.Leftover(item: item), in: turn) }
    }
}

/// A chain that is to begin, and the items made for it.
private struct MadeTrail {
    let beginning: TrailEntry.Beginning
    let items: [ItemName]
}

extension VaultStore {
    /// Removes the notes of the items that a chain names, and notes those that it names no more; requires a transaction.
    func renewNotes(of beginning: TrailEntry.Beginning, after former: [ItemName]) throws(VaultError) {
        let items = [beginning.secret, beginning.writer.key]
        for item in items { try removeLeftover(item) }
        // A key that has still to sign stays as long as the row names it, and goes by this note.
        for item in former where !items.contains(item) { try addLeftover(item) }
    }
}
