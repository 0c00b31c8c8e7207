import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// All that is known of a vault without a key: the head as it stands there, its slots, the ledger, and the device.
///
/// It is made whole from what the store holds and never changed: what is learned afterwards gives another one, and the vault
/// puts that in its place.
struct LockedState {
    /// The rows, as they were read or written last; of the ledger's `AttemptLedger` knows.
    private(set) var contents: VaultStore.Contents
    private(set) var head: UnverifiedHead
    private(set) var slots: [SlotRecord]
    /// Whether both rows of every slot stand, and say the same.
    let slotsAreWhole: Bool
    /// The ledger as it was last read and held against its anchor.
    private(set) var ledger: Ledger
    /// Whether the ledger could be read though the PIN's own secret is gone.
    private(set) var knowsLedger = false
    /// Whether the device that the head was made on has let go of all that its PIN's slot needs: nothing is left to hold the
    /// head against, and it may be from before that.
    private(set) var mayBeFormer = false
    private(set) var condition = VaultSnapshot.Condition.ready
    /// What the last look at the sensor has shown; nil before the first one.
    private(set) var sensor: BiometricCapability?
    /// The PIN's own device secret, once it was seen to be there.
    private(set) var seenSecret: ItemName?
    /// The first head of a vault that is being made; nil for one that is there.
    private(set) var founding: Head?

    /// Reads what the store holds.
    ///
    /// - Throws: `.vaultDamaged` when neither the head nor a slot can be read.
    init(reading contents: VaultStore.Contents, on device: DeviceKind) throws(VaultError) {
        self.contents = contents
        let stored = contents.head.flatMap { try? Head(parsing: $0.body) }
        let slots = contents.slotRecords(listedBy: stored)
        let vaults = Set(slots.map(\.vault))
        if let stored, vaults.isEmpty || vaults.contains(stored.vault) {
            head = UnverifiedHead(stored)
        } else if let slot = slots.first(where: { $0.kind != .biometric }) ?? slots.first {
            // The head can't be read, or is of another vault, but a slot may open: a flipped bit must not cost coins (design
            // section 5). One that is half migrated can at least be reset, and the former PIN still has its copy.
            head = UnverifiedHead(
                Head(vault: slot.vault, key: slot.key, device: device, installation: slot.id, policy: VaultPolicy())
            )
        } else if contents.holdsNothing {
            // A vault that was being made or erased: nothing is in it.
            let nothing = Identifier(high: 0, low: 0)
            head = UnverifiedHead(
                Head(vault: nothing, key: nothing, device: device, installation: nothing, policy: VaultPolicy())
            )
            condition = .resetPending
        } else {
            throw VaultError(.vaultDamaged)
        }
        let vault = head.vault
        self.slots = slots.filter { $0.vault == vault }
        // A row that is no slot's names what it likes, and would keep it from being deleted.
        slotsAreWhole = contents.slotsAreWhole && contents.slots.count == self.slots.count
        ledger = .unread(of: vault)
    }

    /// What the store holds now; rows that stand as they stood are not parsed again.
    ///
    /// - Throws: as `init(reading:on:)`.
    func reading(_ contents: VaultStore.Contents, on device: DeviceKind) throws(VaultError) -> LockedState {
        guard founding == nil, self.contents.hasRows(of: contents) else {
            return try LockedState(reading: contents, on: device)
        }
        var state = self
        state.contents = contents
        state.ledger = .unread(of: head.vault)
        state.knowsLedger = false
        state.mayBeFormer = false
        state.condition = contents.holdsNothing ? .resetPending : .ready
        return state
    }

    /// What the store holds after a change, and all else as it was.
    ///
    /// - Parameter released: what the change noted to be deleted, also where the notes can't be read back.
    func following(_ written: LockedState, releasing released: [VaultStore.Leftover]) -> LockedState {
        var state = written
        let isLost = written.contents.lost.contains(.leftover)
        let others = (isLost ? contents : written.contents).leftovers
        // In the order of the change: the PIN's own secret goes before the ledger's.
        state.contents.leftovers = released + others.filter { note in !released.contains { $0.item == note.item } }
        state.ledger = ledger
        state.knowsLedger = knowsLedger
        state.condition = condition
        state.sensor = sensor
        return state
    }

    /// A vault that is to be made here.
    func founding(_ head: Head) -> LockedState {
        var state = self
        state.founding = head
        state.head = UnverifiedHead(head)
        return state
    }

    func holding(_ ledger: Ledger) -> LockedState {
        var state = self
        state.ledger = ledger
        return state
    }

