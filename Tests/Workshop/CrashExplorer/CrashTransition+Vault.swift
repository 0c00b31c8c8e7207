import Foundation
import Thumbturn
import ThumbturnSimulator
@_spi(InsecureTestParameters) import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnTestKit

// The life of a vault.
extension CrashTransition {
    static let vault = making + entering + changing

    private static let making = [
        CrashTransition("create", before: backUpElsewhere, from: .nothing) { party in
            party.keep(try await party.scene.create())
        },
        CrashTransition(
            "createWithBiometrics",
            before: backUpElsewhere,
            from: .nothing,
            between: [{ try await $0.create().close() }]
        ) { party in
            let creation = try await party.scene.create(with: party.scene.consent)
            party.keep(creation.vault)
            if let failure = creation.biometricsFailure { throw failure }
        },
        CrashTransition("restore", before: backUpElsewhere, from: .nothing) { party in
            let scene = party.scene
            let vault = try await Vault.restore(
                from: scene.backup,
                in: scene.vaultFolder,
                device: scene.seen,
                recoveryKey: SecretBytes(text: scene.text(at: scene.oldKey)),
                newSecret: SecretBytes(text: CrashScene.secondPIN),
                configuration: scene.configuration
            )
            party.keep(vault)
        },
    ]

    private static let entering = [
        CrashTransition("unlock", before: furnishAndFail, from: .locked, yields: true, attemptRaise: 1) { party in
            try await party.vault().unlock(with: SecretBytes(text: CrashScene.firstPIN))
        },
        CrashTransition(
            "unlockWrong",
            before: furnishAndFail,
            from: .locked,
            end: .strongFactorRefused,
            attemptRaise: 1
        ) { party in
            try await party.vault().unlock(with: SecretBytes(text: CrashScene.wrongPIN))
        },
        CrashTransition(
            "unlockRevoked",
            before: { scene in
                try await furnishAndFail(scene)
                try scene.device.simulate(.enroll)
            },
            from: .locked,
            yields: true,
            attemptRaise: 2  // the revocation comes first
        ) { party in
            try await party.vault().unlock(with: SecretBytes(text: CrashScene.firstPIN))
        },
        CrashTransition(
            "unlockStronger",
            before: furnishAndFail,
            from: .locked,
            yields: true,
            attemptRaise: 1,
            argon2: .insecureTestStronger
        ) { party in
            try await party.vault().unlock(with: SecretBytes(text: CrashScene.firstPIN))
        },
        CrashTransition(
            "unlockToNextPolicy",
            before: { scene in
                try await scene.furnish()
                let party = Party(in: scene)
                try await party.vault().setPolicy(party.authorize()) { $0.strongFactorMaxAge = .days(30) }
                await party.close()
                try await failOnce(scene)
            },
            from: .locked,
            yields: true,
            attemptRaise: 1,
            // That the policy can't be taken up keeps nobody out; the next PIN tries again. The recovery key takes none up.
            otherwise: [
                { scene in
                    let vault = try await scene.open()
                    try await vault.unlock(withRecoveryKey: SecretBytes(text: scene.text(at: scene.oldKey)))
                    await vault.close()
                }
            ]
        ) { party in
            try await party.vault().unlock(with: SecretBytes(text: CrashScene.firstPIN))
        },
        CrashTransition("unlockByFinger", from: .locked, yields: true) { party in
            try party.scene.device.simulate(.finger(.match))
            try await party.vault().unlockWithBiometrics(TestVault.words)
        },
        CrashTransition("unlockByRecoveryKey", from: .locked, yields: true) { party in
            let key = party.scene.text(at: party.scene.oldKey)
            try await party.vault().unlock(withRecoveryKey: SecretBytes(text: key))
        },
        CrashTransition("proveAgain", yields: true, attempts: true) { party in
            try await party.vault().unlock(with: SecretBytes(text: CrashScene.firstPIN))
        },
        CrashTransition("exportWallet", yields: true) { party in
            let wallet = try await party.wallet()
            try await party.vault().exportWallet(wallet.id, party.authorize()) { _, _ in }
        },
        CrashTransition(
            "recoverElsewhere",
            before: { scene in
                try await scene.furnish()
                try scene.device.simulate(.restoreElsewhere)
            },
            from: .locked
        ) { try await recover($0) },
        // The PIN was forgotten, and everything that it needs is there.
        CrashTransition("recoverForgotten", from: .locked) { try await recover($0) },
    ]

    @Sendable private static func recover(_ party: Party) async throws {
        try await party.vault().recover(
            with: SecretBytes(text: party.scene.text(at: party.scene.oldKey)),
            newSecret: SecretBytes(text: CrashScene.secondPIN)
        )
    }

