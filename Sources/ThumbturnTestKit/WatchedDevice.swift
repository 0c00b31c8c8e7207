package import ThumbturnCrypto
package import ThumbturnDevice
package import ThumbturnRules

/// A simulated device behind a watcher, which is awaited before each call and may let anything happen meanwhile.
///
/// A script of the simulated device itself can't wait for an actor; this can, without holding a thread.
package struct WatchedDevice: Sendable {
    private let simulated: SimulatedDevice
    private let watcher: @Sendable (SimulatedCall) async -> Void

    package init(_ simulated: SimulatedDevice, watcher: @escaping @Sendable (SimulatedCall) async -> Void) {
        self.simulated = simulated
        self.watcher = watcher
    }

    /// The device as a vault sees it.
    package var device: Device {
        let device = simulated.device
        return Device(
            kind: device.kind,
            store: self,
            prompt: self,
            anchor: self,
            clock: device.clock,
            installation: { () async throws(DeviceRefusal) in
                await watcher(.installation)
                return try await device.installation()
            }
        )
    }
}

extension WatchedDevice: SecureStore {
    package func assurance(of access: AccessControl) -> Assurance { simulated.assurance(of: access) }

    package func save(
        _ secret: borrowing SecretBytes,
        as name: ItemName,
        access: AccessControl
    ) async throws(DeviceRefusal) {
        let secret = secret.copy()
        await watcher(.save(name))
        try await simulated.save(secret, as: name, access: access)
    }

    package func read(_ name: ItemName, prompt: PromptText) async throws(DeviceRefusal) -> SecretBytes {
        await watcher(.read(name))
        return try await simulated.read(name, prompt: prompt)
    }

    package func describe(_ name: ItemName) async throws(DeviceRefusal) -> ItemDescription? {
        await watcher(.describe(name))
        return try await simulated.describe(name)
    }

    package func delete(_ name: ItemName) async throws(DeviceRefusal) {
        await watcher(.delete(name))
        try await simulated.delete(name)
    }

    package func makeDeviceSecret(_ name: ItemName) async throws(DeviceRefusal) {
        await watcher(.makeDeviceSecret(name))
        try await simulated.makeDeviceSecret(name)
    }

    package func evaluate(_ name: ItemName, input: [UInt8]) async throws(DeviceRefusal) -> SecretBytes {
        await watcher(.evaluate(name))
        return try await simulated.evaluate(name, input: input)
    }
}

extension WatchedDevice: OwnerPrompt {
    package func capability() async -> BiometricCapability {
        await watcher(.capability)
        return await simulated.capability()
    }

    package func prompt(_ text: PromptText, acceptingPasscode: Bool) async throws(DeviceRefusal) {
        await watcher(.prompt)
        try await simulated.prompt(text, acceptingPasscode: acceptingPasscode)
    }
}

extension WatchedDevice: Anchor {
    package func value(for secret: ItemName) async throws(DeviceRefusal) -> UInt64? {
        await watcher(.anchorValue(secret))
        return try await simulated.value(for: secret)
    }

    package func raise(to value: UInt64, for secret: ItemName) async throws(DeviceRefusal) -> UInt64? {
        await watcher(.anchorRaise(secret))
        return try await simulated.raise(to: value, for: secret)
    }

    package func remove(for secret: ItemName) async throws(DeviceRefusal) {
        await watcher(.anchorRemove(secret))
        try await simulated.remove(for: secret)
    }
}
