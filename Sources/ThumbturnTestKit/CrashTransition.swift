import Foundation
package import Thumbturn

/// A call that changes a vault, to be cut off at every step.
package enum CrashTransition: String, CaseIterable, Sendable {
    case create, createWithBiometrics
    case unlock, unlockWrong, unlockByFinger, unlockRevoked
    case changePIN
    case enableBiometrics, disableBiometrics
    case importWallet, importWallets, renameWallet, deleteWallet
    case createRecoveryKey, confirmRecoveryKey, removeRecoveryKey, recoverElsewhere
    case reset
    case backUp, restore

    /// Makes what there is before the transition.
    package func prepare(_ scene: CrashScene) async throws {
        switch self {
        case .create, .createWithBiometrics:
            break
        case .enableBiometrics:
            try await scene.furnish(biometrics: false)
        case .restore:
            // The backup comes from another device.
            let source = CrashScene(root: scene.root, device: SimulatedDevice(), vfs: scene.vfs)
            try await source.furnish()
            try await CrashTransition.backUp.run(in: source)
            try FileManager.default.removeItem(atPath: scene.vaultFolder)
        case .unlock, .unlockWrong:
            try await scene.furnish()
            let vault = try await scene.open()
            try scene.device.simulate(.finger(.mismatch))
            try? await vault.unlockWithBiometrics(TestVault.words)
            for _ in 0..<2 { _ = try? await vault.unlock(with: SecretBytes(text: CrashScene.wrongPIN)) }
        case .unlockRevoked:
            try await scene.furnish()
            try scene.device.simulate(.enroll)
        case .confirmRecoveryKey:
            try await scene.furnish()
            try await scene.keepRecoveryKey(of: scene.open(), at: scene.newKey)
        case .recoverElsewhere:
            try await scene.furnish()
            try scene.device.simulate(.restoreElsewhere)
        case .unlockByFinger, .changePIN, .disableBiometrics, .importWallet, .importWallets, .renameWallet,
            .deleteWallet, .createRecoveryKey, .removeRecoveryKey, .reset, .backUp:
            try await scene.furnish()
        }
    }

    /// Does it; `arm` is called where it begins, after the unlock that it may need.
    ///
    /// - Throws: `VaultError`, and nothing else if the library keeps its word.
    package func run(in scene: CrashScene, arm: () -> Void = {}) async throws {
        switch self {
        case .create, .createWithBiometrics, .restore:
            arm()
            try await make(in: scene)
        case .unlock, .unlockWrong, .unlockByFinger, .unlockRevoked, .recoverElsewhere:
            if self == .unlockByFinger { try scene.device.simulate(.finger(.match)) }
            arm()
            try await enter(scene.open(), in: scene)
        case .changePIN, .enableBiometrics, .disableBiometrics, .createRecoveryKey, .removeRecoveryKey, .backUp,
            .deleteWallet:
            let vault = try await scene.open()
            let authorization = try await vault.unlock(with: SecretBytes(text: CrashScene.firstPIN))
            let first = try await vault.wallets().first
            arm()
            try await change(vault, first, authorization, in: scene)
        case .importWallet, .importWallets, .renameWallet, .confirmRecoveryKey, .reset:
            let vault = try await scene.open()
            try await vault.unlock(with: SecretBytes(text: CrashScene.firstPIN))
            let first = try await vault.wallets().first
            arm()
            try await change(vault, first, in: scene)
        }
    }

    /// Whether `error` is how the transition ends when nothing gets in its way.
    package func isEnd(_ error: VaultError?) -> Bool {
        self == .unlockWrong ? error?.code == .strongFactorRefused : error == nil
    }

    private func make(in scene: CrashScene) async throws {
        switch self {
        case .restore:
            _ = try await Vault.restore(
                from: scene.backup,
                in: scene.vaultFolder,
                device: scene.device.device,
                recoveryKey: SecretBytes(text: scene.text(at: scene.oldKey)),
                newSecret: SecretBytes(text: CrashScene.secondPIN),
                configuration: scene.configuration
            )
        default:
            _ = try await scene.create(biometrics: self == .createWithBiometrics)
        }
    }

    private func enter(_ vault: Vault, in scene: CrashScene) async throws {
        switch self {
        case .unlockWrong:
            try await vault.unlock(with: SecretBytes(text: CrashScene.wrongPIN))
        case .unlockByFinger:
            try await vault.unlockWithBiometrics(TestVault.words)
        case .recoverElsewhere:
            try await vault.recover(
                with: SecretBytes(text: scene.text(at: scene.oldKey)),
                newSecret: SecretBytes(text: CrashScene.secondPIN)
            )
        default:
            try await vault.unlock(with: SecretBytes(text: CrashScene.firstPIN))
        }
    }

    private func change(
        _ vault: Vault,
        _ wallet: WalletSummary?,
        _ authorization: consuming StrongAuthorization,
        in scene: CrashScene
    ) async throws {
        switch self {
        case .changePIN:
            try await vault.changeLocalSecret(to: SecretBytes(text: CrashScene.secondPIN), authorization)
        case .enableBiometrics:
            try await vault.enableBiometrics(scene.consent, authorization)
        case .disableBiometrics:
            try await vault.disableBiometrics(authorization)
        case .createRecoveryKey:
            try await vault.createRecoveryKey(authorization) { _ in }
        case .removeRecoveryKey:
            try await vault.removeRecoveryKey(authorization)
        case .deleteWallet:
            if let wallet { try await vault.deleteWallet(wallet.id, authorization) }
        default:
            try await vault.backUp(to: scene.backup, authorization)
        }
    }

    private func change(_ vault: Vault, _ wallet: WalletSummary?, in scene: CrashScene) async throws {
        switch self {
        case .importWallet:
            let (_, secret, kind) = CrashScene.wallets[0]
            try await vault.addWallet(named: WalletName("Fourth"), CrashScene.secret(secret, kind))
        case .importWallets:
            var number = 0
            try await vault.addWallets { () throws(VaultError) in
                guard number < CrashScene.wallets.count else { return nil }
                let (name, secret, kind) = CrashScene.wallets[number]
                number += 1
                return WalletImport(name: try WalletName("More \(name)"), secret: CrashScene.secret(secret, kind))
            }
        case .renameWallet:
            if let wallet { try await vault.renameWallet(wallet.id, to: WalletName("Renamed")) }
        case .confirmRecoveryKey:
            try await vault.confirmRecoveryKey(SecretBytes(text: scene.text(at: scene.newKey)))
        default:
            try await vault.reset(ResetConfirmation(typed: ResetConfirmation.phrase))
        }
    }
}
