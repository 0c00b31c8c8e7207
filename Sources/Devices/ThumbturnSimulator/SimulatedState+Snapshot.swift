import ThumbturnRules

extension SimulatedState {
    /// Returns what can be seen of the device.
    ///
    /// - Parameters:
    ///   - prompt: the prompt that is up, which is not part of the state.
    ///   - host: the clocks of the machine; with the same ones, two snapshots differ only if the device does.
    func snapshot(_ prompt: SimulatedPrompt?, at host: HostClocks) -> SimulatedSnapshot {
        SimulatedSnapshot(
            prompt: prompt?.shown,
            touches: touches,
            faults: faults,
            sensor: sensor,
            isPermissionGranted: isPermissionGranted,
            isLockedOut: isLockedOut,
            hasPasscode: hasPasscode,
            isDeviceLocked: isDeviceLocked,
            isAppInBackground: isAppInBackground,
            clock: clock.reading(at: host),
            fingers: fingers,
            installation: installation
        )
    }
}
