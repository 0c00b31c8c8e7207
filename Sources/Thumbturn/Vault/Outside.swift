import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// What a vault knows of itself without a key: the head as it stands there, its slots, the ledger, and the device.
///
/// The head is untrusted until a session verifies it. It only steers what is asked; nothing in it can open anything.
struct Outside {
    var contents: VaultStore.Contents
    var head: Head
    var slots: [SlotRecord]
    /// The ledger as it was last read and held against its anchor.
    var ledger: Ledger
    var condition = VaultSnapshot.Condition.ready
    var capability = BiometricCapability(
        biometryType: .none,
        reasonIfUnavailable: .temporarilyUnavailable,
        assurance: .simulated
    )

    /// Reads what the store holds.
    ///
    /// - Throws: `.vaultMissing` for a vault whose making was never finished, `.vaultDamaged` when not even a slot can be
    ///   read, `.deviceMismatch`.
    ///
    /// A backup was perhaps made on a device of another kind.
    init(reading contents: VaultStore.Contents, device: Device, isBackup: Bool = false) throws(VaultError) {
        self.contents = contents
        slots = contents.slots.compactMap { row in
            guard let record = try? SlotRecord(parsing: row.record), record.id.bytes == row.id else { return nil }
            return record
        }
        if let stored = contents.head, let head = try? Head(parsing: stored.body) {
            self.head = head
        } else if let slot = slots.first(where: { $0.kind != .biometric }) {
            // The head can't be read, but a slot may open: a flipped bit must not cost coins (design section 5).
            head = Head(
                vault: slot.vault,
                key: slot.key,
                device: device.kind,
                installation: slot.id,
                policy: VaultPolicy()
            )
        } else if contents.head == nil, contents.slots.isEmpty {
            // A vault that was being made or erased: nothing is in it.
            let nothing = Identifier(high: 0, low: 0)
            head = Head(
                vault: nothing,
                key: nothing,
                device: device.kind,
                installation: nothing,
                policy: VaultPolicy()
            )
            condition = .resetPending
        } else {
            throw VaultError(.vaultDamaged)
        }
        guard isBackup || head.device == device.kind else { throw VaultError(.deviceMismatch) }
        let vault = head.vault
        slots.removeAll { $0.vault != vault }
        ledger = Ledger(vault: vault, sequence: 0)
        ledger.attempts.isReliable = false
    }

    /// The record of a way in: the one that the head lists, else the newest that the head doesn't know of.
    ///
    /// A recovery key that was not typed back yet is listed, and no way in.
    func slot(_ kind: SlotKind) -> SlotRecord? {
        if let listed = head.slots.last(where: { $0.kind == kind && $0.isConfirmed }),
            let record = slots.first(where: { $0.id == listed.id })
        {
            return record
        }
        let listed = Set(head.slots.map(\.id))
        return slots.filter { $0.kind == kind && !listed.contains($0.id) }.max { $0.generation < $1.generation }
    }

    /// The biometric slot, unless the head has none.
    var biometricSlot: SlotRecord? {
        head.slot(.biometric).flatMap { listed in slots.first { $0.id == listed.id } }
    }

    var deviceSecret: ItemName? { slot(.localSecret)?.item }

    var summaries: [VaultSnapshot.Slot] {
        head.slots.map { listed in
            VaultSnapshot.Slot(
                kind: listed.kind,
                assurance: listed.assurance,
                isConfirmed: listed.isConfirmed,
                isRevoked: ledger.revocation?.slot == listed.id,
                createdAt: slots.first { $0.id == listed.id }?.createdAt ?? .zero
            )
        }
    }

    func attemptDecision(at now: ClockReading) -> AttemptDecision {
        AttemptSchedule.decision(
            for: ledger.attempts.redated(at: now) ?? ledger.attempts,
            otherStrongSlot: head.hasOtherStrongSlot,
            at: now
        )
    }

    /// Where biometrics stand: the head minus the restrictions.
    var biometrics: BiometricLifecycle.State {
        guard let slot = biometricSlot else { return .disabled }
        guard let revocation = ledger.revocation, revocation.slot == slot.id else { return .enabled }
        return .revoked(revocation.reason)
    }

    func context(at now: ClockReading) -> UnlockPolicyContext {
        var context = UnlockPolicyContext(now: now, capability: capability)
        context.lastStrongAuthentication = ledger.lastStrongAuthentication
        context.lastUse = ledger.lastUse
        context.failedBiometricAttempts = ledger.biometricFailures
        context.wasLockedOut = ledger.wasLockedOut
        context.ledgerIsReliable = ledger.attempts.isReliable
        context.resetIsPending = condition == .resetPending
        context.policyEpochIsCurrent = biometricSlot?.policyEpoch.map { $0 == head.policyEpoch } ?? true
        context.lastServerContact = ledger.lastServerContact
        switch biometrics {
        case .disabled, .enabling: context.biometricSlot = .none
        case .enabled: context.biometricSlot = .ready
        case .revoked(let reason): context.biometricSlot = .revoked(reason)
        }
        return context
    }
}
