import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// What a device says of its items, in the vault's words.
extension Device {
    /// Whether an item is gone for certain.
    ///
    /// "Can't say" throws.
    nonisolated(nonsending) func isAbsent(_ item: ItemName) async throws(VaultError) -> Bool {
        do throws(DeviceRefusal) {
            return try await description(of: item) == nil
        } catch {
            throw VaultError(error, at: .errand("describe"))
        }
    }

    /// Whether an item is there; gone only where the device said so twice.
    nonisolated(nonsending) func presence(of item: ItemName) async -> LeftoverFacts.Presence {
        await presence { () async throws(DeviceRefusal) in try await description(of: item) != nil }
    }

    /// Whether the counter of an item is one that a commit used.
    nonisolated(nonsending) func usedCounter(of item: ItemName) async -> LeftoverFacts.Presence {
        await presence { () async throws(DeviceRefusal) in
            try await position(of: item)?.isUsed ?? false
        }
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
        do { return try await isThere() ? .present : .absent } catch { return .unavailable }
    }

    /// Asks again after nil: one nil may be a mistake of a store that just woke up; two are a confirmation (A25).
    private nonisolated(nonsending) func twice<Answer>(
        _ ask: () async throws(DeviceRefusal) -> Answer?
    ) async throws(DeviceRefusal) -> Answer? {
        if let answer = try await ask() { return answer }
        return try await ask()
    }

    /// What only a device secret can say of its own note; nil for other items, and for one that is gone.
    ///
    /// It says that a key is to be deleted, and is stored in the clear: no secret.
    nonisolated(nonsending) func deletionTag(of item: ItemName) async throws(VaultError) -> [UInt8]? {
        guard item.purpose == .deviceSecret else { return nil }
        let tag = try await use(item, on: Array("thumbturn.v1.leftover".utf8))
        return tag?.withBytes { span in unsafe span.withUnsafeBytes { unsafe Array($0) } }
    }

    /// What a device secret makes of `input`; nil where it is confirmed missing (A25, A26).
    nonisolated(nonsending) func use(_ item: ItemName, on input: [UInt8]) async throws(VaultError) -> SecretBytes? {
        do { return try await store.evaluate(item, input: input) } catch .absent {
            // Without it a ledger is made anew, or a secret stays for ever: one answer is not enough.
            guard try await isAbsent(item) else {
                throw VaultError(.storageUnavailable, "the device contradicts itself")
            }
            return nil
        } catch {
            throw VaultError(error, at: .errand("device secret"))
        }
    }

    /// Where an item's anchor stands; nil where the device said twice that there is none.
    nonisolated(nonsending) func anchorPosition(of item: ItemName) async throws(VaultError) -> LedgerPosition? {
        do { return try await position(of: item) } catch {
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
