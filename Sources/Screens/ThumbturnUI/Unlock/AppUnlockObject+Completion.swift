import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// Completing the migration of an earlier app's wallet that a finger or face started (K-08): needs the former PIN, and
// possibly more.
extension AppUnlockObject {
    /// The inputs so far; they are forgotten in the background, after a lock, and after a final answer.
    struct Completion {
        let former: HeldSecret
        var new: HeldSecret?
        var name: WalletName?
        var goesWithout = false
    }

    /// Completes the migration of an earlier app's wallet before a change: creating or importing a wallet, or disabling
    /// biometrics.
    ///
    /// In a half migrated vault `screen` becomes `.completion(.secret)`, which asks for the former PIN, and the change
    /// waits:
    ///
    /// ```swift
    /// guard await lock.finishMoving() else { return }
    /// try await vault.addWallet(named: name, .newMnemonic(words: .twelve))
    /// ```
    ///
    /// - Returns: whether the vault may be changed now; false if its owner, a lock or the background ended the
    ///   migration.
    public func finishMoving() async -> Bool { await askForFormerPIN() }

    /// Replaces a former PIN or password that the vault's rules refuse; the app has asked for the new one twice.
    public func chooseSecret(_ secret: borrowing SecretBytes) async {
        let new = HeldSecret(secret.copy())
        await complete { $0.new = new }
    }

    /// Keeps both wallets if that under the PIN differs from that behind biometrics, and names the one under the PIN.
    public func keepBoth(as text: String) async {
        guard let name = try? WalletName(text) else { return refuse(.nameInvalid) }
        await complete { $0.name = name }
    }

    /// Prompts for the finger or face once more.
    public func askBiometricsAgain() async { await complete { _ in } }

    /// Continues without biometrics, as the owner was told: the vault gets a new key, and offers them again.
    public func goOnWithoutBiometrics() async { await complete { $0.goesWithout = true } }

    /// Stops here: the wallet stays half migrated.
    public func stopMoving() { leaveHalf() }
}
