#if canImport(SwiftUI)
import Foundation
package import SwiftUI
package import ThumbturnRules
package import ThumbturnCrypto

#if canImport(UIKit)
import UIKit
#elseif canImport(AppKit)
import AppKit
#endif

/// Asks for the owner's secret: a pad for a PIN, the system's field for a password.
package struct SecretField: View {
    /// Which of the owner's secrets is requested.
    package enum Title {
        case current, new, repeated
    }

    let kind: SecretKind
    let title: Title
    let pin: PINEntry
    let isEnabled: Bool
    let submit: @MainActor (borrowing SecretBytes) async -> Void

    package init(
        kind: SecretKind,
        title: Title = .current,
        pin: PINEntry,
        isEnabled: Bool,
        submit: @escaping @MainActor (borrowing SecretBytes) async -> Void
    ) {
        self.kind = kind
        self.title = title
        self.pin = pin
        self.isEnabled = isEnabled
        self.submit = submit
    }

    package var body: some View {
        switch kind {
        case .pin(let length):
            Text(Words(title, isPIN: true)).font(.headline)
            PINPad(pin, length: length, isEnabled: isEnabled) {
                // Taken before this returns: a cover shown next would wipe it, and an empty PIN would be tried.
                let typed = pin.take()
                Task { await submit(typed) }
            }
        case .password:
            Text(Words(title, isPIN: false)).font(.headline)
            PasswordField(send: title == .current ? .unlock : .send, isEnabled: isEnabled) { text in
                let typed = SecretBytes(typed: text)
                Task { await submit(typed) }
            }
        }
    }
}

extension Words {
    fileprivate init(_ title: SecretField.Title, isPIN: Bool) {
        switch title {
        case .current: self = isPIN ? .enterPIN : .enterPassword
        case .new: self = isPIN ? .choosePIN : .choosePassword
        case .repeated: self = isPIN ? .repeatPIN : .repeatPassword
        }
    }
}

/// The system's field for passwords, cleared when it is submitted, hidden or left.
///
/// Its text is a `String` of the system, whose copies are never wiped; a PIN leaves none.
///
/// The system offers to save what it takes for a password, and then keeps it in a keychain of its own. A one-time code is
/// nothing to save: the only kind of secret text that it never offers to keep, nor to make up [field].
private struct PasswordField: View {
    let send: Words
    let isEnabled: Bool
    let submit: @MainActor (String) -> Void
    @State private var text = ""
    @Environment(\.scenePhase) private var phase

    var body: some View {
        VStack(spacing: 16) {
            SecureField(text: $text) { Text(Words.password) }
                .textContentType(.oneTimeCode)
                .textFieldStyle(.roundedBorder)
                .onSubmit(finish)
                .frame(minHeight: 44)
            WideButton(send, action: finish).disabled(text.isEmpty)
        }
        .frame(maxWidth: 360)
        .disabled(!isEnabled)
        .onChange(of: phase) { phase in if phase != .active { text = "" } }
        .onDisappear { text = "" }
    }

    private func finish() {
        guard !text.isEmpty else { return }
        submit(text)
        text = ""
    }
}
#endif
