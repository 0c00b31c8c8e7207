#if canImport(SwiftUI)
import Foundation
public import SwiftUI
import ThumbturnRules

/// Hides an app's contents while it is not in front, so that the app switcher's picture shows nothing (A37, P-107-04).
public struct PrivacyCover: View {
    /// Creates a cover.
    public init() {}

    /// A lock symbol on the system's background.
    public var body: some View {
        ZStack {
            Rectangle().fill(.background)
            Image(systemName: "lock.fill").font(.largeTitle)
        }
        .ignoresSafeArea()
        .accessibilityElement(children: .ignore)
        .accessibilityLabel(Text(Words.hidden))
    }
}

extension View {
    /// Covers this view whenever its window is not in front; for sheets, which are above what `vaultLock` draws.
    ///
    /// It does not know the lock: a sheet must also show secrets only while the model's `screen` is `.content`.
    public func privacyCover() -> some View { modifier(Covered()) }
}

private struct Covered: ViewModifier {
    @Environment(\.scenePhase) private var phase

    func body(content: Content) -> some View {
        ZStack {
            content.accessibilityHidden(phase != .active)
            if phase != .active { PrivacyCover() }
        }
    }
}
#endif
