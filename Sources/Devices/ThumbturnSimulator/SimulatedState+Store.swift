import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// The rules of the store.
extension SimulatedState {
    mutating func save(
        _ secret: HeldSecret,
        as name: ItemName,
        access: AccessControl,
        kind: Item.Kind = .readable
    ) throws(DeviceRefusal) {
        counts.saves += 1
        guard !take(.saveFails) else { throw .unavailable }
        try requireProtectedData()
        try requireSomethingToBindTo(access)
        // A row that can't be read still takes the name, and names are used once: this is our own bug.
        guard items[name.text] == nil, !revokedNames.contains(name.text) else { throw .unclassified }

        var item = Item(kind: kind, access: access, secret: secret)
        if access != .deviceOnly, take(.droppedAccess) { item.access = .deviceOnly }
        if take(.droppedDeviceOnly) { item.staysOnDevice = false }
        if item.access == .currentBiometrySet { item.enrolledSet = enrolledSet }
        items[name.text] = item
        guard !take(.saveFailsAfterStoring) else { throw .unavailable }
    }

    /// The result of a read without a refusal.
    enum Reading {
        case secret(HeldSecret)
        /// The prompt waits for a touch.
        case waiting(SimulatedPrompt)
    }

    /// Reads an item.
    ///
    /// The prompt comes first, for its exact errors, and then the row.
    mutating func read(_ name: ItemName, prompt text: PromptText) throws(DeviceRefusal) -> Reading {
        guard !take(.readFails) else { throw .unavailable }
        try requireProtectedData()
        guard let item = items[name.text], item.kind == .readable else {
            throw items[name.text] == nil ? missing(name) : .absent
        }
        guard item.access != .deviceOnly else { return .secret(item.secret) }

        switch try prompt(text, for: item.access) {
        case .recognised: return .secret(try release(name))
        case .hooked: return .secret(HeldSecret(.random(byteCount: 32)))
        case .waiting(let prompt): return .waiting(prompt)
        }
    }

    /// Releases an item to its recognised owner.
    ///
    /// A row that is gone by now was invalidated with its set. The first read deletes it, as the keychain does.
    mutating func release(_ name: ItemName) throws(DeviceRefusal) -> HeldSecret {
        guard let item = items[name.text] else { throw missing(name) }
        guard !isRevoked(item) else {
            items[name.text] = nil
            revokedNames.insert(name.text)
            throw .revoked
        }
        return item.secret
    }

    mutating func describe(_ name: ItemName) throws(DeviceRefusal) -> ItemDescription? {
        guard !take(.describeFails) else { throw .unavailable }
        try requireProtectedData()
        guard let item = items[name.text] else {
            if missing(name) == .damaged { throw .damaged }
            return nil
        }
        guard !isRevoked(item) else { return nil }
        return ItemDescription(access: item.access, staysOnDevice: item.staysOnDevice)
    }

    mutating func delete(_ name: ItemName) throws(DeviceRefusal) {
        counts.deletes += 1
        guard !take(.deleteFails) else { throw .unavailable }
        try requireProtectedData()
        // A caller that deletes an item of the damaged state has committed to a new one: only this item becomes absent.
        if isBesideDamage { deletedNames.insert(name.text) }
        items[name.text] = nil
        revokedNames.remove(name.text)
    }

    mutating func deviceSecret(_ name: ItemName) throws(DeviceRefusal) -> HeldSecret {
        counts.evaluations += 1
        guard !take(.evaluateFails) else { throw .unavailable }
        try requireProtectedData()
        guard let item = items[name.text] else { throw missing(name) == .damaged ? .damaged : .absent }
        guard item.kind == .deviceSecret else { throw .absent }
        return item.secret
    }

    mutating func deviceKey(_ name: ItemName) throws(DeviceRefusal) -> HeldSecret {
        guard !take(.signFails) else { throw .unavailable }
        try requireProtectedData()
        guard let item = items[name.text] else { throw missing(name) == .damaged ? .damaged : .absent }
        guard item.kind == .deviceKey else { throw .absent }
        return item.secret
    }

    private func requireSomethingToBindTo(_ access: AccessControl) throws(DeviceRefusal) {
        switch access {
        case .deviceOnly: break
        case .currentBiometrySet:
            guard sensor != .none else { throw .hardwareMissing }
            guard hasPasscode, !fingers.isEmpty else { throw .notEnrolled }
        case .anyBiometryOrPasscode:
            guard hasPasscode else { throw .notEnrolled }
        }
    }
}

/// The rules of the anchor.
extension SimulatedState {
    mutating func anchorPosition(for secret: ItemName) throws(DeviceRefusal) -> LedgerPosition? {
        guard !take(.anchorReadFails) else { throw .unavailable }
        try requireProtectedData()
        if let position = anchors[secret.text] { return position }
        // The anchor of a newer secret can't be in the damaged state.
        guard !mayHaveHeld(secret) else { throw .damaged }
        return nil
    }

    mutating func moveAnchor(
        from former: LedgerPosition?,
        to next: LedgerPosition,
        for secret: ItemName
    ) throws(DeviceRefusal) -> Bool {
        guard !take(.anchorMoveFails) else { throw .unavailable }
        try requireProtectedData()
        let present = anchors[secret.text]
        guard LedgerPosition.mayMove(present, from: former, to: next) else { return false }
        // An anchor that a commit used must never look unused (A25).
        guard present != nil || next.isUsed || !mayHaveHeld(secret) else { return false }
        anchors[secret.text] = next
        guard !take(.anchorMoveFailsAfterEffect) else { throw .unavailable }
        return true
    }

    mutating func removeAnchor(for secret: ItemName) throws(DeviceRefusal) {
        guard !take(.anchorRemoveFails) else { throw .unavailable }
        try requireProtectedData()
        anchors[secret.text] = nil
    }
}
