#if canImport(UIKit) || canImport(AppKit)
import Foundation
public import ThumbturnRules

#if canImport(UIKit)
public import UIKit
#else
import AppKit
#endif

/// Tells where an app or an extension stands, where SwiftUI's `scenePhase` does not: UIKit, AppKit, extensions.
///
/// Each phase arrives while the system still waits, so that what covers is drawn into the app switcher's picture (A37).
///
/// ```swift
/// let events = HostEvents(of: .appExtension) { lock.appBecame($0) }
/// ```
///
/// A SwiftUI app needs none: `vaultLock` follows its `scenePhase`. Two sources for one model would contradict each other.
@MainActor public final class HostEvents {
    /// Whose phases are told.
    public struct Host: Sendable {
        let phases: [(name: Notification.Name, phase: AppPhase)]
        var subject: Subject?

        /// The whole app: UIKit's `UIApplication`, on a Mac `NSApplication`, where hidden is in the background.
        public static var application: Host { Host(phases: ofApplication) }
    }

    private var tokens: [NotificationToken] = []
    private let tell: @MainActor (AppPhase) -> Void

    /// Tells the phases of `host` from now on, until `stop()` or the end of this object.
    ///
    /// It tells no present phase, which no notification says: report it yourself when the view appears.
    ///
    /// - Parameters:
    ///   - host: whose phases are told.
    ///   - tell: receives each phase on the main actor, such as `AppUnlockObject.appBecame(_:)`. It is kept.
    public init(of host: Host, tell: @escaping @MainActor (AppPhase) -> Void) {
        self.tell = tell
        tokens = host.phases.map { name, phase in
            NotificationToken(name, of: host.subject) { [weak self] _ in self?.tell(phase) }
        }
    }

    /// Stops, and tells `.background`: call it where the view goes that the vault was shown in.
    ///
    /// An extension's view may go long before its process, which nobody tells of.
    public func stop() {
        guard !tokens.isEmpty else { return }
        tokens = []
        tell(.background)
    }
}
#endif

#if canImport(UIKit)
extension HostEvents.Host {
    /// An extension, by the app that shows it: `NSExtensionHost…`.
    public static var appExtension: Self { Self(phases: ofExtension) }

    /// One window of an app with several.
    @MainActor public static func scene(_ scene: UIScene) -> Self { Self(phases: ofScene, subject: scene) }

    fileprivate static var ofApplication: [(name: Notification.Name, phase: AppPhase)] {
        [
            (UIApplication.willResignActiveNotification, .inactive),
            (UIApplication.didEnterBackgroundNotification, .background),
            (UIApplication.willEnterForegroundNotification, .inactive),
            (UIApplication.didBecomeActiveNotification, .active),
        ]
    }

    private static var ofScene: [(name: Notification.Name, phase: AppPhase)] {
        [
            (UIScene.willDeactivateNotification, .inactive),
            (UIScene.didEnterBackgroundNotification, .background),
            (UIScene.willEnterForegroundNotification, .inactive),
            (UIScene.didActivateNotification, .active),
        ]
    }

    private static var ofExtension: [(name: Notification.Name, phase: AppPhase)] {
        [
            (.NSExtensionHostWillResignActive, .inactive),
            (.NSExtensionHostDidEnterBackground, .background),
            (.NSExtensionHostWillEnterForeground, .inactive),
            (.NSExtensionHostDidBecomeActive, .active),
        ]
    }
}

extension AppPhase {
    /// The phase of the whole app now, which no notification says.
    @MainActor public static var ofApplication: AppPhase {
        switch UIApplication.shared.applicationState {
        case .active: .active
        case .inactive: .inactive
        default: .background  // also one that is not known: the one that locks
        }
    }
}
#elseif canImport(AppKit)
extension HostEvents.Host {
    fileprivate static var ofApplication: [(name: Notification.Name, phase: AppPhase)] {
        [
            (NSApplication.willResignActiveNotification, .inactive),
            (NSApplication.didHideNotification, .background),
            (NSApplication.didBecomeActiveNotification, .active),
        ]
    }
}
#endif
