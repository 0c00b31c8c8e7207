import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// What is known of a vault without a key: the stored head, its slots, the ledger, and the device.
///
/// It is created whole from the store's contents and never changed: new knowledge creates another state, with which the
/// vault replaces it.
struct LockedState {
    /// The rows, as last read or written; the ledger's row is kept by `AttemptLedger`.
    private(set) var contents: VaultStore.Contents
    private(set) var head: UnverifiedHead
    private(set) var slots: [SlotRecord]
    /// Whether both rows of every slot exist and are the same.
    let slotsAreWhole: Bool
    /// The ledger, as last read and checked against its anchor.
    private(set) var ledger: Ledger
    /// Whether the device that the head was made on has lost the secret that its PIN's slot needs: nothing is left to
    /// check the head against, and it may be an old copy.
    private(set) var mayBeFormer = false
    private(set) var condition = VaultSnapshot.Condition.ready
    /// The sensor's state as last queried; nil before the first query.
    private(set) var sensor: BiometricCapability?
    /// The first head of a vault that is being created; nil for an existing vault.
    private(set) var founding: Head?
    /// How many events wait for the account's service.
    private(set) var undeliveredEvents: UInt64 = 0

    /// Reads the store's contents.
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
            // The head can't be read, or names another vault, but a slot may open: a flipped bit must not cost coins
            // (design section 5). A half-migrated vault can at least be reset, and the former PIN still has its copy.
            head = UnverifiedHead(
                Head(vault: slot.vault, key: slot.key, device: device, installation: slot.id, policy: VaultPolicy())
            )
        } else if contents.holdsNothing {
            // A vault that was being created or erased: it is empty.
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
        // A stray row may name any item, and would keep it from being deleted.
        slotsAreWhole = contents.slotsAreWhole && contents.slots.count == self.slots.count
        ledger = .unread(of: vault)
    }

    /// Returns the state for the store's current contents; unchanged rows are not parsed again.
    ///
    /// - Throws: as `init(reading:on:)`.
    func reading(_ contents: VaultStore.Contents, on device: DeviceKind) throws(VaultError) -> LockedState {
        guard founding == nil, self.contents.hasRows(of: contents) else {
            return try LockedState(reading: contents, on: device)
        }
        var state = self
        state.contents = contents
        state.ledger = .unread(of: head.vault)
        state.mayBeFormer = false
        state.condition = contents.holdsNothing ? .resetPending : .ready
        return state
    }

    /// Returns the state after a change: the new contents, and everything else unchanged.
    ///
    /// - Parameter released: the items that the change noted for deletion, even if the notes can't be read back.
    func following(_ written: LockedState, releasing released: [VaultStore.Leftover]) -> LockedState {
        var state = written
        let isLost = written.contents.lost.contains(.leftover)
        let others = (isLost ? contents : written.contents).leftovers
        state.contents.leftovers = released + others.filter { note in !released.contains { $0.item == note.item } }
        state.ledger = ledger
        state.condition = condition
        state.sensor = sensor
        state.undeliveredEvents = undeliveredEvents
        return state
    }

    /// Returns the state of a vault that is to be created here.
    func founding(_ head: Head) -> LockedState {
        var state = self
        state.founding = head
        state.head = UnverifiedHead(head)
        return state
    }

    func owing(_ events: UInt64) -> LockedState {
        var state = self
        state.undeliveredEvents = events
        return state
    }

    func holding(_ ledger: Ledger) -> LockedState {
        var state = self
        state.ledger = ledger
        return state
    }

    /// Returns the state with or without the suspicion that this is an old copy.
    ///
    /// - Parameter mayBeFormer: false when the owner said that it is the newest.
    func suspected(_ mayBeFormer: Bool) -> LockedState {
        var state = self
        state.mayBeFormer = mayBeFormer
        return state
    }

    func with(_ condition: VaultSnapshot.Condition) -> LockedState {
        var state = self
        state.condition = condition
        return state
    }

    func sensing(_ sensor: BiometricCapability?) -> LockedState {
        var state = self
        state.sensor = sensor
        return state
    }

    /// The known sensor state; a sensor that was never queried counts as unavailable.
    var capability: BiometricCapability {
        sensor
            ?? BiometricCapability(
                biometryType: .none,
                reasonIfUnavailable: .temporarilyUnavailable,
                assurance: .simulated
            )
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

    /// Whether `head` is what is stored, not made up because the stored one can't be read.
    var headIsReadable: Bool { contents.head.map { head.isStored(as: $0) } ?? false }

    /// Returns the record of a slot kind: the one that the head lists, otherwise the newest.
    func slot(_ kind: SlotKind) -> SlotRecord? {
        if let listed = head.slots.last(where: { $0.kind == kind }),
            let record = slots.first(where: { $0.id == listed.id && $0.kind == kind })
        {
            return record
        }
        return slots.filter { $0.kind == kind }.max { $0.generation < $1.generation }
    }

    /// The slot that goes with the ledger: the PIN's, or the account password's.
    var ledgerSlot: SlotRecord? { slot(.localSecret) ?? slot(.password) }

    /// The account whose password opens the vault: the head names it, and its password has a slot.
    ///
    /// The head is not verified. Beside a PIN's slot it is ignored: otherwise an attacker who edits it could name a
    /// service that would be sent proof of the PIN.
    var account: VaultAccount? { ledgerSlot?.kind == .password ? head.account : nil }

    /// The newest known policy epoch of the account, which a biometric slot must match.
    var policyEpoch: UInt64 { ledger.policyEpoch ?? head.policyEpoch }

    /// The biometric slot, unless head or ledger list none; with a recreated ledger the policy shows no prompt.
    var biometricSlot: SlotRecord? {
        guard let listed = head.slot(.biometric), ledger.slots.isEmpty || ledger.slots.contains(listed.id) else {
            return nil
        }
        return slots.first { $0.id == listed.id && $0.kind == .biometric }
    }

    /// The unlock mode of the vault.
    var mode: UnlockMode { UnlockMode(listed: head.kinds, standing: Set(slots.map(\.kind))) }

    /// Returns the slot that a prompt of this kind would open.
    func promptedSlot(_ kind: SlotKind) -> SlotRecord? {
        switch kind {
        case .biometric: biometricSlot
        case .system: slot(.system)
        case .localSecret, .recovery, .password: nil
        }
    }

    /// Returns whether `ledger` knows the slots that it would allow to open (A7).
    func isKnown(to ledger: Ledger) -> Bool {
        SlotRules.ledger(naming: ledger.slots, knows: ledgerSlot?.id, awaitsLocal: migration == .half)
    }

    /// The ledger's verdict on the stored head; a damaged ledger can't confirm that the head is the newest.
    var headStanding: HeadStanding {
        if condition == .ledgerDamaged || mayBeFormer { return .putBack }
        // On a full disk a ledger that had to be recreated was not, and names no head.
        guard mode == .local, condition == .ready || condition == .diskFull else { return .named }
        return HeadStanding(of: contents.head?.digest, in: ledger)
    }

    /// The ids of the stored slots, for a ledger that counts guesses before there is a local slot.
    var slotIDs: [Identifier] { Array(slots.map(\.id).prefix(Int(Head.maximumSlots))) }

    /// Whether a session that verified its slots would have rows to rewrite.
    var canMendSlots: Bool { !slotsAreWhole && contents.lost.isDisjoint(with: [.slot, .slotCopy]) }

    /// Returns whether any slot's row or the head, readable or not, names an item, or the trail's row.
    func refers(to item: ItemName) -> Bool {
        contents.names(item) || slots.contains { $0.items.contains(item) } || contents.trailItems.contains(item)
    }

    /// The items that rows and notes name; for an existing vault, only those that are its own by name.
    ///
    /// Not verified. An item of another vault does not become this vault's because its file names it (A25).
    var ownItems: [ItemName] {
        let named = slots.flatMap(\.items) + [head.account?.deviceKey].compactMap(\.self)
        return (named + contents.trailItems + contents.leftovers.map(\.item)).filter { item in
            guard condition != .resetPending else { return true }
            return item.purpose.map { item.belongs(to: head.vault, for: $0) } ?? false
        }
    }

    /// The progress of migrating a former app's wallet.
    ///
    /// A half-migrated vault has no PIN slot. If there is one, the mark was edited, which opening the vault will
    /// reveal.
    var migration: MigrationMachine.State {
        if contents.holdsNothing { return .legacy }
        let marked = head.migrationState
        return marked == .half && slot(.localSecret) != nil ? .full : marked
    }

    /// Device secrets that no slot names and that may count guesses at a former app's PIN.
    ///
    /// Their notes do not ask for deletion: the secret has a counter, and did not vouch for the note.
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

    /// Whether a slot other than the local one opens the vault without biometrics.
    ///
    /// Not trusted if an edited head lists it, or its rows are missing or differ from the head: then the PIN must not
    /// be suspended for good (A20).
    private var hasOtherStrongSlot: Bool {
        guard headStanding != .putBack, let listed = head.slot(.recovery),
            let record = slots.first(where: { $0.id == listed.id && $0.kind == .recovery }),
            let bytes = try? record.bytes
        else { return false }
        return SHA256.digest(bytes) == listed.digest
    }

    func attemptDecision(at now: ClockReading) -> AttemptDecision {
        AttemptSchedule.decision(for: ledger.attempts, otherStrongSlot: hasOtherStrongSlot, at: now)
    }

    /// The state of biometrics: the head's, minus the ledger's restrictions.
    var biometrics: BiometricLifecycle.State {
        guard let slot = biometricSlot else { return .disabled }
        guard let revocation = ledger.revocation, revocation.slot == slot.id else { return .enabled }
        return .revoked(revocation.reason)
    }

    /// The state of biometrics as shown to the user: without a readable ledger no finger opens, and biometrics that the
    /// owner turned off are off, although the slot is removed only at the next strong unlock.
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
        context.undeliveredEvents = undeliveredEvents
        switch biometrics {
        case .disabled, .enabling, .revoked(.disabledByOwner): context.biometricSlot = .none
        case .enabled: context.biometricSlot = .ready
        case .revoked(let reason): context.biometricSlot = .revoked(reason)
        }
        return context
    }
}

extension Ledger {
    /// Returns the placeholder used until a row was checked against its anchor: it asserts nothing.
    fileprivate static func unread(of vault: Identifier) -> Ledger {
        var ledger = Ledger(founding: vault)
        ledger.attempts.isReliable = false
        return ledger
    }
}
