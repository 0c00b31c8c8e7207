#if canImport(SwiftUI)
import Foundation
import SwiftUI
import ThumbturnRules

/// Asks the owner whether to accept a restored older copy as the vault; otherwise the session can only export (A7).
struct OlderCopyForm: View {
    @ObservedObject var model: AppUnlockObject
    let step: OlderCopyStep

    var body: some View {
        VStack(spacing: 16) {
            question
            WideButton(.onlyExport, role: .cancel) { model.onlyExport() }
        }
        .multilineTextAlignment(.center)
        .frame(maxWidth: 360)
        .disabled(model.isBusy)
    }

    @ViewBuilder private var question: some View {
        switch step {
        case .question:
            OlderCopyQuestion { typed in Task { await model.acceptOlderCopy(typed: typed) } }
        case .secret:
            Text(Words.olderCopy).font(.headline).accessibilityAddTraits(.isHeader)
            SecretField(kind: model.secret, pin: model.pin, isEnabled: !model.isBusy) { typed in
                await model.unlockWithPassword(typed)
            }
        }
    }
}

/// What an older copy is, and the word that makes it the vault.
struct OlderCopyQuestion: View {
    let accept: @MainActor (String) -> Void
    @State private var typed = ""

    var body: some View {
        VStack(spacing: 16) {
            Text(Words.olderCopy).font(.headline).accessibilityAddTraits(.isHeader)
            Text(Words.olderCopyLoses)
            Text(Words.typeToConfirm, OlderCopyConfirmation.phrase)
            TextField(text: $typed) { Text(Words.takeOlderCopy) }
                .textFieldStyle(.roundedBorder)
                .disableAutocorrection(true)
                .frame(minHeight: 44)
            WideButton(.takeOlderCopy, role: .destructive) { accept(typed) }
                .disabled(typed != OlderCopyConfirmation.phrase)
        }
        .frame(maxWidth: 360)
    }
}
#endif
