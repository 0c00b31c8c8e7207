import ThumbturnDevice
public import ThumbturnRules

/// An event of a simulated device, in the words of `thumbturn simulate EVENT...`.
///
/// An event states a fact and is never refused: a finger may be enrolled on a device without a passcode, and remains
/// unused. The consequences show in what the device refuses.
@nonexhaustive
public enum SimulatedEvent: Hashable, Sendable {
    /// The end of the prompt that waits, otherwise of the next prompt without one: `finger match`, `finger cancel`, …
    case finger(SimulatedTouch)
    /// One more finger or face is enrolled, which changes the enrolled set.
    case enroll
    /// All fingers or faces are removed.
    case unenroll
    /// The passcode is turned off: biometrics need it, and items that it would open are lost with it.
    case passcodeOff
    /// The passcode is turned on.
    case passcodeOn
    /// The owner enters the passcode outside the app, which clears a lockout.
    case passcode
    /// The system has seen too many wrong fingers.
    case lockout
    /// The device restarts: another boot, with the clock since boot at zero.
    case reboot
    /// Time passes: `advance 31m`.
    case advance(Milliseconds)
    /// Time passes asleep; the clock since boot includes it: `sleep 1h`.
    case sleep(Milliseconds)
    /// Only the wall clock is set: `clock -1y`, `clock +1d`.
    case clock(Milliseconds)
    /// The app is removed and reinstalled: another installation, with the store's items still there.
    case reinstall
    /// The app's files are restored on another device: another boot, other fingers, and no item that stays on this
    /// device.
    case restoreElsewhere
    /// The device is locked: protected data cannot be read.
    case lockDevice
    /// The device is unlocked.
    case unlockDevice
    /// The owner leaves the app, and a prompt that is up ends.
    case background
    /// The owner returns to the app.
    case foreground
    /// The user denies this app the sensor.
    case permissionDenied
    /// The user grants this app the sensor.
    case permissionGranted
    /// The device has another sensor, or none: `sensor face`.
    case sensor(SimulatedSensor)
    /// The next matching call fails: `fault save-fails`.
    case fault(SimulatedFault)
}

/// How one prompt ends.
public enum SimulatedTouch: String, Hashable, Sendable, CaseIterable {
    /// An enrolled finger or face; opens nothing while biometrics can't be used.
    case match
    /// An unknown finger or face; the fifth in a row locks the sensor out.
    case mismatch
    /// The owner dismisses the prompt.
    case cancel
    /// A finger fails, and then the prompt is dismissed (C7).
    case mismatchThenCancel = "mismatch-cancel"
    /// The owner asks for the PIN or password.
    case fallback
    /// The owner enters the device's passcode, if the prompt accepts it; otherwise this is a fallback (A31).
    case passcode
    /// The user does not touch the sensor yet, and the prompt waits for the next touch.
    case wait
}

/// The type of the simulated sensor.
public enum SimulatedSensor: String, Hashable, Sendable, CaseIterable {
    /// There is no sensor.
    case none
    /// A fingerprint reader.
    case touch
    /// A face camera.
    case face
}

/// A failure of the next matching call; each happens once.
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
    /// The name of the installation can't be read.
    case installationFails = "installation-fails"
    /// Protected data is unreachable, and the platform reports "not found": the result must be `unavailable` (A25).
    case prewarm
    /// The next guarded item is stored under `deviceOnly` (A32).
    case droppedAccess = "dropped-access"
    /// The next item may leave the device (A32).
    case droppedDeviceOnly = "dropped-device-only"
    /// The next prompt "succeeds" without a finger, and returns 32 bytes that are not the secret (A29, A30).
    case emptySuccess = "empty-success"
    /// The next prompt ends with an unknown code.
    case unclassified
    /// The sensor is busy at the next prompt or capability check.
    case sensorBusy = "sensor-busy"
    /// Another program has the reader at the next prompt, which a capability check does not show.
    case readerBusy = "reader-busy"
    /// The reader fails during the next prompt; after an unknown finger, if that is the next touch (C7).
    case readerBroken = "reader-broken"
    /// The reader's service does not answer at the next prompt, which times out after 2 s.
    case readerSilent = "reader-silent"
}
