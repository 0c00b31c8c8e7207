public import ThumbturnCrypto
public import ThumbturnRules

/// One device as the vault sees it: a secure store, a prompt, an anchor, and clocks.
///
/// The parts are values, so that a test can replace one with a faulty one.
public struct Device: Sendable {
    /// The kind of device; a vault opens only on the kind it was made on.
    package let kind: DeviceKind
    /// Stores and guards secrets.
    package let store: any SecureStore
    /// The sensor, and the system's prompt.
    package let prompt: any OwnerPrompt
    /// Counters that outlive the vault's file.
    package let anchor: any Anchor
    /// Reads the clocks.
    public let clock: @Sendable () -> ClockReading
    /// Returns the name of this installation of the app, which changes with each (F-107-09).
    ///
    /// It is stored with the app, not in the secure store.
    package let installation: @Sendable () async throws(DeviceRefusal) -> Identifier
    /// Streams the events of the app and the device from now on, to each caller; ends at once if there is no source.
    package let events: @Sendable () -> AsyncStream<DeviceEvent>
    /// Told of a vault's turns; nil if nothing is kept open between calls.
    package let turns: DeviceTurns?

    /// Creates a device from its parts.
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

/// Tells a device about turns, whose calls share what is expensive to open, such as a session with a chip.
package struct DeviceTurns: Sendable {
    /// Begins a turn; several may run at once.
    package let begin: @Sendable () -> Void
    /// Ends a turn; what was kept for it is released before this returns.
    package let end: @Sendable () async -> Void

    /// Creates the two callbacks.
    package init(begin: @escaping @Sendable () -> Void, end: @escaping @Sendable () async -> Void) {
        (self.begin, self.end) = (begin, end)
    }
}

extension Device {
    /// Checks the sensor now: its type, and why it can't be used, if so (B-01).
    public func capability() async -> BiometricCapability { await prompt.capability() }

    /// Returns what speaks against a new PIN or password here; nil when a vault on this device accepts it.
    ///
    /// - Parameter secret: UTF-8; a PIN if it has only digits.
    public func weakness(of secret: borrowing SecretBytes) -> ErrorCode? {
        let assurance = store.assurance(of: .deviceOnly)
        return secret.withBytes { LocalSecretRules.weakness(of: $0, under: assurance) }
    }
}
