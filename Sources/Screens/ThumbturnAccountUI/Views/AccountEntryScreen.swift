#if canImport(SwiftUI)
import Foundation
public import SwiftUI
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnUI

/// Registers an account or logs in, then offers biometrics (B-02).
public struct AccountEntryScreen: View {
    @ObservedObject private var model: AccountEntryModel
    @State private var name = ""
    @Environment(\.scenePhase) private var phase

    /// Shows a model's screen.
    public init(_ model: AccountEntryModel) { self.model = model }

    /// The model's present question.
    public var body: some View {
        AccountPage(title, error: model.error, wait: model.wait, isBusy: model.isBusy) { question }
            .serves(model)
            .onChange(of: phase) { model.appBecame(AppPhase($0)) }
    }

    private var title: Words {
        switch model.step {
        case .way, .done: .account
        case .name, .password, .repeated, .offer, .offerPassword:
            model.way == .register ? .createAccount : .logIn
        }
    }

    private var mayAsk: Bool { model.wait == nil }

    @ViewBuilder private var question: some View {
        switch model.step {
        case .way:
            Text(Words.accountExplanation)
            WideButton(.createAccount) { model.choose(.register) }
            WideButton(.logIn) { model.choose(.logIn) }
        case .name:
            TextField(text: $name) { Text(Words.accountName) }
                .textFieldStyle(.roundedBorder)
                .disableAutocorrection(true)
                .onSubmit { model.enterName(name) }
                .frame(minHeight: 44)
            WideButton(.send) { model.enterName(name) }.disabled(name.isEmpty)
            back
        case .password:
            Text(verbatim: model.name).font(.headline)
            if model.way == .register {
                Text(ErrorCode.secretTooShort.message(asking: .accountPassword)).font(.footnote)
                Text(Words.passwordAdvice).font(.footnote)
            }
            AccountPasswordField(model.way == .register ? .new : .current, isEnabled: mayAsk, submit: enter)
            back
        case .repeated:
            if model.isUnusual { Text(Words.unusualPassword).font(.footnote) }
            AccountPasswordField(.repeated, isEnabled: mayAsk, submit: enter)
            back
        case .offer:
            if model.existed { Text(Words.accountExisted) }
            offer
        case .offerPassword:
            AccountPasswordField(isEnabled: mayAsk, submit: enter)
            back
        case .done:
            ProgressView()
        }
    }

    @ViewBuilder private var offer: some View {
        if let capability = model.capability, let policy = model.policy {
            BiometricOffer(capability, policy: policy, now: model.clock) { consent in
                Task { await model.answerOffer(consent) }
            }
        } else {
            ProgressView()
        }
    }

    private var back: some View { WideButton(.back, role: .cancel) { model.back() } }

    private func enter(_ secret: borrowing SecretBytes) async { await model.enter(secret) }
}
#endif
