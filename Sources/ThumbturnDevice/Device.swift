public import ThumbturnCrypto
public import ThumbturnRules

/// One device as the vault sees it: a store that refuses, a prompt, an anchor, and clocks.
///
/// The parts are values, so that a test can put a faulty one in the place of a good one.
public struct Device: Sendable {
    /// A vault opens with the kind of device it was made on.
    package let kind: DeviceKind
    /// Where secrets lie, and what guards them.
    package let store: any SecureStore
    /// The sensor, and the system's prompt.
    package let prompt: any OwnerPrompt
    /// Counters that outlive the vault's file.
    package let anchor: any Anchor
    /// Reads the clocks now.
    public let clock: @Sendable () -> ClockReading
    /// Names this installation of the app, anew after each (F-107-09).
    ///
    /// It lies beside the app, not in the secure store.
    package let installation: @Sendable () async throws(DeviceRefusal) -> Identifier
    /// What happens to the app and the device from now on, to each who asks; it ends at once where nobody tells.
    package let events: @Sendable () -> AsyncStream<DeviceEvent>

    /// Puts a device together.
    package init(
        kind: DeviceKind,
        store: any SecureStore,
        prompt: any OwnerPrompt,
        anchor: any Anchor,
        clock: @escaping @Sendable () -> ClockReading,
        installation: @escaping @Sendable () async throws(DeviceRefusal) -> Identifier,
        events: @escaping @Sendable () -> AsyncStream<DeviceEvent> = { AsyncStream { $0.finish() } }
    ) {
        self.kind = kind
        self.store = store
        self.prompt = prompt
        self.anchor = anchor
        self.clock = clock
        self.installation = installation
        self.events = events
    }
}

extension Device {
    /// Looks at the sensor now: what it is, and why it can't be used, if so (B-01).
    public func capability() async -> BiometricCapability { await prompt.capability() }

    /// What speaks against a new PIN or password here; nil when a vault on this device takes it.
    ///
    /// - Parameter secret: UTF-8; only digits make it a PIN.
    public func weakness(of secret: borrowing SecretBytes) -> ErrorCode? {
        let assurance = store.assurance(of: .deviceOnly)
        return secret.withBytes { LocalSecretRules.weakness(of: $0, under: assurance) }
    }
}
