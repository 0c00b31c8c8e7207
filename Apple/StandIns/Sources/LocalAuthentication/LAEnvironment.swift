public import Foundation
import StandIn

/// The state of the device's means of authentication, since iOS 18.
///
/// Apple's observer method is optional; here it has an empty default. The class is not `Sendable` there, so it is not here.
public final class LAEnvironment: NSObject {
    // `observers` and `told` are only touched while `lock` is held.
    private let lock = NSLock()
    private var observers: [WeakObserver] = []
    private var told: LAEnvironmentState

    private struct WeakObserver {
        weak var observer: (any LAEnvironmentObserver)?
    }

    /// The environment of the user who runs the app.
    public static var currentUser: LAEnvironment { unsafe shared }
    private nonisolated(unsafe) static let shared = LAEnvironment()

    private override init() {
        told = LAEnvironmentState(Phone.current.biometryState)
        super.init()
        _ = NotificationCenter.default.addObserver(forName: Phone.biometryChanged, object: nil, queue: nil) { _ in
            LAEnvironment.currentUser.tell()
        }
    }

    /// The state now.
    public var state: LAEnvironmentState { LAEnvironmentState(Phone.current.biometryState) }

    /// Tells `observer` of changes; it is not kept alive [doc].
    public func addObserver(_ observer: any LAEnvironmentObserver) {
        lock.withLock {
            observers.append(WeakObserver(observer: observer))
            told = state
        }
    }

    /// Tells `observer` no more.
    public func removeObserver(_ observer: any LAEnvironmentObserver) {
        lock.withLock { observers.removeAll { $0.observer === observer || $0.observer == nil } }
    }

    private func tell() {
        let (old, all) = lock.withLock { () -> (LAEnvironmentState, [any LAEnvironmentObserver]) in
            let old = told
            told = state
            return (old, observers.compactMap(\.observer))
        }
        for observer in all { observer.environment(self, stateDidChangeFromOldState: old) }
    }
}

/// Hears of changes of the environment.
public protocol LAEnvironmentObserver: NSObjectProtocol {
    /// The state is no longer `oldState`.
    func environment(_ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironmentState)
}

extension LAEnvironmentObserver {
    /// Hears nothing.
    public func environment(_ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironmentState) {}
}

/// What the environment was at one time.
public final class LAEnvironmentState: NSObject, Sendable {
    /// Fingers or faces; nil without a sensor.
    public let biometry: LAEnvironmentMechanismBiometry?
    /// The passcode, or a Mac user's password.
    public let userPassword: LAEnvironmentMechanismUserPassword?

    init(_ state: BiometryState) {
        biometry = state.sensor == 0 ? nil : LAEnvironmentMechanismBiometry(state)
        userPassword = LAEnvironmentMechanismUserPassword(isSet: state.passcodeSet)
    }
}

/// The sensor at one time.
public final class LAEnvironmentMechanismBiometry: NSObject, Sendable {
    public let biometryType: LABiometryType
    public let isEnrolled: Bool
    public let isLockedOut: Bool
    public let isUsable: Bool
    public let stateHash: Data?

    init(_ state: BiometryState) {
        biometryType = LABiometryType(state.sensor)
        isEnrolled = state.enrolled
        isLockedOut = state.lockedOut
        isUsable = state.usable
        stateHash = state.hash
    }
}

/// The passcode at one time.
public final class LAEnvironmentMechanismUserPassword: NSObject, Sendable {
    public let isSet: Bool

    init(isSet: Bool) { self.isSet = isSet }
}
