import UIKit

/// What the app object says; in a file of its own, since Testing and UIKit together ask for a module that is not there.
@MainActor
struct AppFace {
    static var isProtectedDataAvailable: Bool { UIApplication.shared.isProtectedDataAvailable }
    static var isActive: Bool { UIApplication.shared.applicationState == .active }
    static var isInBackground: Bool { UIApplication.shared.applicationState == .background }
    static var isInactive: Bool { UIApplication.shared.applicationState == .inactive }
    static let names = [
        UIApplication.willResignActiveNotification, UIApplication.didEnterBackgroundNotification,
        UIApplication.protectedDataWillBecomeUnavailableNotification,
        UIApplication.protectedDataDidBecomeAvailableNotification, UIApplication.willEnterForegroundNotification,
        UIApplication.didBecomeActiveNotification,
    ]
}
