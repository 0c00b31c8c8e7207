#if canImport(SwiftUI)
import Foundation
public import SwiftUI
public import Thumbturn
import ThumbturnRules

/// All that an app shows around its vault: the first start, the lock screen with its ways out, and the app's own content
/// while the vault is unlocked.
///
/// It looks for the vault when it appears and at each return to the foreground, covers the window in the app switcher,
/// and speaks the language of its environment. While the vault is locked the content does not exist.
public struct VaultScreens<Content: View>: View {
    @ObservedObject private var model: VaultScreensModel
    private let content: (Vault) -> Content
    @Environment(\.scenePhase) private var phase
    @Environment(\.locale) private var locale

    /// Shows a model's screens, for one window.
    ///
    /// - Parameters:
    ///   - model: made once, with the app.
    ///   - content: what only the owner sees.
    public init(_ model: VaultScreensModel, @ViewBuilder content: @escaping (Vault) -> Content) {
        self.model = model
        self.content = content
    }

    /// The model's present screen.
    public var body: some View {
        ZStack { screen }
            .onAppear {
                model.language = Language(locale: locale.identifier)
                start()
            }
            .onChange(of: phase) { phase in if phase == .active { start() } }
            .onChange(of: locale) { model.language = Language(locale: $0.identifier) }
            .onDisappear { model.stop() }
    }

    @ViewBuilder private var screen: some View {
        switch model.screen {
        case .opening:
            ProgressView()
        case .onboarding:
            if let onboarding = model.onboarding { OnboardingScreen(onboarding) }
        case .vault:
            if let vault = model.vault, let lock = model.lock {
                content(vault)
                    .vaultLock(lock, exits: exits)
                    .sheet(isPresented: isRecovering) {
                        if let recovery = model.recovery { RecoverScreen(recovery) }
                    }
            }
        case .failed(let error):
            failure(Words.vaultNotOpened) { Notice(error: error) }
        case .misconfigured(let fault):
            failure(Words.projectIncomplete) { Text(verbatim: fault) }
        }
    }

    private func failure<Reason: View>(_ title: Words, @ViewBuilder reason: () -> Reason) -> some View {
        VStack(spacing: 24) {
            Text(title).font(.headline).accessibilityAddTraits(.isHeader)
            reason()
            WideButton(.askAgain) { start() }
        }
        .multilineTextAlignment(.center)
        .padding()
    }

    private var exits: LockExits {
        LockExits(newWallet: { Task { await model.newWallet() } }, cannotOpen: { model.recover() })
    }

    private var isRecovering: Binding<Bool> {
        Binding(
            get: { model.isRecovering },
            set: { isShown in if !isShown { model.endRecovery() } }
        )
    }

    private func start() { Task { await model.start() } }
}
#endif
