import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

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

extension LatestDevice: ForwardingStore {
    var store: any SecureStore { now.store }
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
