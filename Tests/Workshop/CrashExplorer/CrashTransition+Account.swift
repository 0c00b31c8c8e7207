import Foundation
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

// The life of a vault that an account's password opens.
extension CrashTransition {
    static let account = enrolling + loggingIn + hearing + offline + changingAccount + delivering

    /// The same as any other, of an account.
    private static func account(
        _ name: String,
        before prepare: @escaping Stage = { try await $0.furnishAccount() },
        from start: Start = .unlocked,
        yields: Bool = false,
        races: Bool = true,
        end: ErrorCode? = nil,
        attempts: Bool = false,
        attemptRaise: Int? = nil,
        between: [Stage] = [],
        otherwise: [Stage] = [],
        act: @escaping Call,
        then: Call? = nil
    ) -> CrashTransition {
        CrashTransition(
            name,
            before: prepare,
            from: start,
            yields: yields,
            races: races,
            isOfAccount: true,
            end: end,
            attempts: attempts,
            attemptRaise: attemptRaise,
            between: between,
            otherwise: otherwise,
            act: act,
            then: then
        )
    }

    private static let enrolling = [
        account(
            "foundAccount",
            before: { try $0.setService(.init()) },
            from: .nothing,
            between: [{ try await $0.begin().vault.close() }],
            otherwise: [
                { scene in
                    let (vault, device) = try await scene.begin()
                    try await scene.found(vault, device, keepsOffline: false)
                    await vault.close()
                }
            ]
        ) { party in
            let (vault, device) = try await party.scene.begin()
            party.keep(vault)
            party.keep(device)
        } then: { party in
            try await party.scene.found(party.vault(), party.device())
        },
        account(
            "renewDevice",
            // A word that was asked for under the former name is nobody's: to the judge of two that is neither outcome.
            races: false,
            // That the head still names the former one fails in silence, and the next login renews again.
            otherwise: [
                { scene in
                    let vault = try await scene.open()
                    try await scene.logIn(to: vault)
                    _ = try await vault.renewDevice()
                    await vault.close()
                }
            ]
        ) { party in
            party.keep(try await party.vault().renewDevice())
        } then: { party in
            try await party.scene.logIn(to: party.vault(), as: party.device())
        },
    ]

    private static let loggingIn = [
        account("logIn", before: furnishAndFail, from: .locked, yields: true) { party in
            try await party.scene.logIn(to: party.vault(), keepsOffline: true)
        },
        account("logInRefused", before: furnishAndFail, from: .locked, end: .strongFactorRefused) { party in
            try await party.vault().refuseAccountPassword()
        },
        account(
            "logInNewer",
            before: furnishAndChange,
            from: .locked,
            yields: true,
            between: [hearNow] + logInInPart,
            otherwise: logInInPart
        ) { party in
            try await party.scene.logIn(to: party.vault(), keepsOffline: true)
        },
        account(
            "moveAccount",
            before: furnishAndFail,
            from: .locked,
            yields: true,
            // The password is proved, and the address not written yet.
            between: [logInKeepingNothing]
        ) { party in
            try await party.scene.logIn(to: party.vault(), keepsOffline: true, at: "https://moved.example")
        },
        // This device has changed the password itself. What becomes of two that change it at once is for two real clients to
        // show: here the service knows of no login that another change ended.
        account(
            "changePassword",
            races: false,
            between: [{ try $0.changePassword() }] + ([hearNow] + logInInPart).map(afterChange),
            otherwise: logInInPart.map(afterChange)
        ) { party in
            _ = try await party.authorize()
            try party.scene.changePassword()
            try await party.scene.logIn(to: party.vault(), keepsOffline: true)
        },
    ]

    private static let hearing = [
        account("hearRisen", before: furnishAndChange, from: .locked) { try await hear($0) },
        account(
            "hearFallen",
            before: { scene in
                try await scene.furnishAccount(.init(epoch: 5))
                try scene.setService(.init(epoch: 4))
            },
            from: .locked
        ) { try await hear($0) },
        account("hearRevoked", from: .locked) { party in
            try await party.vault().accept(.deviceRevoked)
        },
    ]

    private static let offline = [
        account(
            "keepOffline",
            before: { try await $0.furnishAccount(keepsOffline: false) },
            from: .locked,
            yields: true,
            otherwise: [logInKeepingNothing]
        ) { party in
            try await party.scene.logIn(to: party.vault(), keepsOffline: true)
        },
        account("unlockOffline", from: .locked, yields: true, attempts: true) { party in
            try await party.scene.unlockOffline(party.vault(), after: 0)
        },
        account("unlockOfflineWrong", from: .locked, end: .strongFactorRefused, attemptRaise: 1) { party in
            try await party.scene.unlockOffline(party.vault(), after: nil)
        },
    ]

