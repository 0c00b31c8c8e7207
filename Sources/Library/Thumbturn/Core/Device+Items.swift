import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// What a device says of its items, in the vault's words.
extension Device {
    /// Whether an item is gone for certain; a damaged one is not.
    ///
    /// "Can't say" throws.
    nonisolated(nonsending) func isAbsent(_ item: ItemName) async throws(VaultError) -> Bool {
        try await !mayBeUsed(item, ifDamaged: true)
    }

    /// Whether nothing opens with an item any more: it is gone for certain, or damaged.
    ///
    /// That takes rights away, and never allows to make or delete anything. "Can't say" throws.
    nonisolated(nonsending) func isMissing(_ item: ItemName) async throws(VaultError) -> Bool {
        try await !mayBeUsed(item, ifDamaged: false)
    }

    private nonisolated(nonsending) func mayBeUsed(
        _ item: ItemName,
        ifDamaged: Bool
    ) async throws(VaultError) -> Bool {
        do throws(DeviceRefusal) {
            return try await description(of: item) != nil
        } catch {
            guard error != .damaged else { return ifDamaged }
            throw VaultError(error, at: .errand("describe"))
        }
    }

    /// Whether an item is there; gone only where the device said so twice.
    nonisolated(nonsending) func presence(of item: ItemName) async -> LeftoverFacts.Presence {
        await presence { () async throws(DeviceRefusal) in try await description(of: item) != nil }
    }

    /// Whether the counter of an item is one that a commit used; of a damaged one nobody can say so, and it counts as used.
    nonisolated(nonsending) func usedCounter(of item: ItemName) async -> LeftoverFacts.Presence {
        let counter = await presence { () async throws(DeviceRefusal) in
            try await position(of: item)?.isUsed ?? false
        }
        return counter == .damaged ? .present : counter
    }

    private nonisolated(nonsending) func description(
        of item: ItemName
    ) async throws(DeviceRefusal) -> ItemDescription? {
        try await twice { () async throws(DeviceRefusal) in try await store.describe(item) }
    }

    private nonisolated(nonsending) func position(of item: ItemName) async throws(DeviceRefusal) -> LedgerPosition? {
        try await twice { () async throws(DeviceRefusal) in try await anchor.position(for: item) }
    }

    private nonisolated(nonsending) func presence(
        _ isThere: () async throws(DeviceRefusal) -> Bool
    ) async -> LeftoverFacts.Presence {
        do { return try await isThere() ? .present : .absent } catch {
            return error == .damaged ? .damaged : .unavailable
        }
    }

    /// Asks again after nil: one nil may be a mistake of a store that just woke up; two are a confirmation (A25).
    private nonisolated(nonsending) func twice<Answer>(
        _ ask: () async throws(DeviceRefusal) -> Answer?
    ) async throws(DeviceRefusal) -> Answer? {
        if let answer = try await ask() { return answer }
        return try await ask()
    }

    /// What only a device secret can say of its own note; nil for other items, and for one that is gone or damaged.
    ///
    /// It says that a key is to be deleted, and is stored in the clear: no secret.
    nonisolated(nonsending) func deletionTag(of item: ItemName) async throws(VaultError) -> [UInt8]? {
        guard let tag = try await leftoverTag(of: item) else { return nil }
        return tag.withBytes { span in unsafe span.withUnsafeBytes { unsafe Array($0) } }
    }

    /// Whether a device secret said that of its own note.
    ///
    /// In constant time: who plants notes would learn the tag byte by byte.
    nonisolated(nonsending) func vouches(for item: ItemName, by noted: [UInt8]) async throws(VaultError) -> Bool {
        guard let tag = try await leftoverTag(of: item) else { return false }
        return unsafe SecretBytes.constantTimeEqual(tag, SecretBytes(copying: ContiguousArray(noted).span.bytes))
    }

    private nonisolated(nonsending) func leftoverTag(of item: ItemName) async throws(VaultError) -> SecretBytes? {
        guard item.purpose == .deviceSecret else { return nil }
        return try await use(item, on: Array("thumbturn.v1.leftover".utf8))
    }

    /// What a device secret makes of `input`; nil where it is confirmed missing (A25, A26), or damaged.
    nonisolated(nonsending) func use(_ item: ItemName, on input: [UInt8]) async throws(VaultError) -> SecretBytes? {
        do { return try await store.evaluate(item, input: input) } catch .absent {
            // Without it a ledger is made anew, or a secret stays for ever: one answer is not enough.
            guard try await isAbsent(item) else {
                throw VaultError(.storageUnavailable, "the device contradicts itself")
            }
            return nil
        } catch .damaged {
            return nil
        } catch {
            throw VaultError(error, at: .errand("device secret"))
        }
    }

    /// Where an item's anchor stands; nil where the device said twice that there is none, and for a damaged one: either costs
    /// the longest wait.
    nonisolated(nonsending) func anchorPosition(of item: ItemName) async throws(VaultError) -> LedgerPosition? {
        do { return try await position(of: item) } catch .damaged {
            return nil
        } catch {
            throw VaultError(error, at: .errand("anchor"))
        }
    }

    /// Makes an anchor for an item; one that is there stays.
    nonisolated(nonsending) func makeAnchor(of item: ItemName, at position: LedgerPosition) async throws(VaultError) {
        _ = try await moveAnchor(of: item, from: nil, to: position)
    }

    /// - Returns: false where it stood elsewhere, and still does.
    nonisolated(nonsending) func moveAnchor(
        of item: ItemName,
        from former: LedgerPosition?,
        to position: LedgerPosition
    ) async throws(VaultError) -> Bool {
        do { return try await anchor.move(from: former, to: position, for: item) } catch {
            throw VaultError(error, at: .errand("anchor"))
        }
    }

    nonisolated(nonsending) func currentInstallation() async throws(VaultError) -> Identifier {
        do { return try await installation() } catch {
            throw VaultError(error, at: .errand("installation"))
        }
    }
}