    /// The new recovery key is written down before it is typed back.
    @Sendable private static func rekey(_ party: Party) async throws {
        let authorization = try await party.authorize()
        let new = NewRecoveryKey()
        let shown = try new.show { $0.exposed }
        try? Data(shown).write(to: URL(fileURLWithPath: party.scene.newKey))
        let typed = SecretBytes(text: party.scene.text(at: party.scene.newKey))
        try await party.vault().rekey(
            with: SecretBytes(text: CrashScene.secondPIN),
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

    private static let changing = [
        CrashTransition("changePIN") { party in
            let authorization = try await party.authorize()
            try await party.vault().changeLocalSecret(to: SecretBytes(text: CrashScene.secondPIN), authorization)
        },
        CrashTransition("rekey", otherwise: [rekeyWithoutBiometrics], act: rekey),
        CrashTransition(
            "rekeyOfFifty",
            before: { try await $0.furnish(with: 50) },
            races: false,
            otherwise: [rekeyWithoutBiometrics],
            act: rekey
        ),
        CrashTransition("enableBiometrics", before: { try await $0.furnish(biometrics: false) }) { party in
            let authorization = try await party.authorize()
            try await party.vault().enableBiometrics(party.scene.consent, authorization)
        },
        CrashTransition("disableBiometrics") { party in
            let authorization = try await party.authorize()
            try await party.vault().disableBiometrics(authorization)
        },
        CrashTransition(
            "renewBiometrics",
            attempts: true,
            between: [
                { scene in
                    let party = Party(in: scene)
                    try await party.vault().disableBiometrics(party.authorize())
                    await party.close()
                }
            ]
        ) { party in
            try await party.vault().disableBiometrics(party.authorize())
        } then: { party in
            try await party.vault().enableBiometrics(party.scene.consent, party.authorize())
        },
        CrashTransition("importWallet") { party in
            _ = try await party.wallet()
            let (_, secret, kind) = CrashScene.wallets[0]
            try await party.vault().addWallet(named: WalletName("Fourth"), CrashScene.secret(secret, kind))
        },
        CrashTransition("importWallets") { party in
            _ = try await party.wallet()
            var number = 0
            try await party.vault().addWallets { () throws(VaultError) in
                guard number < CrashScene.wallets.count else { return nil }
                let (name, secret, kind) = CrashScene.wallets[number]
                number += 1
                return WalletImport(name: try WalletName("More \(name)"), secret: CrashScene.secret(secret, kind))
            }
        },
        CrashTransition("renameWallet") { party in
            let wallet = try await party.wallet(last: true)
            try await party.vault().renameWallet(wallet.id, to: WalletName("Renamed"))
        },
        CrashTransition("deleteWallet") { party in
            let wallet = try await party.wallet()
            let authorization = try await party.authorize()
            try await party.vault().deleteWallet(wallet.id, authorization)
        },
        CrashTransition("createRecoveryKey") { party in
            let authorization = try await party.authorize()
            try await party.vault().createRecoveryKey(authorization) { _ in }
        },
        CrashTransition(
            "confirmRecoveryKey",
            before: { scene in
                try await scene.furnish()
                let vault = try await scene.open()
                try await scene.keepRecoveryKey(of: vault, at: scene.newKey)
                await vault.close()
            }
        ) { party in
            let authorization = try await party.authorize()
            // After the wait for it: `rekey` notes another key there.
            let key = party.scene.text(at: party.scene.newKey)
            try await party.vault().confirmRecoveryKey(SecretBytes(text: key), authorization)
        },
        CrashTransition("removeRecoveryKey") { party in
            let authorization = try await party.authorize()
            try await party.vault().removeRecoveryKey(authorization)
        },
        // Stricter, and so the finger goes; and laxer, later.
        CrashTransition("setPolicy") { party in
            let authorization = try await party.authorize()
            try await party.vault()
                .setPolicy(authorization) { policy in
                    policy.locksAfterIdle = .minutes(1)
                    policy.minimumAssurance = .hardwareBound
                    policy.strongFactorMaxAge = .days(30)
                }
        },
        CrashTransition("backUp") { party in
            let authorization = try await party.authorize()
            try await party.vault().backUp(to: party.scene.backup, authorization)
        },
        CrashTransition(
            "replaceBackup",
            before: { scene in
                try await scene.furnish()
                let vault = try await scene.open()
                let authorization = try await vault.unlock(with: SecretBytes(text: CrashScene.firstPIN))
                try await vault.backUp(to: scene.backup, authorization)
                await vault.close()
            }
        ) { party in
            let authorization = try await party.authorize()
            try await party.vault().backUp(into: .file(party.scene.backup), authorization)
        },
        CrashTransition("reset") { party in
            try await party.vault().reset(ResetConfirmation(typed: ResetConfirmation.phrase))
        },
    ]

    private static let furnishAndFail: Stage = { scene in
        try await scene.furnish()
        try await failOnce(scene)
    }

    private static let failOnce: Stage = { scene in
        let vault = try await scene.open()
        try scene.device.simulate(.finger(.mismatch))
        _ = try? await vault.unlockWithBiometrics(TestVault.words)
        await vault.close()
        try await scene.guessWrong()
    }

    /// Leaves a backup that comes from another device.
    private static let backUpElsewhere: Stage = { scene in
        let source = CrashScene(root: scene.root, device: SimulatedDevice(), vfs: scene.vfs)
        try await source.furnish()
        let vault = try await source.open()
        let authorization = try await vault.unlock(with: SecretBytes(text: CrashScene.firstPIN))
        try await vault.backUp(to: scene.backup, authorization)
        await vault.close()
        try FileManager.default.removeItem(atPath: scene.vaultFolder)
    }
}
