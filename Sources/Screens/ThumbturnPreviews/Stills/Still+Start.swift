#if canImport(SwiftUI)
import Foundation
import SwiftUI
import Thumbturn
import ThumbturnDevice
import ThumbturnRules
import ThumbturnUI

/// The steps of a first start, without what they carry: a new one does not compile until it has a picture.
package enum StartState: String, CaseIterable {
    case secret, repeated, biometrics, making, withoutBiometrics, done

    /// The state of a step.
    package init(_ step: OnboardingFields.Step) {
        switch step {
        case .secret: self = .secret
        case .repeated: self = .repeated
        case .biometrics: self = .biometrics
        case .making: self = .making
        case .withoutBiometrics: self = .withoutBiometrics
        case .done: self = .done
        }
    }

    /// A step in this state.
    package var step: OnboardingFields.Step {
        switch self {
        case .secret: .secret
        case .repeated: .repeated
        case .biometrics: .biometrics(.face)
        case .making: .making
        case .withoutBiometrics: .withoutBiometrics
        case .done: .done
        }
    }
}

extension Still {
    static var onboardingScreen: [Still] {
        StartState.allCases.map { state in
            Still("OnboardingScreen", state.rawValue) {
                OnboardingScreen(
                    OnboardingModel(
                        showing: state.step,
                        refusal: state == .withoutBiometrics ? .biometricsNotStored : nil
                    )
                )
            }
        }
    }

    static var recoverScreen: [Still] {
        RecoverFields.Step.allCases.map { step in
            Still("RecoverScreen", "\(step)") { RecoverScreen(RecoverModel(showing: .closed, step: step)) }
        }
    }

    /// What there is before a vault is found; then it is an `OnboardingScreen` or a `LockScreen`.
    static var vaultScreens: [Still] {
        var failed = VaultScreensFields.Surroundings()
        failed.refusal = .vaultNewer
        var misconfigured = VaultScreensFields.Surroundings()
        misconfigured.setupFault = "Keychain Sharing is not enabled"
        let states: [(String, VaultScreensFields.Surroundings)] = [
            ("opening", VaultScreensFields.Surroundings()), ("failed", failed), ("misconfigured", misconfigured),
        ]
        return states.map { name, around in
            Still("VaultScreens", name) { VaultScreens(model(VaultScreensFields(around))) { _ in EmptyView() } }
        }
    }

    private static func model(_ fields: VaultScreensFields) -> VaultScreensModel {
        let model = VaultScreensModel(in: "/nowhere") { throw VaultError(.vaultMissing) }
        model.hold(fields)
        return model
    }
}

extension VaultSnapshot {
    /// A locked vault that has a recovery key.
    static let closed = VaultSnapshot(slots: [Slot(kind: .recovery, assurance: nil)])
}

struct OnboardingScreenPreviews: PreviewProvider {
    static var previews: some View { StillColumn(stills: Still.onboardingScreen) }
}

struct RecoverScreenPreviews: PreviewProvider {
    static var previews: some View { StillColumn(stills: Still.recoverScreen) }
}

struct VaultScreensPreviews: PreviewProvider {
    static var previews: some View { StillColumn(stills: Still.vaultScreens) }
}
#endif
