#if canImport(SwiftUI)
import Foundation
public import SwiftUI
import ThumbturnRules

/// Makes a backup file: says what it is and when the last one was made, and where the new one went.
public struct BackupScreen: View {
    @ObservedObject private var model: BackupModel
    private let share: (@MainActor (String) -> Void)?

    /// Shows a model's screen.
    ///
    /// - Parameters:
    ///   - model: the backups of one vault.
    ///   - share: receives the path of a backup that was made, for the system's share sheet; nil shows no button.
    public init(_ model: BackupModel, share: (@MainActor (String) -> Void)? = nil) {
        self.model = model
        self.share = share
    }

    /// The model's present step.
    public var body: some View {
        Page(.backup, error: model.error) { step }.onDisappear { model.cancel() }
    }

    @ViewBuilder private var step: some View {
        switch model.step {
        case .start:
            Text(Words.backupIs)
            last
            if let obstacle = model.obstacle { Text(obstacle.message()).font(.footnote) }
            WideButton(.makeBackup) { model.start() }.disabled(model.loading || model.obstacle != nil)
        case .secret:
            OwnerQuestion(
                model: model,
                asksSystem: model.asksSystem,
                isEnabled: !model.loading,
                enter: { await model.enter($0) },
                enterBySystem: { await model.enterBySystem() }
            )
        case .running:
            ProgressView()
            Text(Words.backupRunning, "\(model.done ?? 0) / \(model.total)")
        case .made:
            Text(Words.backupDone)
            if let path = model.path {
                Text(Words.backupFile, path.split(separator: "/").last.map(String.init) ?? path).font(.footnote)
                if let share { WideButton(.shareBackup) { share(path) } }
            }
            WideButton(.done) { model.cancel() }
        }
    }

    @ViewBuilder private var last: some View {
        if let madeAt = model.madeAt {
            HStack {
                Text(Words.backupMade)
                Text(Date(madeAt), style: .date)
            }
            .font(.footnote)
            .accessibilityElement(children: .combine)
        } else {
            Text(Words.backupOlder).font(.footnote)
        }
    }
}

/// Reminds the owner of a recovery key or backup that is missing; shows nothing when neither is.
///
/// It waits while the app has set the model's `isPaying`, and can be put off.
public struct BackupReminder: View {
    @ObservedObject private var model: BackupModel
    private let open: @MainActor (BackupAdvice) -> Void

    /// Shows a model's reminder.
    ///
    /// - Parameters:
    ///   - model: the backups of one vault.
    ///   - open: shows the screen for what is missing.
    public init(_ model: BackupModel, open: @escaping @MainActor (BackupAdvice) -> Void) {
        self.model = model
        self.open = open
    }

    /// The reminder, and its two answers.
    public var body: some View {
        if let advice = model.advice {
            VStack(spacing: 8) {
                Text(advice == .recoveryKey ? Words.adviseRecoveryKey : .adviseBackup).font(.footnote)
                WideButton(advice == .recoveryKey ? .makeRecoveryKey : .makeBackup) { open(advice) }
                WideButton(.later, role: .cancel) { model.dismissReminder() }
            }
            .multilineTextAlignment(.center)
            .padding()
        }
    }
}

extension Date {
    /// The date of a clock reading.
    init(_ at: Milliseconds) { self.init(timeIntervalSince1970: Double(at.count) / 1_000) }
}
#endif
