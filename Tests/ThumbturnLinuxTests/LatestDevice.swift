import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// The device that was opened last, behind one that stays: who restores a machine opens it anew.
struct LatestDevice: Sendable {
    private let latest: Shared<Device>
    private var now: Device { latest.value }

    init(_ first: Device) {
        latest = Shared(first)
    }

    func become(_ device: Device) { latest.change { $0 = device } }

    /// The device that stays.
    var device: Device {
        Device(
            kind: now.kind,
            store: self,
            prompt: self,
            anchor: self,
            clock: { now.clock() },
            installation: { () async throws(DeviceRefusal) in try await now.installation() },
            events: { now.events() }
        )
    }
}

extension LatestDevice: SecureStore {
    func assurance(of access: AccessControl) -> Assurance { now.store.assurance(of: access) }

    var keepsLeases: Bool { now.store.keepsLeases }

    func save(
        _ secret: borrowing SecretBytes,
        as name: ItemName,
        access: AccessControl
    ) async throws(DeviceRefusal) {
        try await now.store.save(secret, as: name, access: access)
    }

    func save(
        _ secret: borrowing SecretBytes,
        as name: ItemName,
        access: AccessControl,
        lease: ItemLease?
    ) async throws(DeviceRefusal) {
        try await now.store.save(secret, as: name, access: access, lease: lease)
    }

    func read(_ name: ItemName, prompt: PromptText) async throws(DeviceRefusal) -> SecretBytes {
        try await now.store.read(name, prompt: prompt)
    }

    func describe(_ name: ItemName) async throws(DeviceRefusal) -> ItemDescription? {
        try await now.store.describe(name)
    }

    func delete(_ name: ItemName) async throws(DeviceRefusal) { try await now.store.delete(name) }

    func makeDeviceSecret(_ name: ItemName) async throws(DeviceRefusal) { try await now.store.makeDeviceSecret(name) }

    func evaluate(_ name: ItemName, input: [UInt8]) async throws(DeviceRefusal) -> SecretBytes {
        try await now.store.evaluate(name, input: input)
    }

    func guardDeviceSecret(
        _ name: ItemName,
        for slot: Identifier,
        with authorisation: borrowing SecretBytes
    ) async throws(DeviceRefusal) {
        try await now.store.guardDeviceSecret(name, for: slot, with: authorisation)
    }

    func evaluate(
        _ name: ItemName,
        for slot: Identifier,
        with authorisation: borrowing SecretBytes,
        input: [UInt8]
    ) async throws(DeviceRefusal) -> SecretBytes {
        try await now.store.evaluate(name, for: slot, with: authorisation, input: input)
    }

    func keepParts(of name: ItemName, for slots: [Identifier]) async throws(DeviceRefusal) {
        try await now.store.keepParts(of: name, for: slots)
    }
}

extension LatestDevice: OwnerPrompt {
    func capability() async -> BiometricCapability { await now.prompt.capability() }

    func prompt(_ text: PromptText, acceptingPasscode: Bool) async throws(DeviceRefusal) {
        try await now.prompt.prompt(text, acceptingPasscode: acceptingPasscode)
    }
}

extension LatestDevice: Anchor {
    func position(for secret: ItemName) async throws(DeviceRefusal) -> LedgerPosition? {
        try await now.anchor.position(for: secret)
    }

    func move(
        from former: LedgerPosition?,
        to next: LedgerPosition,
        for secret: ItemName
    ) async throws(DeviceRefusal) -> Bool {
        try await now.anchor.move(from: former, to: next, for: secret)
    }

    func remove(for secret: ItemName) async throws(DeviceRefusal) { try await now.anchor.remove(for: secret) }
}
