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
    /// Hears of a vault's turns; nil where nothing is kept open from one call to the next.
    package let turns: DeviceTurns?

    /// Puts a device together.
    package init(
        kind: DeviceKind,
        store: any SecureStore,
        prompt: any OwnerPrompt,
        anchor: any Anchor,
        clock: @escaping @Sendable () -> ClockReading,
        installation: @escaping @Sendable () async throws(DeviceRefusal) -> Identifier,
        events: @escaping @Sendable () -> AsyncStream<DeviceEvent> = { AsyncStream { $0.finish() } },
        turns: DeviceTurns? = nil
    ) {
        self.kind = kind
        self.store = store
        self.prompt = prompt
        self.anchor = anchor
        self.clock = clock
        self.installation = installation
        self.events = events
        self.turns = turns
    }
}

/// What a device is told so that the calls of one turn can share what is dear to open, such as a session with a chip.
package struct DeviceTurns: Sendable {
    /// A turn begins; several may go on at once.
    package let begin: @Sendable () -> Void
    /// A turn ends; once this returns, what was kept for it is given back.
    package let end: @Sendable () async -> Void

    /// Describes who hears of turns.
    package init(begin: @escaping @Sendable () -> Void, end: @escaping @Sendable () async -> Void) {
        (self.begin, self.end) = (begin, end)
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
