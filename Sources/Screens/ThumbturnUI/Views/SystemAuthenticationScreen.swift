#if canImport(SwiftUI)
import Foundation
public import SwiftUI
import ThumbturnRules

/// Turns system authentication on and off.
///
/// Shows the explanation and warning, and asks for the owner's confirmation and the old or new secret (S-04, S-05).
///
/// If the feature flag offers nothing and it is off, it shows nothing (S-01).
public struct SystemAuthenticationScreen: View {
    @ObservedObject private var model: SystemSettingsObject

    /// Shows a model's screen.
    public init(_ model: SystemSettingsObject) { self.model = model }

    /// The model's present step.
    public var body: some View {
        if model.isShown {
            ScrollView {
                VStack(spacing: 24) {
                    Text(model.isOn ? Words.disableSystemMode : .enableSystemMode).font(.title)
                        .accessibilityAddTraits(.isHeader)
                    if let error = model.error { Notice(error: error) }
                    step
                }
                .padding()
                .frame(maxWidth: .infinity)
            }
            .onDisappear { model.cancel() }
        }
    }

    @ViewBuilder private var step: some View {
        switch model.step {
        case .warning:
            warning
        case .secret:
            SecretField(kind: model.secret, pin: model.pin, isEnabled: !model.loading, submit: enter)
            if let biometry = model.biometry {
                WideButton(Words(unlockWith: biometry)) { Task { await model.enableByBiometrics() } }
                    .disabled(model.loading)
            }
            cancel
        case .newSecret:
            SecretField(kind: model.secret, title: .new, pin: model.pin, isEnabled: !model.loading, submit: enter)
            cancel
        case .repeated:
            SecretField(kind: model.secret, title: .repeated, pin: model.pin, isEnabled: !model.loading, submit: enter)
            cancel
        case .recoverySecret:
            Text(Words.recoveryKeyFirst).multilineTextAlignment(.center)
            SecretField(kind: model.secret, pin: model.pin, isEnabled: !model.loading, submit: enter)
            cancel
        case .recoveryKey:
            RecoveryKeyNote(text: model.withRecoveryKey { $0.shownText }) { model.recoveryKeyIsWritten() }
            cancel
        case .recoveryKeyTyped:
            RecoveryKeyField(isEnabled: !model.loading, submit: enter)
            cancel
        }
    }

    @ViewBuilder private var warning: some View {
        VStack(alignment: .leading, spacing: 8) {
            ForEach(model.warning.words, id: \.self) { Text($0) }
        }
        if let obstacle = model.obstacle { Text(obstacle.message()).font(.footnote) }
        if model.obstacle == .recoveryKeyRequired { WideButton(.makeRecoveryKey) { model.makeRecoveryKey() } }
        WideButton(model.isOn ? .turnOff : .turnOn, role: .destructive) { Task { await model.agree() } }
            .disabled(model.loading || model.obstacle != nil)
    }

    private var cancel: some View { WideButton(.cancel, role: .cancel) { model.cancel() } }

    private func enter(_ secret: borrowing SecretBytes) async { await model.enter(secret) }
}
#endif
