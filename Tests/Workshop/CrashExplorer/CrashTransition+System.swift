import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnSimulator
import ThumbturnTestKit

// System authentication, in and out.
extension CrashTransition {
    static let system = enteringSystemMode + inSystemMode

    private static let enteringSystemMode = [
        CrashTransition("enableSystem") { party in
            let authorization = try await party.authorize()
            let scene = party.scene
            try await party.vault()
                .enableSystemAuthentication(offer(), scene.consent(to: .enabling), authorization)
        },
        CrashTransition("enableSystemByFinger", from: .locked) { party in
            let scene = party.scene
            try scene.device.simulate(.finger(.match))
            try await party.vault()
                .enableSystemAuthentication(
                    offer(),
                    scene.consent(to: .enabling),
                    byBiometrics: TestVault.words
                )
        },
    ]

    private static let inSystemMode = [
        CrashTransition("unlockSystem", before: furnishSystem, from: .locked, yields: true) { party in
            try await WayIn.finger.enter(party.vault(), in: party.scene)
        },
        CrashTransition("disableSystem", before: furnishSystem) { party in
            let (vault, scene) = (try await party.vault(), party.scene)
            try scene.device.simulate(.finger(.match))
            let exit = try await vault.confirmSystemExit(scene.consent(to: .disabling), TestVault.words)
            try await vault.disableSystemAuthentication(exit, newSecret: SecretBytes(text: CrashScene.secondPIN))
        },
        CrashTransition("importWalletInSystemMode", before: furnishSystem) { party in
            _ = try await party.wallet()
            let (_, secret, kind) = CrashScene.wallets[0]
            try await party.vault().addWallet(named: WalletName("Fourth"), CrashScene.secret(secret, kind))
        },
        CrashTransition("recoverFromSystem", before: furnishSystem, from: .locked) { party in
            try await party.vault().recover(
                with: SecretBytes(text: party.scene.text(at: party.scene.oldKey)),
                newSecret: SecretBytes(text: CrashScene.secondPIN)
            )
        },
        CrashTransition(
            "recoverWithoutPasscode",
            before: { scene in
                try await furnishSystem(scene)
                try scene.device.simulate(.passcodeOff)
            },
            from: .locked
        ) { party in
            try await party.vault().recover(
                with: SecretBytes(text: party.scene.text(at: party.scene.oldKey)),
                newSecret: SecretBytes(text: CrashScene.secondPIN)
            )
        },
        CrashTransition(
            "resetSystem",
            before: furnishSystem,
            between: [
                // The counter that vouches for the deletion of the system's key comes before the transaction.
                { scene in
                    for name in try scene.device.itemNames() {
                        guard let item = ItemName(text: name), item.purpose == .system else { continue }
                        _ = try await scene.device.rise(to: 1, for: item)
                    }
                }
            ]
        ) { party in
            try await party.vault().reset(ResetConfirmation(typed: ResetConfirmation.phrase))
        },
    ]

    private static let furnishSystem: Stage = { scene in
        try await scene.furnish()
        let party = Party(in: scene)
        let authorization = try await party.authorize()
        try await party.vault().enableSystemAuthentication(offer(), scene.consent(to: .enabling), authorization)
        await party.close()
    }

    private static func offer() throws -> SystemModeOffer {
        guard let offer = SystemModeFlag.open.offer(to: "anybody") else { throw PartyError() }
        return offer
    }
}

extension CrashScene {
    fileprivate func consent(to warning: SystemModeWarning) -> SystemModeConsent {
        SystemModeConsent(to: warning, ownerAgreedAt: device.device.clock())
    }
}
