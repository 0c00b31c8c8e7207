#if canImport(SwiftUI)
import Foundation
public import SwiftUI

extension View {
    /// Covers every window of the app, with the sheets, alerts and full-screen covers in it, while its scene is not in
    /// front (A37).
    ///
    /// `vaultLock` brings it along. On a Mac it does nothing: there a sheet covers itself with `privacyCover()`. The
    /// keyboard stays above it, as above everything; it goes with the scene.
    public func windowCover() -> some View { modifier(WindowCovered()) }
}

private struct WindowCovered: ViewModifier {
    #if canImport(UIKit)
    @State private var cover: WindowCover?

    func body(content: Content) -> some View {
        content
            .onAppear { cover = WindowCover() }
            .onDisappear { cover = nil }
    }
    #else
    func body(content: Content) -> some View { content }
    #endif
}
#endif

#if canImport(SwiftUI) && canImport(UIKit)
import UIKit

/// A window of our own above each window scene that is not in front, as long as it lives: `windowCover()` without SwiftUI.
@MainActor public final class WindowCover {
    /// Above alerts, so above every sheet.
    static let level = UIWindow.Level(rawValue: UIWindow.Level.alert.rawValue + 1)

    private var windows: [ObjectIdentifier: UIWindow] = [:]
    private var tokens: [NotificationToken] = []

    /// Covers from the next change of a scene on.
    public init() {
        tokens = [
            token(UIScene.willDeactivateNotification) { $0.cover($1) },
            token(UIScene.didEnterBackgroundNotification) { $0.cover($1) },
            token(UIScene.didActivateNotification) { $0.uncover($1) },
            token(UIScene.didDisconnectNotification) { $0.uncover($1) },
        ]
    }

    private func token(
        _ name: Notification.Name,
        _ handle: @escaping @MainActor @Sendable (WindowCover, UIWindowScene) -> Void
    ) -> NotificationToken {
        NotificationToken(name) { [weak self] subject in
            guard let self, let scene = subject as? UIWindowScene else { return }
            handle(self, scene)
        }
    }

    private func cover(_ scene: UIWindowScene) {
        guard windows[ObjectIdentifier(scene)] == nil else { return }
        let window = UIWindow(windowScene: scene)
        window.windowLevel = Self.level
        window.rootViewController = UIHostingController(rootView: PrivacyCover())
        // Shown, but not made key: what is typed into keeps the keyboard.
        window.isHidden = false
        windows[ObjectIdentifier(scene)] = window
    }

    private func uncover(_ scene: UIWindowScene) {
        windows.removeValue(forKey: ObjectIdentifier(scene))?.isHidden = true
    }
}
#endif
