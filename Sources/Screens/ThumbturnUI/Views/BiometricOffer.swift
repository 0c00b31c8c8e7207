#if canImport(SwiftUI)
import Foundation
public import SwiftUI
import ThumbturnRules

/// "Enable Biometric Unlock?", asked when a wallet is created (B-02): enable, or skip.
///
/// Without a sensor it does not ask and answers nil at once; if the sensor can't be used now, it says why, and the user
/// can only skip (C9).
public struct BiometricOffer: View {
    private let isSupported: Bool
    private let obstacle: BiometricCapability.EnablingObstacle?
    private let question: Words
    private let consent: @MainActor () -> BiometricConsent
    private let answer: @MainActor (BiometricConsent?) -> Void

    /// Asks for a vault that is being created.
    ///
    /// - Parameters:
    ///   - capability: the device's, from `OwnerPrompt.capability`.
    ///   - policy: the policy of the new vault.
    ///   - now: the device's clock.
    ///   - answer: receives the owner's consent, for `Vault.create`, or nil for a skip.
    public init(
        _ capability: BiometricCapability,
        policy: VaultPolicy,
        now: @escaping @Sendable () -> ClockReading,
        answer: @escaping @MainActor (BiometricConsent?) -> Void
    ) {
        isSupported = capability.supported
        obstacle = capability.obstacle(under: policy)
        question = .enableQuestion
        consent = { BiometricConsent(ownerAgreedAt: now()) }
        self.answer = answer
    }

    /// The question, and its two answers.
    public var body: some View {
        if isSupported {
            VStack(spacing: 16) {
                Text(question).font(.headline).accessibilityAddTraits(.isHeader)
                Text(Words.consent)
                if let obstacle { Text(Words(obstacle)).font(.footnote) }
                WideButton(.turnOn) { answer(consent()) }.disabled(obstacle != nil)
                WideButton(.notNow) { answer(nil) }
            }
            .multilineTextAlignment(.center)
            .padding()
        } else {
            Color.clear.onAppear { answer(nil) }
        }
    }
}

extension BiometricOffer {
    /// Asks again after a revocation, once the PIN was entered.
    init(again model: AppUnlockObject) {
        isSupported = true
        obstacle = nil
        question = .enableAgainQuestion
        consent = { model.consent() }
        answer = { consent in Task { await model.answerOffer(consent) } }
    }
}
#endif
