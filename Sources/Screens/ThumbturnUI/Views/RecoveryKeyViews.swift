#if canImport(SwiftUI)
import Foundation
import SwiftUI
import ThumbturnCrypto
import ThumbturnRules

/// Shows a recovery key until its owner has written it down.
struct RecoveryKeyNote: View {
    /// The key; nil while it may not be on the screen.
    let text: String?
    let isWritten: @MainActor () -> Void

    var body: some View {
        VStack(spacing: 16) {
            Text(Words.recoveryKey).font(.headline).accessibilityAddTraits(.isHeader)
            Text(Words.writeItDown)
            if let text {
                Text(verbatim: text).font(.headline).hiddenWhileCaptured().privacyCover()
            } else {
                Text(Words.screenCaptured)
            }
            WideButton(.writtenDown, action: isWritten).disabled(text == nil)
        }
        .multilineTextAlignment(.center)
        .frame(maxWidth: 360)
    }
}

extension RawSpan {
    /// The bytes as text: a screen can only show a `String`, whose copies are never wiped.
    var shownText: String { unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } }
}

/// Asks for a recovery key as it was written down.
struct RecoveryKeyField: View {
    let isEnabled: Bool
    let submit: @MainActor (borrowing SecretBytes) async -> Void

    var body: some View {
        WrittenField(question: Text(Words.typeItBack), label: .recoveryKey, isEnabled: isEnabled, submit: submit)
    }
}

/// Asks for what its owner has on paper; cleared when it is submitted, hidden or left.
///
/// The text is seen while it is typed, since nobody types it blindly, but VoiceOver only says whether there is any
/// (P-107-04).
struct WrittenField: View {
    let question: Text
    let label: Words
    let isEnabled: Bool
    let submit: @MainActor (borrowing SecretBytes) async -> Void
    @State private var text = ""
    @Environment(\.scenePhase) private var phase

    var body: some View {
        VStack(spacing: 16) {
            question.font(.headline)
            TextField(text: $text) { Text(label) }
                .textFieldStyle(.roundedBorder)
                .disableAutocorrection(true)
                .onSubmit(finish)
                .frame(minHeight: 44)
                .accessibilityValue(Text(text.isEmpty ? Words.empty : .filledIn))
                .hiddenWhileCaptured()
            WideButton(.send, action: finish).disabled(text.isEmpty)
        }
        .frame(maxWidth: 360)
        .disabled(!isEnabled)
        .onChange(of: phase) { phase in if phase != .active { text = "" } }
        .onDisappear { text = "" }
    }

    private func finish() {
        guard !text.isEmpty else { return }
        let typed = SecretBytes(typed: text)
        text = ""
        Task { await submit(typed) }
    }
}
#endif
