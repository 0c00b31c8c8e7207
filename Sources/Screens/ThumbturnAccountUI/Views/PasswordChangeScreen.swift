#if canImport(SwiftUI)
import Foundation
public import SwiftUI
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnUI

/// Changes an account's password.
public struct PasswordChangeScreen: View {
    @ObservedObject private var model: PasswordChangeModel

    /// Shows a model's screen.
    public init(_ model: PasswordChangeModel) { self.model = model }

    /// The model's present question.
    public var body: some View {
        AccountPage(.changePassword, error: model.error, wait: model.wait, isBusy: model.isBusy) {
            if model.isUncertain { Text(Words.passwordUncertain) }
            if model.isSame { Text(Words.samePassword) }
            question
        }
        .serves(model)
    }

    @ViewBuilder private var question: some View {
        switch model.step {
        case .present:
            AccountPasswordField(isEnabled: model.wait == nil, submit: enter)
        case .new:
            Text(ErrorCode.secretTooShort.message(asking: .accountPassword)).font(.footnote)
            Text(Words.passwordAdvice).font(.footnote)
            AccountPasswordField(.new, isEnabled: model.wait == nil, submit: enter)
            cancel
        case .repeated:
            if model.isUnusual { Text(Words.unusualPassword).font(.footnote) }
            AccountPasswordField(.repeated, isEnabled: model.wait == nil, submit: enter)
            cancel
        case .done:
            Text(Words.changedEverywhere)
            Text(Words.changeLeaves).font(.footnote)
        }
    }

    private var cancel: some View { WideButton(.cancel, role: .cancel) { model.startAgain() } }

    private func enter(_ secret: borrowing SecretBytes) async { await model.enter(secret) }
}
#endif
