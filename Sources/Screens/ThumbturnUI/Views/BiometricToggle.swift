#if canImport(SwiftUI)
import Foundation
public import SwiftUI
import ThumbturnRules

/// The switch for biometrics in an app's settings (B-04).
///
/// It is hidden without a sensor, says why it can't be turned on, and can be turned off in every state (C9). Turning on
/// shows an explanation and asks for the PIN or password; turning off asks for it if the policy does.
public struct BiometricToggle: View {
    private enum Question {
        case turnOn, turnOff
    }

    @ObservedObject private var model: BiometricSettingsObject
    @State private var question: Question?

    /// Shows a model's switch.
    public init(_ model: BiometricSettingsObject) { self.model = model }

    /// The switch, and below it the reason why it is disabled.
    public var body: some View {
        if model.isShown {
            VStack(alignment: .leading, spacing: 8) {
                Toggle(isOn: isOn) { Text(Words.biometricUnlock) }
                    .disabled(model.loading || model.obstacle != nil)
                if let obstacle = model.obstacle { Text(Words(obstacle)).font(.footnote) }
                if let error = model.error, question == nil { Text(error).font(.footnote) }
            }
            .sheet(isPresented: isAsking) { sheet }
            .onChange(of: model.enabled) { _ in question = nil }
        }
    }

    private var whatIsLeft: Words { model.secret == .password ? .passwordAlone : .turnOffQuestion }

    private var isOn: Binding<Bool> {
        Binding(
            get: { model.enabled },
            set: { isOn in
                model.resetError()
                if isOn {
                    question = .turnOn
                } else if model.asksSecretToDisable {
                    question = .turnOff
                } else {
                    Task { await model.disable() }
                }
            }
        )
    }

    private var isAsking: Binding<Bool> {
        Binding(
            get: { question != nil },
            set: { isAsking in
                guard !isAsking else { return }
                question = nil
                model.pin.clear()
            }
        )
    }

    private var sheet: some View {
        ScrollView {
            VStack(spacing: 24) {
                Text(question == .turnOn ? Words.consent : whatIsLeft).multilineTextAlignment(.center)
                if let error = model.error { Notice(error: error) }
                SecretField(kind: model.secret, pin: model.pin, isEnabled: !model.loading) { typed in
                    switch question {
                    case .turnOn: await model.enable(model.consent(), with: typed)
                    case .turnOff, nil: await model.disable(with: typed)
                    }
                }
                WideButton(.cancel, role: .cancel) { isAsking.wrappedValue = false }
            }
            .padding()
            .frame(maxWidth: .infinity)
        }
        .privacyCover()
    }
}
#endif
