#if canImport(SwiftUI)
import Foundation
import SwiftUI
import ThumbturnRules

// Small parts that several screens share.

/// What happened, and what gets the user on.
struct Notice: View {
    let error: UserError

    var body: some View {
        VStack(spacing: 4) {
            Text(error)
            Text(hintFor: error).font(.footnote).foregroundColor(.secondary)
        }
        .multilineTextAlignment(.center)
        .accessibilityElement(children: .combine)
    }
}

/// A button as large as a finger.
struct WideButton: View {
    private let word: Word
    private let role: ButtonRole?
    private let action: @MainActor () -> Void

    init(_ word: Word, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void) {
        self.word = word
        self.role = role
        self.action = action
    }

    var body: some View {
        Button(role: role, action: action) { Text(word).frame(minWidth: 44, minHeight: 44) }
    }
}

/// Erases everything once its word was typed (A61).
struct ResetForm: View {
    let isEnabled: Bool
    let reset: @MainActor (String) -> Void
    @State private var typed = ""

    var body: some View {
        VStack(spacing: 16) {
            Text(Word.resetWarning)
            Text(Word.typeToConfirm, ResetConfirmation.phrase)
            TextField(text: $typed) { Text(Word.resetWallet) }
                .textFieldStyle(.roundedBorder)
                .disableAutocorrection(true)
                .frame(minHeight: 44)
            WideButton(.resetWallet, role: .destructive) { reset(typed) }
                .disabled(typed != ResetConfirmation.phrase)
        }
        .multilineTextAlignment(.center)
        .frame(maxWidth: 360)
        .disabled(!isEnabled)
    }
}
#endif
