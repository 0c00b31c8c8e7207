public import ThumbturnDevice
public import ThumbturnRules

/// What can be seen of a simulated device at one time, for a screen that shows it; no secret is in it.
public struct SimulatedSnapshot: Hashable, Sendable {
    /// A prompt that is up, and waits for a touch.
    public struct Prompt: Hashable, Sendable {
        /// The words on it.
        public let text: PromptText
        /// `.system` if it accepts the device's passcode too, otherwise `.local`.
        public let mode: UnlockMode
    }

    /// The prompt that the next touch answers; nil if none is up.
    public let prompt: Prompt?
    /// The touches of the next prompts.
    public let touches: [SimulatedTouch]
    /// The pending faults.
    public let faults: [SimulatedFault]
    /// The type of the sensor.
    public let sensor: SimulatedSensor
    /// Whether the app may use the sensor.
    public let isPermissionGranted: Bool
    /// Whether the sensor is locked out after too many wrong fingers.
    public let isLockedOut: Bool
    /// Whether there is a passcode.
    public let hasPasscode: Bool
    /// Whether the device is locked.
    public let isDeviceLocked: Bool
    /// Whether the owner has left the app.
    public let isAppInBackground: Bool
    /// The device's clocks.
    public let clock: ClockReading
    /// One name for each enrolled finger or face.
    let fingers: [Identifier]
    /// Which installation of the app it is: a prompt ends with it.
    let installation: Identifier

    /// The number of enrolled fingers or faces.
    public var enrolledCount: Int { fingers.count }
}

extension SimulatedSnapshot {
    /// Whether the app can be seen.
    var isAppVisible: Bool { !isDeviceLocked && !isAppInBackground }

    /// Returns what a system would have told an app since an earlier snapshot, in its order.
    ///
    /// A reboot, which no real app survives, is told as a lock and a return.
    func events(since former: SimulatedSnapshot) -> [DeviceEvent] {
        let isOtherBoot = clock.bootID != former.clock.bootID
        var events: [DeviceEvent] = []
        if former.isAppVisible, !isAppVisible { events += [.becameInactive, .enteredBackground] }
        if (isDeviceLocked && !former.isDeviceLocked) || isOtherBoot { events.append(.protectedDataLeaving) }
        if biometry != former.biometry { events.append(.biometryChanged) }
        if isAppVisible, !former.isAppVisible || isOtherBoot { events.append(.becameActive) }
        return events
    }

    /// All that decides whether biometrics can be used, and by whom.
    private var biometry: Biometry {
        Biometry(
            sensor: sensor,
            isPermissionGranted: isPermissionGranted,
            isLockedOut: isLockedOut,
            hasPasscode: hasPasscode,
            fingers: fingers
        )
    }

    private struct Biometry: Hashable {
        let sensor: SimulatedSensor
        let isPermissionGranted: Bool
        let isLockedOut: Bool
        let hasPasscode: Bool
        let fingers: [Identifier]
    }
}
