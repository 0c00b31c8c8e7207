import Foundation
import Thumbturn
import ThumbturnDevice

/// Everything that owner and device can tell of a vault, found out by really opening it in every way there is.
///
/// Two portraits are equal when nothing was lost, gained or left behind between them.
package struct VaultPortrait: Hashable, Sendable {
    package struct Wallet: Hashable, Sendable {
        let name: String
        let kind: WalletKind
        let secret: [UInt8]
    }

    /// Why the vault does not open at all; nil when it does.
    package var absence: String?
    /// Of the PINs that exist, those that open.
    package var pins: [String] = []
    /// Of the recovery keys that were written down, those that open.
    package var recoveryKeys: [String] = []
    package var slots: [String] = []
    package var wallets: [Wallet] = []
    /// The wallets' ids, which lie in the clear before each secret.
    package var ids: [[UInt8]] = []
    package var biometrics = ""
    package var fingerOpens = false
    package var failures: UInt32 = 0
    package var biometricFailures: UInt32 = 0
    /// What the device's store holds once the vault was opened twice, and the counters.
    package var items: [String] = []
    package var hasBackup = false

    /// Looks at the vault of `scene`; that uses up a touch, and clears what a right PIN clears.
    ///
    /// - Throws: what stood in the way, other than that there is no vault.
    package static func take(of scene: CrashScene) async throws -> VaultPortrait {
        var portrait = VaultPortrait()
        do {
            try await portrait.enter(scene)
        } catch let error as VaultError where error.code == .vaultMissing || error.code == .vaultDamaged {
            // An unfinished creation leaves an empty file, which is no vault and can become one.
            portrait.absence = "no vault"
        }
        try? await scene.open().close()
        portrait.items =
            try scene.device.itemNames().map { String($0.split(separator: ".")[2]) }
            + scene.device.anchorNames().map { _ in "anchor" }
        portrait.hasBackup = FileManager.default.fileExists(atPath: scene.backup)
        return portrait
    }

    private mutating func enter(_ scene: CrashScene) async throws {
        let vault = try await scene.open()
        let snapshot = await vault.snapshot
        failures = snapshot.failedAttempts
        biometricFailures = snapshot.failedBiometricAttempts
        biometrics = "\(snapshot.biometrics)"
        slots = snapshot.slots.map { "\($0.kind.name) \($0.isConfirmed)" }.sorted()
        if snapshot.biometrics == .enabled {
            try scene.device.simulate(.finger(.match))
            fingerOpens = await Self.works { try await vault.unlockWithBiometrics(TestVault.words) }
        }
        for path in [scene.oldKey, scene.newKey] {
            let key = scene.text(at: path)
            if await Self.works({ try await vault.unlock(withRecoveryKey: SecretBytes(text: key)) }) {
                recoveryKeys.append(key)
            }
        }
        for pin in [CrashScene.firstPIN, CrashScene.secondPIN]
        where await Self.works({ try await vault.unlock(with: SecretBytes(text: pin)) }) {
            pins.append(pin)
        }
        for wallet in try await vault.wallets() {
            let secret = try await vault.withSecret(of: wallet.id) { _, bytes in bytes.exposed }
            ids.append(wallet.id.bytes)
            wallets.append(Wallet(name: wallet.name.text, kind: wallet.kind, secret: secret))
        }
        await vault.close()
    }

    private static func works<Result>(_ body: () async throws -> Result) async -> Bool {
        await (try? body()) != nil
    }

    /// The portrait without what an attempt counts and what is drawn at random.
    package var essence: VaultPortrait {
        var portrait = self
        portrait.ids = []
        portrait.failures = 0
        portrait.biometricFailures = 0
        return portrait
    }
}

extension VaultPortrait: CustomStringConvertible {
    /// Says what differs in practice, without the secrets.
    package var description: String {
        """
        \(absence ?? "vault"), PINs \(pins), \(recoveryKeys.count) recovery keys, slots \(slots), wallets \
        \(wallets.map(\.name)), biometrics \(biometrics) \(fingerOpens ? "open" : "shut"), failures \(failures) and \
        \(biometricFailures), items \(items), backup \(hasBackup)
        """
    }
}
