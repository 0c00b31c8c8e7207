import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// Queries and changes of a device's items, with its refusals translated to `VaultError`.
extension Device {
    /// Returns whether an item is certainly gone; a damaged item is not gone.
    ///
    /// Throws when the device cannot tell.
    nonisolated(nonsending) func isAbsent(_ item: ItemName) async throws(VaultError) -> Bool {
        try await !mayBeUsed(item, ifDamaged: true)
    }

    /// Returns whether an item can open nothing any more: it is certainly gone, or damaged.
    ///
    /// Use the answer to revoke rights only, never to create or delete anything. Throws when the device cannot tell.
    nonisolated(nonsending) func isMissing(_ item: ItemName) async throws(VaultError) -> Bool {
        try await !mayBeUsed(item, ifDamaged: false)
    }

    private nonisolated(nonsending) func mayBeUsed(_ item: ItemName, ifDamaged: Bool) async throws(VaultError) -> Bool {
        do throws(DeviceRefusal) {
            return try await description(of: item) != nil
        } catch {
            guard error != .damaged else { return ifDamaged }
            throw VaultError(error, at: .errand("describe"))
        }
    }

    /// Returns whether an item exists; `.absent` only when the device said so twice.
    nonisolated(nonsending) func presence(of item: ItemName) async -> LeftoverFacts.Presence {
        await presence { () async throws(DeviceRefusal) in try await description(of: item) != nil }
    }

    /// Returns whether a commit has used an item's counter; a damaged counter counts as used.
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

    /// Asks again after nil: a store that just woke up may answer nil by mistake, and a second nil confirms it (A25).
    private nonisolated(nonsending) func twice<Answer>(
        _ ask: () async throws(DeviceRefusal) -> Answer?
    ) async throws(DeviceRefusal) -> Answer? {
        if let answer = try await ask() { return answer }
        return try await ask()
    }

    /// Returns the tag with which a device secret vouches for its own note; nil for other items, and for a missing or
    /// damaged one.
    ///
    /// The tag marks a key for deletion and is stored in the clear: it is not secret.
    nonisolated(nonsending) func deletionTag(of item: ItemName) async throws(VaultError) -> [UInt8]? {
        guard let tag = try await leftoverTag(of: item) else { return nil }
        return tag.withBytes { span in unsafe span.withUnsafeBytes { unsafe Array($0) } }
    }

    /// Returns whether a device secret vouches for its own note with the tag `noted`.
    ///
    /// Compares in constant time: otherwise an attacker who plants notes could learn the tag byte by byte.
    nonisolated(nonsending) func vouches(for item: ItemName, by noted: [UInt8]) async throws(VaultError) -> Bool {
        guard let tag = try await leftoverTag(of: item) else { return false }
        return unsafe SecretBytes.constantTimeEqual(tag, SecretBytes(copying: ContiguousArray(noted).span.bytes))
    }

    private nonisolated(nonsending) func leftoverTag(of item: ItemName) async throws(VaultError) -> SecretBytes? {
        guard item.purpose == .deviceSecret else { return nil }
        return try await use(item, on: Array("thumbturn.v1.leftover".utf8))
    }

    /// Evaluates a device secret on `input`; returns nil when the secret is confirmed missing (A25, A26) or damaged.
    nonisolated(nonsending) func use(_ item: ItemName, on input: [UInt8]) async throws(VaultError) -> SecretBytes? {
        do { return try await store.evaluate(item, input: input) } catch .absent {
            // Callers then create a new ledger, or keep a secret for good: one answer is not enough.
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

    /// Returns the position of an item's anchor; nil when the device said twice that there is none, or when the anchor
    /// is damaged: either costs the longest wait.
    nonisolated(nonsending) func anchorPosition(of item: ItemName) async throws(VaultError) -> LedgerPosition? {
        do { return try await position(of: item) } catch .damaged {
            return nil
        } catch {
            throw VaultError(error, at: .errand("anchor"))
        }
    }

    /// Creates an anchor for an item; keeps an existing one.
    nonisolated(nonsending) func makeAnchor(of item: ItemName, at position: LedgerPosition) async throws(VaultError) {
        _ = try await moveAnchor(of: item, from: nil, to: position)
    }

    /// Moves an item's anchor from one position to another.
    ///
    /// - Returns: false when the anchor was not at `former`; it is then unchanged.
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
