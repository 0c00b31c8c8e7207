#if canImport(SwiftUI)
import Foundation
import SwiftUI
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnUI

/// The states of a lock screen, without what they carry: a new one does not compile until it has a picture.
package enum LockState: String, CaseIterable {
    case opening, content, offer, completionSecret, completionNewSecret, completionWalletName
    case completionWithoutBiometrics, olderCopyQuestion, olderCopySecret, prompt, secret, system, reopen, wait
    case recovery, reset, erased

    /// The state of a screen.
    package init(_ screen: AppUnlockFields.Screen) {
        switch screen {
        case .opening: self = .opening
        case .content: self = .content
        case .offer: self = .offer
        case .completion(.secret): self = .completionSecret
        case .completion(.newSecret): self = .completionNewSecret
        case .completion(.walletName): self = .completionWalletName
        case .completion(.withoutBiometrics): self = .completionWithoutBiometrics
        case .olderCopy(.question): self = .olderCopyQuestion
        case .olderCopy(.secret): self = .olderCopySecret
        case .prompt: self = .prompt
        case .secret: self = .secret
        case .system: self = .system
        case .reopen: self = .reopen
        case .wait: self = .wait
        case .recovery: self = .recovery
        case .reset: self = .reset
        case .erased: self = .erased
        }
    }

    /// What a lock screen shows in this state.
    package var fields: AppUnlockFields {
        var around = AppUnlockFields.Surroundings(phase: .active)
        switch self {
        case .opening: return AppUnlockFields(nil, around)
        case .content: return AppUnlockFields(.open(), around)
        case .offer:
            around.hasOffer = true
            return AppUnlockFields(.open(), around)
        case .completionSecret: return Self.completing(.secret)
        case .completionNewSecret: return Self.completing(.newSecret)
        case .completionWalletName: return Self.completing(.walletName)
        case .completionWithoutBiometrics: return Self.completing(.withoutBiometrics)
        case .olderCopyQuestion: return Self.asking(.question)
        case .olderCopySecret: return Self.asking(.secret)
        case .prompt: return AppUnlockFields(VaultSnapshot(state: .promptingBiometrics(resuming: nil)), around)
        case .secret:
            around.refusal = .strongFactorRefused
            let locked = VaultSnapshot(capability: .face, decision: .promptBiometrics)
            return AppUnlockFields(locked, around)
        case .system: return AppUnlockFields(VaultSnapshot(mode: .system), around)
        case .reopen: return AppUnlockFields(VaultSnapshot(mode: .system, state: .closedUntilReopened), around)
        case .wait: return AppUnlockFields(VaultSnapshot(nextAttempt: .wait(.minutes(5))), around)
        case .recovery: return AppUnlockFields(VaultSnapshot(condition: .keyMissing), around)
        case .reset: return AppUnlockFields(VaultSnapshot(condition: .resetPending), around)
        case .erased:
            around.isErased = true
            return AppUnlockFields(VaultSnapshot(), around)
        }
    }

    private static func completing(_ step: CompletionStep) -> AppUnlockFields {
        var around = AppUnlockFields.Surroundings(phase: .active)
        around.completion = step
        return AppUnlockFields(VaultSnapshot(state: .unlocked(.full), migration: .half), around)
    }

    private static func asking(_ step: OlderCopyStep) -> AppUnlockFields {
        var around = AppUnlockFields.Surroundings(phase: .active)
        around.olderCopy = step
        return AppUnlockFields(VaultSnapshot(state: .unlocked(.exportOnly), isOlderCopy: true), around)
    }
}

extension Still {
    static var lockScreen: [Still] {
        LockState.allCases.map { state in
            Still("LockScreen", state.rawValue) {
                LockScreen(model(state.fields), exits: LockExits(useRecoveryKey: {}, newWallet: {}))
            }
        }
    }

    private static func model(_ fields: AppUnlockFields) -> AppUnlockObject {
        let model = AppUnlockObject(StillVault(nil), secret: .pin(length: 6))
        model.hold(fields)
        return model
    }

    static var biometricOffer: [Still] {
        let reasons: [BiometricCapability.Reason?] = [nil, .notEnrolled]
        return reasons.map { reason in
            Still("BiometricOffer", reason == nil ? "question" : "obstacle") {
                BiometricOffer(
                    BiometricCapability(
                        biometryType: .faceID,
                        reasonIfUnavailable: reason,
                        assurance: .hardwareBound
                    ),
                    policy: .wallet,
                    now: { ClockReading(wall: .zero, boottime: .zero, bootID: .unnamedBoot(0)) },
                    answer: { _ in }
                )
            }
        }
    }

    static var pinPad: [Still] {
        [
            Still("PINPad", "length known") { PINPad(PINEntry(), length: 6) {} },
            Still("PINPad", "length open") { PINPad(PINEntry()) {} },
        ]
    }

    static var privacyCover: [Still] { [Still("PrivacyCover", "covered") { PrivacyCover() }] }
}

struct LockScreenPreviews: PreviewProvider {
    static var previews: some View { StillColumn(stills: Still.lockScreen) }
}

struct BiometricOfferPreviews: PreviewProvider {
    static var previews: some View { StillColumn(stills: Still.biometricOffer) }
}

struct PINPadPreviews: PreviewProvider {
    static var previews: some View { StillColumn(stills: Still.pinPad) }
}

struct PrivacyCoverPreviews: PreviewProvider {
    static var previews: some View { StillColumn(stills: Still.privacyCover) }
}
#endif