    /// A copy whose ledger can be read, though not go on.
    func knowingLedger() -> LockedState {
        var state = self
        state.knowsLedger = true
        return state
    }

    /// - Parameter mayBeFormer: false where its owner said that it is the newest.
    func suspected(_ mayBeFormer: Bool) -> LockedState {
        var state = self
        state.mayBeFormer = mayBeFormer
        return state
    }

    func found(_ condition: VaultSnapshot.Condition) -> LockedState {
        var state = self
        state.condition = condition
        return state
    }

    func beside(_ sensor: BiometricCapability?) -> LockedState {
        var state = self
        state.sensor = sensor
        return state
    }

    /// What is known of the sensor: one that nobody has looked at can't be used.
    var capability: BiometricCapability {
        sensor
            ?? BiometricCapability(
                biometryType: .none,
                reasonIfUnavailable: .temporarilyUnavailable,
                assurance: .simulated
            )
    }

    /// - Parameter secret: nil where the device is to be asked again.
    func seeing(_ secret: ItemName?) -> LockedState {
        var state = self
        state.seenSecret = secret
        return state
    }

    func noting(_ leftover: VaultStore.Leftover) -> LockedState {
        var state = forgetting(leftover.item)
        state.contents.leftovers.append(leftover)
        return state
    }

    func forgetting(_ leftover: ItemName) -> LockedState {
        var state = self
        state.contents.leftovers.removeAll { $0.item == leftover }
        return state
    }

    /// Whether `head` is what is stored, or was made up because that can't be read.
    var headIsReadable: Bool { contents.head.map { head.isStored(as: $0) } ?? false }

    /// The record of a way in: the one that the head lists, else the newest there is.
    func slot(_ kind: SlotKind) -> SlotRecord? {
        if let listed = head.slots.last(where: { $0.kind == kind }),
            let record = slots.first(where: { $0.id == listed.id && $0.kind == kind })
        {
            return record
        }
        return slots.filter { $0.kind == kind }.max { $0.generation < $1.generation }
    }

    /// The slot that the ledger stands beside: of the PIN, or of the account's password.
    var ledgerSlot: SlotRecord? { slot(.localSecret) ?? slot(.password) }

    /// The account whose password opens the vault: the head names it, and the slot of its password stands.
    ///
    /// Nobody has verified that head. Where a PIN's slot stands it is no reason to ask a service of its editor's choice, which
    /// would be sent what proves the PIN.
    var account: VaultAccount? { ledgerSlot?.kind == .password ? head.account : nil }

    /// The newest epoch of the account that was heard, by which a finger's slot is held.
    var policyEpoch: UInt64 { ledger.policyEpoch ?? head.policyEpoch }

    /// The biometric slot, unless head or ledger have none; beside a ledger that was made anew the policy shows no prompt.
    var biometricSlot: SlotRecord? {
        guard let listed = head.slot(.biometric), ledger.slots.isEmpty || ledger.slots.contains(listed.id) else {
            return nil
        }
        return slots.first { $0.id == listed.id && $0.kind == .biometric }
    }

    /// The way in that the vault asks for.
    var mode: UnlockMode { UnlockMode(listed: head.kinds, standing: Set(slots.map(\.kind))) }

    /// The slot that a prompt of this kind would open.
    func promptedSlot(_ kind: SlotKind) -> SlotRecord? {
        switch kind {
        case .biometric: biometricSlot
        case .system: slot(.system)
        case .localSecret, .recovery, .password: nil
        }
    }

    /// Whether `ledger` knows the slots that it would let open (A7).
    func isKnown(to ledger: Ledger) -> Bool {
        SlotRules.ledger(naming: ledger.slots, knows: ledgerSlot?.id, awaitsLocal: migration == .half)
    }

    /// What the ledger says of the stored head; a damaged ledger can't say that the head is the newest.
    var headStanding: HeadStanding {
        if condition == .ledgerDamaged || mayBeFormer { return .putBack }
        // On a full disk a ledger that had to be made anew was not, and names no head.
        guard mode == .local, condition == .ready || condition == .diskFull || knowsLedger else { return .named }
        return HeadStanding(of: contents.head?.digest, in: ledger)
    }

    /// The slots that stand here, for a ledger that counts guesses before there is a local one.
    var slotIDs: [Identifier] { Array(slots.map(\.id).prefix(Int(Head.maximumSlots))) }

    /// Whether a session that verified its slots would find rows of them to write anew.
    var canMendSlots: Bool {
        !slotsAreWhole && contents.lost.isDisjoint(with: [.slot, .slotCopy])
    }

