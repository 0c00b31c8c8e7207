#if canImport(SwiftUI)
import Foundation
public import SwiftUI
import ThumbturnCrypto
import ThumbturnRules

/// Changes the PIN or password: the present one, and twice the new one (C5).
public struct PINChangeScreen: View {
    @ObservedObject private var model: PINChangeModel
    private let finish: @MainActor () -> Void

    /// Shows a model's screen.
    ///
    /// - Parameters:
    ///   - model: the PIN or password of one vault.
    ///   - finish: the owner is done; the app leaves the screen.
    public init(_ model: PINChangeModel, finish: @escaping @MainActor () -> Void = {}) {
        self.model = model
        self.finish = finish
    }

    /// The model's present step.
    public var body: some View {
        Page(isPassword ? .changePassword : .changePIN, error: model.error) {
            if let obstacle = model.obstacle { Text(obstacle.message()) } else { step }
        }
        .onDisappear { model.cancel() }
    }

    private var isPassword: Bool { model.secret == .password }

    @ViewBuilder private var step: some View {
        switch model.step {
        case .present:
            if model.advice != nil { Text(Words.longerSecret).font(.footnote) }
            field(.current)
        case .new:
            field(.new)
        case .repeated:
            field(.repeated)
        case .done:
            Text(isPassword ? Words.passwordChanged : .pinChanged)
            if model.keepsBiometrics { Text(Words.biometricsStay).font(.footnote) }
            WideButton(.done, action: finish)
        }
    }

    @ViewBuilder private func field(_ title: SecretField.Title) -> some View {
        SecretField(kind: model.secret, title: title, pin: model.pin, isEnabled: !model.loading) { typed in
            await model.enter(typed)
        }
        WideButton(.cancel, role: .cancel) { model.cancel() }
    }
}
#endif
