#if canImport(SwiftUI)
import Foundation
import SwiftUI
import ThumbturnCrypto
import ThumbturnRules

/// Shows a recovery key until its owner has written it down.
struct RecoveryKeyNote: View {
    @ObservedObject var model: SystemSettingsObject

    var body: some View {
        VStack(spacing: 16) {
            Text(Words.recoveryKey).font(.headline).accessibilityAddTraits(.isHeader)
            Text(Words.writeItDown)
            Text(verbatim: shown).font(.headline).hiddenWhileCaptured().privacyCover()
            WideButton(.writtenDown) { model.recoveryKeyIsWritten() }
        }
        .multilineTextAlignment(.center)
        .frame(maxWidth: 360)
    }

    /// A screen can only show a `String`, whose copies are never wiped.
    private var shown: String {
        model.withRecoveryKey { bytes in unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } }
            ?? ""
    }
}

/// Asks for a recovery key as it was written down; cleared when it is submitted, hidden or left.
struct RecoveryKeyField: View {
    let isEnabled: Bool
    let submit: @MainActor (borrowing SecretBytes) async -> Void
    @State private var text = ""
    @Environment(\.scenePhase) private var phase

    var body: some View {
        VStack(spacing: 16) {
            Text(Words.typeItBack).font(.headline)
            TextField(text: $text) { Text(Words.recoveryKey) }
                .textFieldStyle(.roundedBorder)
                .disableAutocorrection(true)
                .onSubmit(finish)
                .frame(minHeight: 44)
                .privacySensitive()
                // The system's own value would be what was typed.
                .accessibilityValue(Text(text.isEmpty ? Words.empty : Words.filledIn))
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
