package import ThumbturnDevice
package import ThumbturnSimulator

/// A device under test, with the functions that simulate events on it.
package struct ContractDevice: Sendable {
    package let device: Device
    /// Simulates an event on the device; returns false if this device can't.
    package let simulate: @Sendable (SimulatedEvent) async throws -> Bool
    /// Returns how many prompts a user would have seen so far.
    package let promptsShown: @Sendable () async -> Int
    /// The access controls its items support; any other is refused as missing hardware.
    package let offers: [AccessControl]
    /// The events that it tells when they are simulated; none if it has no source of events, or only one that can't be
    /// simulated.
    package let tells: [DeviceEvent]
    /// Whether its store outlives the removal of the app, as a keychain does; else the app's items go with it.
    package let outlivesReinstall: Bool

    /// Creates a subject from a device that is new and unlocked, with one enrolled finger or face, and a passcode if it
    /// supports one.
    package init(
        device: Device,
        offers: [AccessControl] = AccessControl.allCases,
        tells: [DeviceEvent] = [],
        outlivesReinstall: Bool = true,
        simulate: @escaping @Sendable (SimulatedEvent) async throws -> Bool,
        promptsShown: @escaping @Sendable () async -> Int
    ) {
        self.device = device
        self.offers = offers
        self.tells = tells
        self.outlivesReinstall = outlivesReinstall
        self.simulate = simulate
        self.promptsShown = promptsShown
    }
}
