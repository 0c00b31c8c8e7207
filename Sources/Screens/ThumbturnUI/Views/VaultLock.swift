#if canImport(SwiftUI)
import Foundation
public import SwiftUI
package import ThumbturnRules

extension View {
    /// Shows this view only while the model's vault is unlocked, and a lock screen otherwise.
    ///
    /// It covers the window as soon as it is not in front, before the system takes its picture; locks according to the
    /// vault's policy; prompts once on return; and uses the language of its environment. While the vault is locked the
    /// view does not exist, so nothing of it is left in memory or for VoiceOver. Sheets are above the lock screen: show
    /// their content only while the model's `screen` is `.content`. On iOS the cover is above them (`windowCover()`); on a
    /// Mac give them `privacyCover()`.
    ///
    /// - Parameters:
    ///   - model: an `AppUnlockModel`, or before iOS 17 an `AppUnlockObject`; for one window.
    ///   - exits: the ways out of the lock screen that only the app can provide.
    public func vaultLock(_ model: AppUnlockObject, exits: LockExits = LockExits()) -> some View {
        modifier(VaultLock(model: model, exits: exits))
    }
}

private struct VaultLock: ViewModifier {
    @ObservedObject var model: AppUnlockObject
    let exits: LockExits
    @Environment(\.scenePhase) private var phase
    @Environment(\.locale) private var locale

    func body(content: Content) -> some View {
        ZStack {
            if model.screen == .content {
                content.accessibilityHidden(isCovered)
            } else {
                LockScreen(model, exits: exits).accessibilityHidden(isCovered)
            }
            if isCovered { PrivacyCover() }
        }
        .windowCover()
        .onAppear {
            model.language = Language(locale: locale.identifier)
            model.appBecame(AppPhase(phase))
        }
        .onChange(of: phase) { model.appBecame(AppPhase($0)) }
        .onChange(of: locale) { model.language = Language(locale: $0.identifier) }
    }

    /// The phase comes first, because this view is drawn before the model is told.
    private var isCovered: Bool { phase != .active || model.isCovered }
}

extension AppPhase {
    package init(_ phase: ScenePhase) {
        // Treat an unknown phase as the one that locks.
        self = phase == .active ? .active : phase == .inactive ? .inactive : .background
    }
}
#endif
