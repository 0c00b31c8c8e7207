import Thumbturn
import ThumbturnCredentials
import ThumbturnDevice
import ThumbturnSimulator
import ThumbturnTestKit

// The credential vault: every transition of V-03 that writes something, and the prompts.
extension CrashTransition {
    static let credentials = [
        CrashTransition(
            "openCredentials",
            before: { _ in },
            from: .nothing,
            between: [{ try await $0.openCredentials().close() }]
        ) { party in
            try await party.credentials().enableKeychainVault(saving: CrashScene.newToken)
        },
        CrashTransition("storePlain", before: { try await $0.furnishCredentials(nil) }, from: isOpen) { party in
            try await party.credentials().enableKeychainVault(saving: CrashScene.newToken)
        },
        CrashTransition("storeSecured", before: { try await $0.furnishCredentials(nil) }, from: isOpen) { party in
            try party.scene.device.simulate(.finger(.match))
            try await party.credentials()
                .enableSecureVaultWithBiometrics(saving: CrashScene.newToken, TestVault.words)
        },
        CrashTransition("upgrade", before: { try await $0.furnishCredentials(.keychain) }, from: isOpen) { party in
            try party.scene.device.simulate(.finger(.match))
            try await party.credentials().upgradeKeychainWithBiometrics(TestVault.words)
        },
        CrashTransition("downgrade", before: furnishSecured, from: isUnlocked) { party in
            try await unlocked(party).downgradeBiometricsToKeychain(TestVault.words)
        },
        CrashTransition(
            "downgradeLate",
            before: furnishSecured,
            from: isUnlocked
        ) { party in
            let vault = try await unlocked(party)
            // The last touch is too long ago, so the owner is asked.
            try party.scene.device.simulate(.advance(.minutes(2)))
            try party.scene.device.simulate(.finger(.match))
            try await vault.downgradeBiometricsToKeychain(TestVault.words)
        },
        CrashTransition("disableCredentials", before: furnishSecured, from: isUnlocked) { party in
            try await unlocked(party).disableBiometricsSecureVault()
        },
        CrashTransition("unlockCredentials", before: furnishSecured, from: isOpen) { party in
            _ = try await CrashScene.read(party.credentials(), on: party.scene.device)
        },
        CrashTransition("proveOwner", before: furnishSecured, from: isOpen) { party in
            try party.scene.device.simulate(.finger(.match))
            try await party.credentials().reauthenticateOwner(TestVault.words)
        },
        CrashTransition("resetPlain", before: { try await $0.furnishCredentials(.keychain) }, from: isOpen) { party in
            try await party.credentials().reset()
        },
        CrashTransition("resetSecured", before: furnishSecured, from: isOpen) { party in
            try await party.credentials().reset()
        },
    ]

    /// The vault of credentials, which a touch unlocks where none did before.
    private static func unlocked(_ party: Party) async throws -> CredentialVault<String> {
        let vault = try await party.credentials()
        if await vault.snapshot.state == .locked { _ = try await CrashScene.read(vault, on: party.scene.device) }
        return vault
    }

    private static let isOpen = Start.credentials(unlocked: false)
    private static let isUnlocked = Start.credentials(unlocked: true)
    private static let furnishSecured: Stage = { try await $0.furnishCredentials(.biometrics) }
}
