/// An event of the app or the device while a vault is open, in the order in which the system reports it.
package enum DeviceEvent: Hashable, Sendable, CaseIterable {
    /// The app is about to lose the screen: the app switcher, a call, or the system's own prompt.
    ///
    /// Not a reason to lock (A37).
    case becameInactive
    /// The app is not visible any more.
    case enteredBackground
    /// The app has the screen again.
    case becameActive
    /// The device is being locked, put to sleep or handed to another user, and its secure store may become unreachable.
    case protectedDataLeaving
    /// The process is about to be stopped with its memory as it is, and can't act while stopped: the last moment to
    /// lock.
    case suspending
    /// The sensor or the enrolled set may have changed; if the system does not report it, `becameActive` has to do
    /// (B-01).
    case biometryChanged
}
