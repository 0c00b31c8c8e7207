#if canImport(SwiftUI)
import Foundation
import SwiftUI
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnUI

// Parts shared by an account's screens.

/// A screen of an account: its title, what was refused, and its present question, under a cover.
struct AccountPage<Question: View>: View {
    let title: Words
    let error: UserError?
    let wait: Countdown?
    let isBusy: Bool
    let question: Question

    init(
        _ title: Words,
        error: UserError?,
        wait: Countdown?,
        isBusy: Bool,
        @ViewBuilder question: () -> Question
    ) {
        (self.title, self.error, self.wait, self.isBusy) = (title, error, wait, isBusy)
        self.question = question()
    }

    var body: some View {
        ScrollView {
            VStack(spacing: 24) {
                Text(title).font(.title).accessibilityAddTraits(.isHeader)
                if let error { Notice(error: error) }
                if let wait { Text(Words.tryAgainIn, wait.text).font(.headline) }
                if isBusy {
                    ProgressView()
                    Text(Words.askingService).font(.footnote)
                } else {
                    question
                }
            }
            .multilineTextAlignment(.center)
            .padding()
            .frame(maxWidth: .infinity)
        }
        .privacyCover()
    }
}

/// Asks for the account's password, or for a new one.
struct AccountPasswordField: View {
    let title: SecretField.Title
    let isEnabled: Bool
    let submit: @MainActor (borrowing SecretBytes) async -> Void

    init(
        _ title: SecretField.Title = .current,
        isEnabled: Bool,
        submit: @escaping @MainActor (borrowing SecretBytes) async -> Void
    ) {
        (self.title, self.isEnabled, self.submit) = (title, isEnabled, submit)
    }

    var body: some View {
        // A password's field types into no pad.
        SecretField(kind: .password, title: title, pin: PINEntry(), isEnabled: isEnabled, submit: submit)
    }
}

extension View {
    /// Keeps a model in the language of the screen, and ends its call when the screen goes.
    func serves<Fields>(_ model: AccountScreenModel<Fields>) -> some View { modifier(Served(model: model)) }
}

private struct Served<Fields: Hashable & Sendable>: ViewModifier {
    let model: AccountScreenModel<Fields>
    @Environment(\.locale) private var locale

    func body(content: Content) -> some View {
        content
            .onAppear { model.language = Language(locale: locale.identifier) }
            .onChange(of: locale) { model.language = Language(locale: $0.identifier) }
            .onDisappear { model.cancel() }
    }
}
#endif
