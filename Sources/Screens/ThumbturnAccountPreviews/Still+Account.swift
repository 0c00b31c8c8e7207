#if canImport(SwiftUI)
import Foundation
import SwiftUI
import ThumbturnAccount
import ThumbturnAccountUI
public import ThumbturnPreviews
import ThumbturnRules

/// The steps of the list of devices, without what they carry: a new one does not compile until it has a picture.
package enum DevicesState: String, CaseIterable {
    case password, list, revocation

    /// The state of a step.
    package init(_ step: AccountDevicesFields.Step) {
        switch step {
        case .password: self = .password
        case .list: self = .list
        case .revocation: self = .revocation
        }
    }

    /// A step in this state.
    package var step: AccountDevicesFields.Step {
        switch self {
        case .password: .password
        case .list: .list
        case .revocation: .revocation(Self.other)
        }
    }

    static let this = AccountVault.ListedDevice(id: "01", createdAt: .days(20_000), name: "iPhone", isThis: true)
    static let other = AccountVault.ListedDevice(id: "02", createdAt: .days(19_000), name: "iPad", isThis: false)
}

extension Still {
    /// Every screen of an account in each of its states: a screen is added with one line.
    public static var account: [Still] {
        accountScreens + accountEntryScreen + accountMoveScreen + passwordChangeScreen + accountDevicesScreen
            + deliveryLine
    }

    static var accountScreens: [Still] {
        AccountScreensFields.Screen.allCases.map { screen in
            Still("AccountScreens", "\(screen)") {
                AccountScreens(
                    AccountScreensModel(
                        showing: AccountScreensFields.Progress(screen: screen),
                        error: screen == .failed ? .vaultNewer : nil
                    )
                ) { _ in
                    EmptyView()
                }
            }
        }
    }

    static var accountEntryScreen: [Still] {
        let face = BiometricCapability(biometryType: .faceID, assurance: .hardwareBound)
        let snapshot = VaultSnapshot(state: .unlocked(.full), capability: face, policy: .pd107)
        return AccountEntryFields.Way.allCases.flatMap { way in
            AccountEntryFields.Step.allCases.map { step in
                let progress = AccountEntryFields.Progress(step: step, way: way, name: "marie")
                return Still("AccountEntryScreen", "\(way), \(step)") {
                    AccountEntryScreen(AccountEntryModel(showing: progress, of: snapshot))
                }
            }
        }
    }

    static var accountMoveScreen: [Still] {
        let addresses = AccountMoveFields.Addresses(known: "https://former.example", asked: "https://new.example")
        return AccountMoveFields.Step.allCases.map { step in
            Still("AccountMoveScreen", "\(step)") {
                AccountMoveScreen(AccountMoveModel(showing: step, addresses), stay: {})
            }
        }
    }

    static var passwordChangeScreen: [Still] {
        PasswordChangeFields.Step.allCases.map { step in
            Still("PasswordChangeScreen", "\(step)") {
                PasswordChangeScreen(PasswordChangeModel(showing: PasswordChangeFields.Progress(step: step)))
            }
        }
    }

    static var accountDevicesScreen: [Still] {
        DevicesState.allCases.map { state in
            let progress = AccountDevicesFields.Progress(
                step: state.step,
                devices: [DevicesState.this, DevicesState.other]
            )
            return Still("AccountDevicesScreen", state.rawValue) {
                AccountDevicesScreen(AccountDevicesModel(showing: progress))
            }
        }
    }

    static var deliveryLine: [Still] {
        let obstacles = [nil] + DeliveryFields.Obstacle.allCases.map { Optional($0) }
        return obstacles.map { obstacle in
            Still("DeliveryLine", obstacle.map { "\($0)" } ?? "waiting") {
                DeliveryLine(DeliveryModel(showing: DeliveryFields.Waiting(count: 2, obstacle: obstacle)))
            }
        }
    }
}

struct AccountScreensPreviews: PreviewProvider {
    static var previews: some View { StillColumn(stills: Still.accountScreens) }
}

struct AccountEntryScreenPreviews: PreviewProvider {
    static var previews: some View { StillColumn(stills: Still.accountEntryScreen) }
}

struct AccountMoveScreenPreviews: PreviewProvider {
    static var previews: some View { StillColumn(stills: Still.accountMoveScreen) }
}

struct PasswordChangeScreenPreviews: PreviewProvider {
    static var previews: some View { StillColumn(stills: Still.passwordChangeScreen) }
}

struct AccountDevicesScreenPreviews: PreviewProvider {
    static var previews: some View { StillColumn(stills: Still.accountDevicesScreen) }
}

struct DeliveryLinePreviews: PreviewProvider {
    static var previews: some View { StillColumn(stills: Still.deliveryLine) }
}
#endif
