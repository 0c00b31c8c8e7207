#if canImport(SwiftUI)
import Foundation
public import SwiftUI
import ThumbturnCrypto
import ThumbturnRules

/// Makes an app's vault with its owner: a PIN or password twice, then "Enable Biometric Unlock?" (B-02).
///
/// It covers itself while its window is not in front, and forgets what was typed when it goes.
public struct OnboardingScreen: View {
    @ObservedObject private var model: OnboardingModel
    @Environment(\.scenePhase) private var phase
    @Environment(\.locale) private var locale

    /// Shows a model's first start.
    public init(_ model: OnboardingModel) { self.model = model }

    /// The model's present step.
    public var body: some View {
        ScrollView {
            VStack(spacing: 24) {
                if let error = model.error { Notice(error: error) }
                step
            }
            .multilineTextAlignment(.center)
            .padding()
            .frame(maxWidth: .infinity)
        }
        .privacyCover()
        .onAppear {
            model.language = Language(locale: locale.identifier)
            model.appBecame(AppPhase(phase))
        }
        .onChange(of: phase) { model.appBecame(AppPhase($0)) }
        .onChange(of: locale) { model.language = Language(locale: $0.identifier) }
        .onDisappear { model.clear() }
    }

    @ViewBuilder private var step: some View {
        switch model.step {
        case .secret:
            field(.new)
            Text(Words.keepSecretInMind).font(.footnote)
        case .repeated:
            field(.repeated)
        case .biometrics(let capability):
            BiometricOffer(capability, policy: model.policy, now: model.clock) { consent in
                Task { await model.answer(consent) }
            }
        case .making, .done:
            ProgressView()
            Text(Words.makingVault)
        case .withoutBiometrics:
            Text(Words.vaultIsReady).font(.headline).accessibilityAddTraits(.isHeader)
            WideButton(.goOn) { model.goOn() }
        }
    }

    private func field(_ title: SecretField.Title) -> some View {
        SecretField(kind: model.secret, title: title, pin: model.pin, isEnabled: !model.isBusy) { typed in
            await model.enter(typed)
        }
    }
}
#endif
