#if canImport(SwiftUI)
import Foundation
public import SwiftUI
import ThumbturnRules

/// Creates a recovery key: says what it is for, shows it once, and asks for it.
public struct RecoveryKeyScreen: View {
    @ObservedObject private var model: RecoveryKeyModel
    private let finish: @MainActor () -> Void

    /// Shows a model's screen.
    ///
    /// - Parameters:
    ///   - model: the recovery key of one vault.
    ///   - finish: the owner is done; the app leaves the screen.
    public init(_ model: RecoveryKeyModel, finish: @escaping @MainActor () -> Void = {}) {
        self.model = model
        self.finish = finish
    }

    /// The model's present step.
    public var body: some View {
        Page(.recoveryKey, error: model.error) { step }
            .tellsCaptures { model.isCaptured = $0 }
            .owned(by: model)
    }

    @ViewBuilder private var step: some View {
        switch model.step {
        case .start:
            start
        case .secret:
            OwnerQuestion(
                model: model,
                asksSystem: model.asksSystem,
                isEnabled: !model.loading,
                enter: { await model.enter($0) },
                enterBySystem: { await model.enterBySystem() }
            )
        case .key:
            RecoveryKeyNote(text: model.withRecoveryKey { $0.shownText }) { model.recoveryKeyIsWritten() }
            cancel
        case .typed:
            RecoveryKeyField(isEnabled: !model.loading) { typed in await model.enter(typed) }
            cancel
        case .done:
            Text(Words.recoveryKeyDone)
            WideButton(.done, action: finish)
        }
    }

    @ViewBuilder private var start: some View {
        Text(Words.recoveryKeyIs)
        if model.hasKey { Text(Words.recoveryKeyReplaces).font(.footnote) }
        if model.awaitsCheck {
            Text(Words.recoveryKeyUnchecked).font(.footnote)
            WideButton(.typeKeyNow) { model.typeBack() }.disabled(model.loading)
        }
        WideButton(.makeRecoveryKey) { model.make() }.disabled(model.loading)
    }

    private var cancel: some View { WideButton(.cancel, role: .cancel) { model.cancel() } }
}
#endif
