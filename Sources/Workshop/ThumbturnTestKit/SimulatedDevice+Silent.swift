package import ThumbturnDevice
package import ThumbturnSimulator

extension SimulatedDevice {
    /// The device as a vault sees it, but it tells no events: a test decides when the vault hears of anything.
    package var silent: Device { device.telling { AsyncStream { $0.finish() } } }
}

extension Device {
    /// The same device with other events.
    package func telling(_ events: @escaping @Sendable () -> AsyncStream<DeviceEvent>) -> Device {
        Device(
            kind: kind,
            store: store,
            prompt: prompt,
            anchor: anchor,
            clock: clock,
            installation: installation,
            events: events,
            turns: turns
        )
    }
}
