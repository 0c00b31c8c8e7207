import ThumbturnAccount
import ThumbturnRules

@testable import ThumbturnAccountUI

/// One value of each screen of an account, in each state that shows something else, and one of each action.
enum AccountSamples {
    static var screens: [ScreenSample] { account + entry + devices + password + move + delivery }

    /// One of each action.
    static var actions: [AccountScreenAction] {
        AccountScreensAction.allCases.map(AccountScreenAction.account)
            + [
                AccountEntryAction.choose(.register), .enterName(account: "ada"), .submitSecret,
                .answerOffer(consent: true), .back, .cancel,
            ].map(AccountScreenAction.entry)
            + [AccountDevicesAction.submitSecret, .askToRevoke(device: other.id), .back, .cancel]
            .map(AccountScreenAction.devices)
            + [PasswordChangeAction.submitSecret, .startAgain, .cancel].map(AccountScreenAction.password)
            + [AccountMoveAction.agree, .submitSecret, .back, .cancel].map(AccountScreenAction.move)
            + DeliveryAction.allCases.map(AccountScreenAction.delivery)
    }

    private typealias Around = (inout AccountSurroundings) -> Void

    private static func around(_ language: Language, _ change: Around) -> AccountSurroundings {
        var around = AccountSurroundings(language: language)
        change(&around)
        return around
    }

    private static var account: [ScreenSample] {
        var removed = AccountScreensFields.Progress(screen: .vault)
        (removed.isRemoved, removed.isElsewhere) = (true, true)
        let states =
            AccountScreensFields.Screen.allCases.map { ($0.name, AccountScreensFields.Progress(screen: $0)) }
            + [("vault-removed", removed)]
        return states.map { name, progress in
            ScreenSample(
                "account-\(name)",
                { language in
                    AccountScreensFields(
                        progress,
                        around(language) { if progress.screen == .failed { $0.refusal = .storageUnavailable } }
                    )
                },
                { $0.json(in: $1) }
            )
        }
    }

    private static var entry: [ScreenSample] {
        typealias Progress = AccountEntryFields.Progress
        let steps: [(String, Progress, Around)] = AccountEntryFields.Step.allCases.map { step in
            ("step-\(step.name)", Progress(step: step, name: "ada"), { $0.snapshot = vault(.touchID) })
        }
        var unusual = Progress(step: .repeated, name: "ada")
        unusual.isUnusual = true
        var joined = Progress(step: .offer, name: "ada")
        joined.existed = true
        let states: [(String, Progress, Around)] = [
            ("step-password-logIn", Progress(step: .password, way: .logIn, name: "ada"), { _ in }),
            (
                "step-password-wait", Progress(step: .password, way: .logIn, name: "ada"),
                { ($0.refusal, $0.wait) = (.attemptDelayed, .seconds(30)) }
            ),
            ("step-password-busy", Progress(step: .password, way: .logIn, name: "ada"), { $0.isBusy = true }),
            ("step-repeated-unusual", unusual, { _ in }),
            ("step-offer-joined", joined, { $0.snapshot = vault(.faceID, .lockedOut) }),
            ("step-offer-unread", Progress(step: .offer, name: "ada"), { _ in }),
        ]
        return (steps + states).map { name, progress, change in
            ScreenSample(
                "accountEntry-\(name)",
                { AccountEntryFields(progress, around($0, change)) },
                { $0.json(in: $1) }
            )
        }
    }

    private static func vault(
        _ biometry: BiometricCapability.BiometryType,
        _ reason: BiometricCapability.Reason? = nil
    ) -> VaultSnapshot {
        VaultSnapshot(
            state: .unlocked(.full),
            capability: BiometricCapability(
                biometryType: biometry,
                reasonIfUnavailable: reason,
                assurance: .simulated
            ),
            policy: .pd107.allowing(.simulated)
        )
    }

