import ThumbturnDevice
public import ThumbturnRules

/// What happens to a simulated device, in the words of `thumbturn simulate EVENT...`.
///
/// An event states a fact and is never refused: a finger may be enrolled on a device without a passcode, and waits there
/// unused. What follows from it shows in what the device refuses.
@nonexhaustive
public enum SimulatedEvent: Hashable, Sendable {
    /// How the next prompt without an outcome will end: `finger match`, `finger cancel`, …
    case finger(SimulatedTouch)
    /// One more finger or face, so that the enrolled set is another one.
    case enroll
    /// Nobody is enrolled any more.
    case unenroll
    /// The passcode is turned off: biometrics need it, and an item that it would open goes with it.
    case passcodeOff
    /// The passcode is turned on.
    case passcodeOn
    /// The owner gives the passcode outside the app, which clears a lockout.
    case passcode
    /// The system has seen too many wrong fingers.
    case lockout
    /// The device starts again: another boot, and the clock since boot at zero.
    case reboot
    /// Time passes: `advance 31m`.
    case advance(Milliseconds)
    /// Time passes asleep; the clock since boot counts it: `sleep 1h`.
    case sleep(Milliseconds)
    /// The wall clock alone is set: `clock -1y`, `clock +1d`.
    case clock(Milliseconds)
    /// The app is removed and comes back: another installation, and the store's items are still there.
    case reinstall
    /// The app's files come to another device: another boot, other fingers, and nothing that stays on this device.
    case restoreElsewhere
    /// The device is locked: protected data cannot be read.
    case lockDevice
    /// The device is unlocked.
    case unlockDevice
    /// The user refuses this app the sensor.
    case permissionDenied
    /// The user grants this app the sensor.
    case permissionGranted
    /// The device has another sensor, or none: `sensor face`.
    case sensor(SimulatedSensor)
    /// The next matching call goes wrong: `fault save-fails`.
    case fault(SimulatedFault)
}

/// How one prompt ends.
public enum SimulatedTouch: String, Hashable, Sendable, CaseIterable {
    /// An enrolled finger or face; it opens nothing while biometrics cannot be used.
    case match
    /// A stranger's; the fifth in a row locks the sensor out.
    case mismatch
    /// The owner dismisses the prompt.
    case cancel
    /// A finger fails, and then the prompt is dismissed (C7).
    case mismatchThenCancel = "mismatch-cancel"
    /// The owner asks for the PIN or password.
    case fallback
    /// The owner types the device's passcode, where the prompt takes it; elsewhere that is a fallback (A31).
    case passcode
    /// Nobody touches the sensor, and the prompt stays until its task is cancelled.
    case wait
}

/// What the simulated sensor reads.
public enum SimulatedSensor: String, Hashable, Sendable, CaseIterable {
    /// There is no sensor.
    case none
    /// A fingerprint reader.
    case touch
    /// A face camera.
    case face
}

/// What may go wrong, once, at the next matching call.
@nonexhaustive
public enum SimulatedFault: String, Hashable, Sendable, CaseIterable {
    /// `save`, `makeDeviceSecret` or `makeDeviceKey` answers `unavailable` and stores nothing.
    case saveFails = "save-fails"
    /// `save`, `makeDeviceSecret` or `makeDeviceKey` stores, and answers `unavailable`.
    case saveFailsAfterStoring = "save-fails-after-storing"
    /// `read` answers `unavailable` before any prompt.
    case readFails = "read-fails"
    /// `evaluate` answers `unavailable`.
    case evaluateFails = "evaluate-fails"
    /// `sign` or `devicePublicKey` answers `unavailable`.
    case signFails = "sign-fails"
    /// `delete` answers `unavailable` and deletes nothing.
    case deleteFails = "delete-fails"
    /// `describe` answers `unavailable`.
    case describeFails = "describe-fails"
    /// The anchor's `position` answers `unavailable`.
    case anchorReadFails = "anchor-read-fails"
    /// The anchor's `move` answers `unavailable` and moves nothing.
    case anchorMoveFails = "anchor-raise-fails"
    /// The anchor's `move` moves, and answers `unavailable`.
    case anchorMoveFailsAfterEffect = "anchor-raise-fails-after-effect"
    /// The anchor's `remove` answers `unavailable` and removes nothing.
    case anchorRemoveFails = "anchor-remove-fails"
    /// The name of the installation cannot be read.
    case installationFails = "installation-fails"
    /// Protected data is out of reach, and the platform says "not found": the answer must be `unavailable` (A25).
    case prewarm
    /// The next guarded item is stored under `deviceOnly` (A32).
    case droppedAccess = "dropped-access"
    /// The next item may leave the device (A32).
    case droppedDeviceOnly = "dropped-device-only"
    /// The next prompt "succeeds" without a finger, and hands back 32 bytes that are not the secret (A29, A30).
    case emptySuccess = "empty-success"
    /// The next prompt ends with a code that no table knows.
    case unclassified
    /// The sensor is busy at the next prompt or look at its capability.
    case sensorBusy = "sensor-busy"
    /// Another program has the reader at the next prompt, which no look at its capability tells.
    case readerBusy = "reader-busy"
    /// The reader fails while the next prompt is up; behind a stranger's finger where that is the next touch (C7).
    case readerBroken = "reader-broken"
    /// The reader's service does not answer at the next prompt, and is given up after 2 s.
    case readerSilent = "reader-silent"
}
