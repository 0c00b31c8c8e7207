#if canImport(SwiftUI)
import Foundation
public import SwiftUI
import ThumbturnRules

/// The lock screen of an app: PIN pad or password field, the sensor's button, delays and ways out.
///
/// `vaultLock` shows it; use it alone only if you decide yourself when content is shown.
public struct LockScreen: View {
    @ObservedObject private var model: AppUnlockObject
    private let exits: LockExits

    /// Shows a model's lock screen.
    public init(_ model: AppUnlockObject, exits: LockExits = LockExits()) {
        self.model = model
        self.exits = exits
    }

    /// The model's present question.
    public var body: some View {
        ScrollView {
            VStack(spacing: 24) {
                Image(systemName: "lock.fill").font(.largeTitle).accessibilityHidden(true)
                Text(Words.locked).font(.title).accessibilityAddTraits(.isHeader)
                if let notice = model.notice { Notice(error: notice) }
                question
                wayOut
            }
            .padding()
            .frame(maxWidth: .infinity)
        }
    }

    @ViewBuilder private var question: some View {
        switch model.screen {
        case .opening, .prompt, .content:
            ProgressView()
        case .secret:
            SecretField(kind: model.secret, pin: model.pin, isEnabled: !model.isBusy) { typed in
                await model.unlockWithPassword(typed)
            }
            if model.secretAdvice != nil { Text(Words.longerSecret).font(.footnote).multilineTextAlignment(.center) }
            sensor
        case .system:
            WideButton(.unlock) { Task { await model.unlockWithSystem() } }.disabled(model.isBusy)
        case .reopen:
            recovery
            if exits.cannotOpen == nil { reset }
        case .wait(let countdown):
            Text(Words.tryAgainIn, countdown.text).font(.headline)
            Text(ErrorCode.attemptDelayed.hint().sentence).font(.footnote).foregroundColor(.secondary)
            sensor
            recovery
        case .recovery(let code):
            Text(code.message()).multilineTextAlignment(.center)
            recovery
        case .offer:
            BiometricOffer(again: model)
        case .completion(let step):
            CompletionForm(model: model, step: step)
        case .olderCopy(let step):
            OlderCopyForm(model: model, step: step)
        case .reset:
            reset
        case .erased:
            Text(Words.erased)
            if let newWallet = exits.newWallet { WideButton(.newWallet, action: newWallet) }
        }
    }

    @ViewBuilder private var sensor: some View {
        if let biometry = model.biometry {
            WideButton(Words(unlockWith: biometry)) { Task { await model.unlockWithBiometric() } }
                .disabled(model.isBusy)
        }
    }

    private var reset: some View {
        ResetForm(isEnabled: !model.isBusy) { typed in Task { await model.reset(typed: typed) } }
    }

    @ViewBuilder private var wayOut: some View {
        if let cannotOpen = exits.cannotOpen, model.fields.leadsOut {
            WideButton(.cannotOpen, action: cannotOpen).disabled(model.isBusy)
        }
    }

    @ViewBuilder private var recovery: some View {
        if let useRecoveryKey = exits.useRecoveryKey { WideButton(.useRecoveryKey, action: useRecoveryKey) }
    }
}

/// The ways out of a lock screen that only the app can provide.
public struct LockExits {
    /// Asks for the recovery key; nil shows no button.
    public var useRecoveryKey: (@MainActor () -> Void)?
    /// Creates a new wallet after the old one was erased; nil shows no button.
    public var newWallet: (@MainActor () -> Void)?
    /// Leads an owner out who can't open the vault, by the recovery key or by erasing everything, as a `RecoverScreen`
    /// does; nil shows no button.
    public var cannotOpen: (@MainActor () -> Void)?

    /// Creates the ways out.
    public init(
        useRecoveryKey: (@MainActor () -> Void)? = nil,
        newWallet: (@MainActor () -> Void)? = nil,
        cannotOpen: (@MainActor () -> Void)? = nil
    ) {
        self.useRecoveryKey = useRecoveryKey
        self.newWallet = newWallet
        self.cannotOpen = cannotOpen
    }
}
#endif
