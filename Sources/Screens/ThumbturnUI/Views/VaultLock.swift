#if canImport(SwiftUI)
import Foundation
public import SwiftUI
import ThumbturnRules

extension View {
    /// Shows this view only while the model's vault is unlocked, and a lock screen otherwise.
    ///
    /// It covers the window as soon as it is not in front, before the system takes its picture; locks as the vault's policy
    /// says; prompts once on the return; and speaks the language of its environment. While the vault is locked the view
    /// does not exist, so nothing of it is left in memory or for VoiceOver. Sheets lie above the cover and the lock screen: give
    /// what they show `privacyCover()`, and show it only while the model's `screen` is `.content`.
    ///
    /// - Parameters:
    ///   - model: an `AppUnlockModel`, or before iOS 17 an `AppUnlockObject`; of one window.
    ///   - exits: the ways out of the lock screen that only the app can take.
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
        .onAppear {
            model.language = Language(locale: locale.identifier)
            model.appBecame(AppPhase(phase))
        }
        .onChange(of: phase) { model.appBecame(AppPhase($0)) }
        .onChange(of: locale) { model.language = Language(locale: $0.identifier) }
    }

    /// The phase comes first: the model hears of it after this view was drawn.
    private var isCovered: Bool { phase != .active || model.isCovered }
}

extension AppPhase {
    fileprivate init(_ phase: ScenePhase) {
        // A phase that no one knows yet is treated as the one that locks.
        self = phase == .active ? .active : phase == .inactive ? .inactive : .background
    }
}
#endif
