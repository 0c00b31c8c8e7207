package import ThumbturnCrypto
package import ThumbturnDevice
package import ThumbturnRules
package import ThumbturnSimulator

/// A simulated device with a watcher that is awaited around each call and may do anything meanwhile.
///
/// A script of the simulated device itself can't await an actor; this can, without blocking a thread.
package struct WatchedDevice: Sendable {
    private let simulated: SimulatedDevice
    private let watcher: @Sendable (SimulatedCall) async -> Void
    private let follower: @Sendable (SimulatedCall) async -> Void
    private let worth: @Sendable () -> Assurance

    /// - Parameters:
    ///   - worth: returns the assurance that it claims, which may change.
    ///   - follower: awaited after each call, including failed ones.
    ///   - watcher: awaited before each call.
    package init(
        _ simulated: SimulatedDevice,
        worth: @escaping @Sendable () -> Assurance = { .simulated },
        follower: @escaping @Sendable (SimulatedCall) async -> Void = { _ in },
        watcher: @escaping @Sendable (SimulatedCall) async -> Void
    ) {
        self.simulated = simulated
        self.worth = worth
        self.watcher = watcher
        self.follower = follower
    }

    /// The device for a vault.
    package var device: Device {
        let device = simulated.device
        return Device(
            kind: device.kind,
            store: self,
            prompt: self,
            anchor: self,
            clock: device.clock,
            installation: { () async throws(DeviceRefusal) in
                try await watch(.installation) { () async throws(DeviceRefusal) in try await device.installation() }
            }
        )
    }

    private func watch<Result: ~Copyable>(
        _ call: SimulatedCall,
        _ body: () async throws(DeviceRefusal) -> Result
    ) async throws(DeviceRefusal) -> Result {
        await watcher(call)
        do {
            let result = try await body()
            await follower(call)
            return result
        } catch {
            await follower(call)
            throw error
        }
    }
}

extension WatchedDevice: ForwardingStore {
    package var store: any SecureStore { simulated }

    package func assurance(of access: AccessControl) -> Assurance { worth() }

    package func save(
        _ secret: borrowing SecretBytes,
        as name: ItemName,
        access: AccessControl,
        lease: ItemLease?
    ) async throws(DeviceRefusal) {
        let secret = secret.copy()
        await watcher(.save(name))
        do {
            try await simulated.save(secret, as: name, access: access, lease: lease)
            await follower(.save(name))
        } catch {
            await follower(.save(name))
            throw error
        }
    }

    package func read(_ name: ItemName, prompt: PromptText) async throws(DeviceRefusal) -> SecretBytes {
        try await watch(.read(name)) { () async throws(DeviceRefusal) in
            try await simulated.read(name, prompt: prompt)
        }
    }

    package func describe(_ name: ItemName) async throws(DeviceRefusal) -> ItemDescription? {
        try await watch(.describe(name)) { () async throws(DeviceRefusal) in try await simulated.describe(name) }
    }

    package func delete(_ name: ItemName) async throws(DeviceRefusal) {
        try await watch(.delete(name)) { () async throws(DeviceRefusal) in try await simulated.delete(name) }
    }

    package func makeDeviceSecret(_ name: ItemName) async throws(DeviceRefusal) {
        try await watch(.makeDeviceSecret(name)) { () async throws(DeviceRefusal) in
            try await simulated.makeDeviceSecret(name)
        }
    }

    package func evaluate(_ name: ItemName, input: [UInt8]) async throws(DeviceRefusal) -> SecretBytes {
        try await watch(.evaluate(name)) { () async throws(DeviceRefusal) in
            try await simulated.evaluate(name, input: input)
        }
    }

    package func evaluate(
        _ name: ItemName,
        for slot: Identifier,
        with authorisation: borrowing SecretBytes,
        input: [UInt8]
    ) async throws(DeviceRefusal) -> SecretBytes {
        // The simulated device does not count attempts with an authorisation.
        try await evaluate(name, input: input)
    }

    package func makeDeviceKey(_ name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        try await watch(.makeDeviceKey(name)) { () async throws(DeviceRefusal) in
            try await simulated.makeDeviceKey(name)
        }
    }

    package func devicePublicKey(_ name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        try await watch(.devicePublicKey(name)) { () async throws(DeviceRefusal) in
            try await simulated.devicePublicKey(name)
        }
    }

    package func sign(_ message: [UInt8], with name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        try await watch(.sign(name)) { () async throws(DeviceRefusal) in
            try await simulated.sign(message, with: name)
        }
    }
}

extension WatchedDevice: OwnerPrompt {
    package func capability() async -> BiometricCapability {
        await watcher(.capability)
        let capability = await simulated.capability()
        await follower(.capability)
        return capability
    }

    package func prompt(_ text: PromptText, acceptingPasscode: Bool) async throws(DeviceRefusal) {
        try await watch(.prompt) { () async throws(DeviceRefusal) in
            try await simulated.prompt(text, acceptingPasscode: acceptingPasscode)
        }
    }
}

extension WatchedDevice: Anchor {
    package func position(for secret: ItemName) async throws(DeviceRefusal) -> LedgerPosition? {
        try await watch(.anchorPosition(secret)) { () async throws(DeviceRefusal) in
            try await simulated.position(for: secret)
        }
    }

    package func move(
        from former: LedgerPosition?,
        to next: LedgerPosition,
        for secret: ItemName
    ) async throws(DeviceRefusal) -> Bool {
        try await watch(.anchorMove(secret)) { () async throws(DeviceRefusal) in
            try await simulated.move(from: former, to: next, for: secret)
        }
    }

    package func remove(for secret: ItemName) async throws(DeviceRefusal) {
        try await watch(.anchorRemove(secret)) { () async throws(DeviceRefusal) in
            try await simulated.remove(for: secret)
        }
    }
}
