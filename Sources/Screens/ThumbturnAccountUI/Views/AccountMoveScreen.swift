#if canImport(SwiftUI)
import Foundation
public import SwiftUI
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnUI

/// Asks whether the account's service has moved, and follows it.
public struct AccountMoveScreen: View {
    @ObservedObject private var model: AccountMoveModel
    private let stay: (@MainActor () -> Void)?

    /// Shows a model's screen.
    ///
    /// - Parameters:
    ///   - model: asks the service, and follows it.
    ///   - stay: uses the vault without following; nil shows no button.
    public init(_ model: AccountMoveModel, stay: (@MainActor () -> Void)? = nil) {
        (self.model, self.stay) = (model, stay)
    }

    /// The model's present question.
    public var body: some View {
        AccountPage(.serviceElsewhereQuestion, error: model.error, wait: model.wait, isBusy: model.isBusy) {
            Text(Words.serviceKnownAt, model.addresses.known)
            Text(Words.serviceAskedAt, model.addresses.asked)
            question
        }
        .serves(model)
    }

    @ViewBuilder private var question: some View {
        switch model.step {
        case .question:
            Text(Words.followWarning)
            WideButton(.follow) { model.agree() }
            if let stay { WideButton(.notNow, role: .cancel, action: stay) }
        case .password:
            AccountPasswordField(isEnabled: model.wait == nil, submit: enter)
            WideButton(.back, role: .cancel) { model.back() }
        case .done:
            ProgressView()
        }
    }

    private func enter(_ secret: borrowing SecretBytes) async { await model.enter(secret) }
}
#endif
