#if canImport(SwiftUI)
import Foundation
import SwiftUI
import ThumbturnCrypto

/// Asks for what the owner types: a pad for a PIN, the system's field for a password.
struct SecretField: View {
    let kind: SecretKind
    let pin: PINEntry
    let isEnabled: Bool
    let submit: @MainActor (borrowing SecretBytes) async -> Void

    var body: some View {
        switch kind {
        case .pin(let length):
            Text(Word.enterPIN).font(.headline)
            PINPad(pin, length: length, isEnabled: isEnabled) {
                Task {
                    let typed = pin.take()
                    await submit(typed)
                }
            }
        case .password:
            PasswordField(isEnabled: isEnabled) { text in
                Task {
                    let typed = SecretBytes(typed: text)
                    await submit(typed)
                }
            }
        }
    }
}

/// The system's field for passwords, emptied when it is sent, hidden or left.
///
/// What is typed here is a `String` of the system's, whose copies nobody wipes; a PIN leaves none.
private struct PasswordField: View {
    let isEnabled: Bool
    let submit: @MainActor (String) -> Void
    @State private var text = ""
    @Environment(\.scenePhase) private var phase

    var body: some View {
        VStack(spacing: 16) {
            SecureField(text: $text) { Text(Word.password) }
                .textFieldStyle(.roundedBorder)
                .onSubmit(send)
                .frame(minHeight: 44)
            Button(action: send) { Text(Word.unlock).frame(minWidth: 44, minHeight: 44) }
                .disabled(text.isEmpty)
        }
        .frame(maxWidth: 360)
        .disabled(!isEnabled)
        .onChange(of: phase) { phase in if phase != .active { text = "" } }
        .onDisappear { text = "" }
    }

    private func send() {
        guard !text.isEmpty else { return }
        submit(text)
        text = ""
    }
}
#endif
