#if canImport(SwiftUI)
import Foundation
public import SwiftUI
import ThumbturnCrypto
import ThumbturnRules

/// Leads an owner out who can't open the vault: by the recovery key and a new PIN or password, or by erasing everything.
///
/// Show it in a sheet above the lock screen: it covers itself while its window is not in front, and forgets what was
/// typed when it goes.
public struct RecoverScreen: View {
    @ObservedObject private var model: RecoverModel
    @Environment(\.scenePhase) private var phase
    @Environment(\.locale) private var locale

    /// Shows a model's way back.
    public init(_ model: RecoverModel) { self.model = model }

    /// The model's present step.
    public var body: some View {
        ScrollView {
            VStack(spacing: 24) {
                Text(Words.wayBack).font(.title).accessibilityAddTraits(.isHeader)
                if let error = model.error { Notice(error: error) }
                step
                if model.step != .opened { WideButton(.cancel, role: .cancel) { model.cancel() } }
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
        case .opening, .working, .done:
            ProgressView()
        case .key:
            Text(Words.recoverExplained)
            RecoveryKeyField(isEnabled: !model.isBusy, submit: enter)
            WideButton(.noRecoveryKey) { model.askToErase() }
        case .olderCopy:
            OlderCopyQuestion(accept: { typed in Task { await model.acceptOlderCopy(typed: typed) } })
            WideButton(.onlyExport) { Task { await model.onlyExport() } }
        case .newSecret:
            SecretField(kind: model.secret, title: .new, pin: model.pin, isEnabled: !model.isBusy, submit: enter)
        case .repeated:
            SecretField(kind: model.secret, title: .repeated, pin: model.pin, isEnabled: !model.isBusy, submit: enter)
        case .opened:
            Text(Words.secretStays)
            WideButton(.goOn) { model.goOn() }
        case .erase:
            Text(Words.onlyErasing)
            ResetForm(isEnabled: !model.isBusy) { typed in Task { await model.erase(typed: typed) } }
            if model.recoveryKeyMayOpen { WideButton(.useRecoveryKey) { model.useRecoveryKey() } }
        }
    }

    private func enter(_ typed: borrowing SecretBytes) async { await model.enter(typed) }
}
#endif
