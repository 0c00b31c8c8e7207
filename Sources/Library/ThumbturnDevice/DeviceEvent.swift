/// What happens to the app or the device while a vault is open, in the order in which the system says it.
package enum DeviceEvent: Hashable, Sendable, CaseIterable {
    /// The app is about to lose the screen: the app switcher, a call, or the system's own prompt. No reason to lock (A37).
    case becameInactive
    /// The app can't be seen any more.
    case enteredBackground
    /// The app has the screen again.
    case becameActive
    /// The device is being locked, put to sleep or handed to another user, and its secure store may be about to be out of
    /// reach.
    case protectedDataLeaving
    /// The process is about to be stopped with its memory as it is, and can do nothing there: the last moment to lock.
    case suspending
    /// The sensor, or who is enrolled, may have changed; where nobody tells, `becameActive` has to do (B-01).
    case biometryChanged
}
