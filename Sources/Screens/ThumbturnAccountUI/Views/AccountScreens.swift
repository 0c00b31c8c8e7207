#if canImport(SwiftUI)
import Foundation
public import SwiftUI
public import ThumbturnAccount
import ThumbturnRules
public import ThumbturnUI

/// An app's whole way to an account's vault: register or log in, biometrics, lock screen, and the app's own content.
///
/// The content exists only while the vault is unlocked, as behind `vaultLock`.
public struct AccountScreens<Content: View>: View {
    @ObservedObject private var model: AccountScreensModel
    private let exits: LockExits
    private let content: (AccountVault) -> Content

    /// Shows a model's screens.
    ///
    /// - Parameters:
    ///   - model: one for each window, kept by the app.
    ///   - exits: the ways out of the lock screen; without one to a new wallet, these screens begin again.
    ///   - content: what only the owner sees.
    public init(
        _ model: AccountScreensModel,
        exits: LockExits = LockExits(),
        @ViewBuilder content: @escaping (AccountVault) -> Content
    ) {
        (self.model, self.content) = (model, content)
        var exits = exits
        if exits.newWallet == nil { exits.newWallet = { Task { await model.startAgain() } } }
        self.exits = exits
    }

    /// The present screen.
    public var body: some View {
        VStack(spacing: 0) { screen }
            .onAppear { Task { await model.start() } }
    }

    @ViewBuilder private var screen: some View {
        switch model.screen {
        case .opening:
            ProgressView()
        case .entry:
            if let entry = model.entry { AccountEntryScreen(entry) } else { ProgressView() }
        case .move:
            if let move = model.move { AccountMoveScreen(move) { model.stay() } } else { ProgressView() }
        case .vault:
            vault
        case .failed:
            if let error = model.error { Notice(error: error) }
            WideButton(.askAgain) { Task { await model.start() } }
        }
    }

    @ViewBuilder private var vault: some View {
        if model.isRemoved { Text(Words.removedHere).font(.footnote).multilineTextAlignment(.center) }
        if model.isElsewhere { WideButton(.serviceElsewhereQuestion) { model.askAboutMove() } }
        if let account = model.account, let lock = model.lock {
            content(account).vaultLock(lock, exits: exits)
        } else if let lock = model.lock {
            // In a preview, which has no vault whose content could be shown.
            LockScreen(lock, exits: exits)
        } else {
            ProgressView()
        }
    }
}
#endif
