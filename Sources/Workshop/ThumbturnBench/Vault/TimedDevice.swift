import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// Adds up the time in a device's store and anchor.
final class Stopwatch: @unchecked Sendable {
    // Safe to share: `lock` guards `seconds`.
    private let lock = Lock()
    private var seconds = 0.0

    func add(since start: Double) {
        let end = monotonicSeconds()
        lock.withLock { seconds += end - start }
    }

    func timing<Result: ~Copyable>(
        _ body: () async throws(DeviceRefusal) -> Result
    ) async throws(DeviceRefusal) -> Result {
        let start = monotonicSeconds()
        defer { add(since: start) }
        return try await body()
    }

    /// Returns the time since the last call.
    func read() -> Double {
        lock.withLock {
            defer { seconds = 0 }
            return seconds
        }
    }
}

extension Device {
    func timed(by watch: Stopwatch) -> Device {
        Device(
            kind: kind,
            store: TimedStore(store: store, watch: watch),
            prompt: prompt,
            anchor: TimedAnchor(anchor: anchor, watch: watch),
            clock: clock,
            installation: installation,
            events: events,
            turns: turns
        )
    }
}

private struct TimedAnchor: Anchor {
    let anchor: any Anchor
    let watch: Stopwatch

    func position(for secret: ItemName) async throws(DeviceRefusal) -> LedgerPosition? {
        try await watch.timing { () async throws(DeviceRefusal) in try await anchor.position(for: secret) }
    }

    func move(
        from former: LedgerPosition?,
        to next: LedgerPosition,
        for secret: ItemName
    ) async throws(DeviceRefusal) -> Bool {
        try await watch.timing { () async throws(DeviceRefusal) in
            try await anchor.move(from: former, to: next, for: secret)
        }
    }

    func remove(for secret: ItemName) async throws(DeviceRefusal) {
        try await watch.timing { () async throws(DeviceRefusal) in try await anchor.remove(for: secret) }
    }
}

private struct TimedStore: SecureStore {
    let store: any SecureStore
    let watch: Stopwatch

    var keepsLeases: Bool { store.keepsLeases }

    func assurance(of access: AccessControl) -> Assurance { store.assurance(of: access) }

    func save(
        _ secret: borrowing SecretBytes,
        as name: ItemName,
        access: AccessControl,
        lease: ItemLease?
    ) async throws(DeviceRefusal) {
        let start = monotonicSeconds()
        defer { watch.add(since: start) }
        try await store.save(secret, as: name, access: access, lease: lease)
    }

    func read(_ name: ItemName, prompt: PromptText) async throws(DeviceRefusal) -> SecretBytes {
        try await watch.timing { () async throws(DeviceRefusal) in try await store.read(name, prompt: prompt) }
    }

    func describe(_ name: ItemName) async throws(DeviceRefusal) -> ItemDescription? {
        try await watch.timing { () async throws(DeviceRefusal) in try await store.describe(name) }
    }

    func delete(_ name: ItemName) async throws(DeviceRefusal) {
        try await watch.timing { () async throws(DeviceRefusal) in try await store.delete(name) }
    }

    func makeDeviceSecret(_ name: ItemName) async throws(DeviceRefusal) {
        try await watch.timing { () async throws(DeviceRefusal) in try await store.makeDeviceSecret(name) }
    }

    func evaluate(_ name: ItemName, input: [UInt8]) async throws(DeviceRefusal) -> SecretBytes {
        try await watch.timing { () async throws(DeviceRefusal) in try await store.evaluate(name, input: input) }
    }

    func guardDeviceSecret(
        _ name: ItemName,
        for slot: Identifier,
        with authorisation: borrowing SecretBytes
    ) async throws(DeviceRefusal) {
        let start = monotonicSeconds()
        defer { watch.add(since: start) }
        try await store.guardDeviceSecret(name, for: slot, with: authorisation)
    }

    func evaluate(
        _ name: ItemName,
        for slot: Identifier,
        with authorisation: borrowing SecretBytes,
        input: [UInt8]
    ) async throws(DeviceRefusal) -> SecretBytes {
        let start = monotonicSeconds()
        defer { watch.add(since: start) }
        return try await store.evaluate(name, for: slot, with: authorisation, input: input)
    }

    // Not timed: it tidies up the folder after each unlock, and sends nothing to the TPM.
    func keepParts(of name: ItemName, for slots: [Identifier]) async throws(DeviceRefusal) {
        try await store.keepParts(of: name, for: slots)
    }

    func makeDeviceKey(_ name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        try await watch.timing { () async throws(DeviceRefusal) in try await store.makeDeviceKey(name) }
    }

    func devicePublicKey(_ name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        try await watch.timing { () async throws(DeviceRefusal) in try await store.devicePublicKey(name) }
    }

    func sign(_ message: [UInt8], with name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        try await watch.timing { () async throws(DeviceRefusal) in try await store.sign(message, with: name) }
    }
}
