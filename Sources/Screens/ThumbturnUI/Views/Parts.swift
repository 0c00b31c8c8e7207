#if canImport(SwiftUI)
import Foundation
package import SwiftUI
package import ThumbturnRules

// Small parts shared by several screens.

/// An error and its hint.
package struct Notice: View {
    private let error: UserError

    package init(error: UserError) { self.error = error }

    package var body: some View {
        VStack(spacing: 4) {
            Text(error)
            Text(hintFor: error).font(.footnote).foregroundColor(.secondary)
        }
        .multilineTextAlignment(.center)
        .accessibilityElement(children: .combine)
    }
}

/// A button at least as large as a fingertip.
package struct WideButton: View {
    private let words: Words
    private let role: ButtonRole?
    private let action: @MainActor () -> Void

    package init(_ words: Words, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void) {
        self.words = words
        self.role = role
        self.action = action
    }

    package var body: some View {
        Button(role: role, action: action) { Text(words).frame(minWidth: 44, minHeight: 44) }
    }
}

/// Erases everything once its phrase was typed (A61).
struct ResetForm: View {
    let isEnabled: Bool
    let reset: @MainActor (String) -> Void
    @State private var typed = ""

    var body: some View {
        VStack(spacing: 16) {
            Text(Words.resetWarning)
            Text(Words.typeToConfirm, ResetConfirmation.phrase)
            TextField(text: $typed) { Text(Words.resetWallet) }
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