    private static let own = AccountVault.ListedDevice(
        id: "0123456789abcdef0123456789abcdef",
        createdAt: Milliseconds(1_796_000_000_000),
        name: "ada's phone",
        isThis: true
    )
    private static let other = AccountVault.ListedDevice(
        id: "fedcba9876543210fedcba9876543210",
        createdAt: nil,
        name: nil,
        isThis: false
    )

    private static var devices: [ScreenSample] {
        typealias Progress = AccountDevicesFields.Progress
        var revoked = Progress(step: .list, devices: [own])
        revoked.revoked = other
        let states: [(String, Progress, Around)] = [
            ("step-password", Progress(), { _ in }),
            ("step-password-refused", Progress(), { $0.refusal = .strongFactorRefused }),
            ("step-list", Progress(step: .list, devices: [other, own]), { _ in }),
            ("step-list-revoked", revoked, { _ in }),
            ("step-revocation", Progress(step: .revocation(other), devices: [other, own]), { _ in }),
            (
                "step-revocation-busy", Progress(step: .revocation(other), devices: [other, own]),
                { $0.isBusy = true }
            ),
        ]
        return states.map { name, progress, change in
            ScreenSample(
                "accountDevices-\(name)",
                { AccountDevicesFields(progress, around($0, change)) },
                { $0.json(in: $1) }
            )
        }
    }

    private static var password: [ScreenSample] {
        typealias Progress = PasswordChangeFields.Progress
        var (uncertain, same, unusual) = (Progress(), Progress(step: .new), Progress(step: .repeated))
        (uncertain.isUncertain, same.isSame, unusual.isUnusual) = (true, true, true)
        let states: [(String, Progress, Around)] =
            PasswordChangeFields.Step.allCases.map { ("step-\($0.name)", Progress(step: $0), { _ in }) }
            + [
                ("step-present-uncertain", uncertain, { $0.refusal = .serviceUnreachable }),
                ("step-present-wait", Progress(), { $0.wait = .minutes(2) }),
                ("step-new-same", same, { _ in }), ("step-repeated-unusual", unusual, { _ in }),
                ("step-repeated-busy", Progress(step: .repeated), { $0.isBusy = true }),
            ]
        return states.map { name, progress, change in
            ScreenSample(
                "accountPassword-\(name)",
                { PasswordChangeFields(progress, around($0, change)) },
                { $0.json(in: $1) }
            )
        }
    }

    private static var move: [ScreenSample] {
        let addresses = AccountMoveFields.Addresses(
            known: "https://account.example",
            asked: "https://vault.example:8443"
        )
        let states: [(String, AccountMoveFields.Step, Around)] =
            AccountMoveFields.Step.allCases.map { ("step-\($0.name)", $0, { _ in }) }
            + [
                ("step-question-refused", .question, { $0.refusal = .serviceDiffers }),
                ("step-password-busy", .password, { $0.isBusy = true }),
            ]
        return states.map { name, step, change in
            ScreenSample(
                "accountMove-\(name)",
                { AccountMoveFields(step, addresses, around($0, change)) },
                { $0.json(in: $1) }
            )
        }
    }

    private static var delivery: [ScreenSample] {
        let sent = Milliseconds(1_796_000_000_000)
        let states: [(String, DeliveryFields.Waiting?, Around)] =
            DeliveryFields.Obstacle.allCases.map {
                ("obstacle-\($0.name)", .init(count: 2, lastSent: sent, obstacle: $0), { _ in })
            }
            + [
                ("hidden", nil, { _ in }), ("none", .init(count: 0), { _ in }),
                ("one", .init(count: 1, lastSent: sent), { _ in }),
                ("several", .init(count: 7, lastSent: sent), { $0.refusal = .serviceUnreachable }),
                ("busy", .init(count: 7), { $0.isBusy = true }),
            ]
        return states.map { name, waiting, change in
            ScreenSample(
                "delivery-\(name)",
                { DeliveryFields(waiting, around($0, change)) },
                { $0.json(in: $1) }
            )
        }
    }
}
