#if canImport(SwiftUI)
import Foundation
import SwiftUI
import ThumbturnCrypto
import ThumbturnRules

/// Asks the owner of a half migrated vault for what completes the migration (K-08).
struct CompletionForm: View {
    @ObservedObject var model: AppUnlockObject
    let step: CompletionStep
    @State private var first: HeldSecret?
    @State private var name = ""

    var body: some View {
        VStack(spacing: 16) {
            Text(Words.finishMoving).font(.headline).accessibilityAddTraits(.isHeader)
            question
            WideButton(.cancel, role: .cancel) { model.stopMoving() }
        }
        .multilineTextAlignment(.center)
        .frame(maxWidth: 360)
        .disabled(model.isBusy)
        .onDisappear { first = nil }
    }

    @ViewBuilder private var question: some View {
        switch step {
        case .secret:
            SecretField(kind: model.secret, pin: model.pin, isEnabled: !model.isBusy) { typed in
                await model.unlockWithPassword(typed)
            }
        case .newSecret:
            SecretField(
                kind: model.secret,
                title: first == nil ? .new : .repeated,
                pin: model.pin,
                isEnabled: !model.isBusy,
                submit: choose
            )
        case .walletName:
            Text(Words.twoWallets)
            TextField(text: $name) { Text(Words.walletName) }
                .textFieldStyle(.roundedBorder)
                .frame(minHeight: 44)
            WideButton(.send) { Task { await model.keepBoth(as: name) } }.disabled(name.isEmpty)
        case .withoutBiometrics:
            WideButton(.askAgain) { Task { await model.askBiometricsAgain() } }
            Text(Words.doWithout)
            WideButton(.goOnWithout, role: .destructive) { Task { await model.goOnWithoutBiometrics() } }
        }
    }

    /// Asks for a new secret twice, and starts again if they differ.
    private func choose(_ secret: borrowing SecretBytes) async {
        guard let known = first else {
            first = HeldSecret(secret.copy())
            return
        }
        first = nil
        guard SecretBytes.constantTimeEqual(known.bytes, secret) else { return model.refuse(.confirmationDiffers) }
        await model.chooseSecret(secret)
    }
}
#endif