    /// Whether an item is named in any slot's row, readable or not.
    func refers(to item: ItemName) -> Bool {
        contents.names(item) || slots.contains { $0.items.contains(item) } || head.account?.deviceKey == item
    }

    /// The items that rows and notes name; where there is a vault, those that are its own by their names.
    ///
    /// Nothing here was verified. What another vault has is not this one's because its file names it (A25).
    var ownItems: [ItemName] {
        let named = slots.flatMap(\.items) + [head.account?.deviceKey].compactMap(\.self)
        return (named + contents.leftovers.map(\.item)).filter { item in
            guard condition != .resetPending else { return true }
            return item.purpose.map { item.belongs(to: head.vault, for: $0) } ?? false
        }
    }

    /// How far the migration of a former app's wallet has come.
    ///
    /// A half migrated vault has no slot for a PIN. Where there is one the mark was edited, and whoever opens it will see that.
    var migration: MigrationMachine.State {
        if contents.holdsNothing { return .legacy }
        let marked = head.migrationState
        return marked == .half && slot(.localSecret) != nil ? .full : marked
    }

    /// Device secrets that no slot names and that guesses at a former app's PIN may be counted with.
    ///
    /// Such a note is no wish to delete: the secret has a counter, and did not vouch for its note.
    var countingSecrets: [ItemName] {
        contents.leftovers.filter { $0.item.purpose == .deviceSecret && $0.tag == nil }.map(\.item)
    }

    /// Whether a device secret that vouched for its note is still to be deleted.
    var formerSecretRemains: Bool {
        contents.leftovers.contains { $0.tag?.isEmpty == false && $0.item.belongs(to: head.vault, for: .deviceSecret) }
    }

    var summaries: [VaultSnapshot.Slot] {
        head.slots.map { listed in
            VaultSnapshot.Slot(
                kind: listed.kind,
                assurance: listed.assurance,
                isRevoked: ledger.revocation?.slot == listed.id,
                createdAt: slots.first { $0.id == listed.id }?.createdAt ?? .zero
            )
        }
    }

    /// Whether something other than the local secret opens the vault that is not bound to biometrics.
    ///
    /// One that a changed head lists, or whose rows are gone or are not those that the head names, may be none: then the PIN must
    /// not be shut for good (A20).
    private var hasOtherStrongSlot: Bool {
        guard headStanding != .putBack, let listed = head.slot(.recovery),
            let record = slots.first(where: { $0.id == listed.id && $0.kind == .recovery }),
            let bytes = try? record.bytes
        else { return false }
        return SHA256.digest(bytes) == listed.digest
    }

    func attemptDecision(at now: ClockReading) -> AttemptDecision {
        AttemptSchedule.decision(
            for: ledger.attempts,
            otherStrongSlot: hasOtherStrongSlot,
            at: now
        )
    }

    /// Where biometrics stand: the head minus the restrictions.
    var biometrics: BiometricLifecycle.State {
        guard let slot = biometricSlot else { return .disabled }
        guard let revocation = ledger.revocation, revocation.slot == slot.id else { return .enabled }
        return .revoked(revocation.reason)
    }

    /// The same as everybody sees it: where the ledger can't be read no finger opens, and what its owner turned off is off, though
    /// its slot goes at the next strong unlock.
    var usableBiometrics: BiometricLifecycle.State {
        condition == .ready && biometrics != .revoked(.disabledByOwner) ? biometrics : .disabled
    }

    func context(at now: ClockReading) -> UnlockPolicyContext {
        var context = UnlockPolicyContext(now: now, capability: capability)
        context.mode = mode
        context.lastStrongAuthentication = ledger.lastStrongAuthentication
        context.lastUse = ledger.lastUse
        context.failedBiometricAttempts = ledger.biometricFailures
        context.wasLockedOut = ledger.wasLockedOut
        context.ledgerIsReliable = ledger.attempts.isReliable && headStanding != .putBack
        context.resetIsPending = condition == .resetPending
        context.policyEpochIsCurrent = biometricSlot?.policyEpoch.map { $0 == policyEpoch } ?? true
        context.lastServerContact = ledger.lastServerContact
        switch biometrics {
        case .disabled, .enabling, .revoked(.disabledByOwner): context.biometricSlot = .none
        case .enabled: context.biometricSlot = .ready
        case .revoked(let reason): context.biometricSlot = .revoked(reason)
        }
        return context
    }
}

extension Ledger {
    /// What stands for a ledger until a row was held against its anchor: it says nothing for certain.
    fileprivate static func unread(of vault: Identifier) -> Ledger {
        var ledger = Ledger(founding: vault)
        ledger.attempts.isReliable = false
        return ledger
    }
}
