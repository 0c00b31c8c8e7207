import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// Finishing what a finger or face began with a former app's wallet (K-08): the former PIN, and what that turns out to need.
extension AppUnlockObject {
    /// What was given so far; it ends with the background, a lock, and an answer that goes no further.
    struct Completion {
        let former: HeldSecret
        var new: HeldSecret?
        var name: WalletName?
        var goesWithout = false
    }

    /// Finishes moving a former app's wallet before something is changed: before a wallet is created or imported, or biometrics
    /// are disabled.
    ///
    /// In a half migrated vault `screen` becomes `.completion(.secret)`, which asks for the former PIN, and what was begun waits:
    ///
    /// ```swift
    /// guard await lock.finishMoving() else { return }
    /// try await vault.addWallet(named: name, .newMnemonic(words: .twelve))
    /// ```
    ///
    /// - Returns: whether the vault may be changed now; false where its owner, a lock or the background has ended it.
    public func finishMoving() async -> Bool { await askForFormerPIN() }

    /// Gives a new PIN or password in the place of a former one that the vault's rules refuse; the app has asked for it twice.
    public func chooseSecret(_ secret: borrowing SecretBytes) async {
        let new = HeldSecret(secret.copy())
        await complete { $0.new = new }
    }

    /// Names the wallet under the PIN, which is another one than that behind biometrics: both are kept.
    public func keepBoth(as text: String) async {
        guard let name = try? WalletName(text) else { return refuse(.nameInvalid) }
        await complete { $0.name = name }
    }

    /// Asks for the finger or face once more.
    public func askBiometricsAgain() async { await complete { _ in } }

    /// Does without biometrics, as the owner was told: the vault gets a new key, and they are offered again.
    public func goOnWithoutBiometrics() async { await complete { $0.goesWithout = true } }

    /// Leaves all as it is: the wallet stays half moved.
    public func stopMoving() { leaveHalf() }
}