    private static let changingAccount = [
        account("enableBiometricsOfAccount", before: { try await $0.furnishAccount(biometrics: false) }) { party in
            let authorization = try await party.authorize()
            try await party.vault().enableBiometrics(party.scene.consent, authorization)
        },
        account("disableBiometricsOfAccount") { party in
            let authorization = try await party.authorize()
            try await party.vault().disableBiometrics(authorization)
        },
        // Neither the password nor the service is asked.
        account("disableBiometricsOfLockedAccount", from: .locked) { party in
            try await party.vault().disableBiometrics(nil)
        },
        account("setPolicyOfAccount") { party in
            let authorization = try await party.authorize()
            try await party.vault().setPolicy(authorization) { $0.allowsOfflinePassword = false }
        },
        account("rekeyOfAccount", otherwise: [rekeyWithoutBiometrics], act: rekey),
        account("importWalletOfAccount") { party in
            _ = try await party.wallet()
            let (_, secret, kind) = CrashScene.wallets[0]
            try await party.vault().addWallet(named: WalletName("Fourth"), CrashScene.secret(secret, kind))
        },
        account("resetOfAccount") { party in
            try await party.vault().reset(ResetConfirmation(typed: ResetConfirmation.phrase))
        },
    ]

    private static let delivering = [
        account(
            "deliver",
            before: furnishAndRenew,
            from: .locked,
            between: [
                deliver(1, losingAnswer: true), deliver(1, losingAnswer: false), deliver(2, losingAnswer: true),
            ]
        ) { party in
            try await party.scene.deliver(party.vault())
        }
    ]

    /// Two chains, of two keys of this device.
    private static let furnishAndRenew: Stage = { scene in
        try await scene.furnishAccount()
        let vault = try await scene.open()
        try await scene.list(vault)
        try await scene.logIn(to: vault, as: vault.renewDevice())
        try await scene.list(vault)
        try await scene.beginLog(vault)
        await vault.close()
    }

    /// So many uploads were sent, and the answer to the last one came or was lost.
    private static func deliver(_ count: Int, losingAnswer: Bool) -> Stage {
        { scene in
            let vault = try await scene.open()
            try? await scene.deliver(vault, uploads: count, losesAnswer: losingAnswer)
            await vault.close()
        }
    }

    private static let furnishAndFail: Stage = { scene in
        try await scene.furnishAccount()
        let vault = try await scene.open()
        try scene.device.simulate(.finger(.mismatch))
        _ = try? await vault.unlockWithBiometrics(TestVault.words)
        await vault.close()
    }

    private static let furnishAndChange: Stage = { scene in
        try await furnishAndFail(scene)
        try scene.changePassword()
    }

    /// Hears what the service says now.
    private static let hearNow: Stage = { scene in
        let party = Party(in: scene)
        try await hear(party)
        await party.close()
    }

    /// What opens without the service may be kept or not: the password opens with it all the same.
    private static let logInKeepingNothing: Stage = { scene in
        let vault = try await scene.open()
        try await scene.logIn(to: vault)
        await vault.close()
    }

    private static func afterChange(_ stage: @escaping Stage) -> Stage {
        { scene in
            try scene.changePassword()
            try await stage(scene)
        }
    }

    /// A login that did not seal the slot anew, and keeps what opens without the service or not; or that did, and keeps nothing.
    private static let logInInPart: [Stage] = [
        logInWithoutNewest(keepsOffline: false), logInWithoutNewest(keepsOffline: true), logInKeepingNothing,
    ]

    private static func logInWithoutNewest(keepsOffline: Bool) -> Stage {
        { scene in
            let vault = try await scene.open()
            try await scene.logInWithoutNewest(to: vault, keepsOffline: keepsOffline)
            await vault.close()
        }
    }

    @Sendable private static func hear(_ party: Party) async throws {
        try await party.vault().accept(.epoch(party.scene.service().epoch))
    }

    /// The new recovery key is written down before it is typed back.
    @Sendable private static func rekey(_ party: Party) async throws {
        let authorization = try await party.authorize()
        let (scene, vault) = (party.scene, try await party.vault())
        guard let known = await vault.account else { throw PartyError() }
        let new = NewRecoveryKey()
        let shown = try new.show { $0.exposed }
        try? Data(shown).write(to: URL(fileURLWithPath: scene.newKey))
        let typed = SecretBytes(text: scene.text(at: scene.newKey))
        try await vault.rekey(
            with: scene.service().account.opening(known),
            recoveryKey: new.confirmed(by: typed),
            authorization
        )
    }

    /// What it comes to where the sensor can't be asked.
    private static let rekeyWithoutBiometrics: Stage = { scene in
        let party = Party(in: scene)
        try await party.vault().disableBiometrics(party.authorize())
        try await rekey(party)
        await party.close()
    }
}
