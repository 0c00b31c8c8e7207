public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

/// The storage of one former app's wallet: sealed under a PIN, behind biometrics, or both.
///
/// It is only read and erased, never written. Answers are present, absent, or unavailable, which throws. Answer
/// "absent" only when certain.
public protocol LegacyWallet: Sendable {
    /// Whether guesses at the PIN can only be made here, so that the vault counts them.
    ///
    /// False for a plain file: a process that can read it can copy it and guess elsewhere.
    var countsGuesses: Bool { get }

    /// Reads what is sealed under the PIN or password; never prompts.
    ///
    /// - Returns: nil when there is certainly nothing.
    /// - Throws: `.unavailable` when the answer is unknown.
    func readSealed() async throws(DeviceRefusal) -> SecretBytes?

    /// Returns what is stored behind biometrics, without a prompt.
    ///
    /// - Returns: nil when there is certainly nothing.
    /// - Throws: `.unavailable` when the answer is unknown.
    func findBiometric() async throws(DeviceRefusal) -> LegacyBiometric?

    /// Reads what is stored behind biometrics; the read shows the prompt.
    ///
    /// - Throws: how the prompt ended, `.absent`, or `.unavailable`.
    func readBiometric(_ prompt: PromptText) async throws(DeviceRefusal) -> SecretBytes

    /// Erases what is sealed under the PIN, if its SHA-256 is still `digest`.
    ///
    /// - Throws: `.unavailable` when it may still exist, `.unclassified` when its content has changed.
    func eraseSealed(digest: [UInt8]) async throws(DeviceRefusal)

    /// Erases what is stored behind biometrics, without a prompt.
    ///
    /// - Throws: `.unavailable` when it may still exist.
    func eraseBiometric() async throws(DeviceRefusal)
}

/// What a former app stored behind biometrics.
@nonexhaustive
public enum LegacyBiometric: Hashable, Sendable, CaseIterable {
    /// The mnemonic itself.
    case mnemonic
    /// The PIN under which the wallet is sealed.
    case pin
}

/// A former app's wallet, and how it becomes a wallet of a vault.
public struct LegacyMigration: Sendable {
    /// The storage of the wallet.
    package let wallet: any LegacyWallet
    /// The wallet's name in the vault.
    package let name: WalletName
    /// How to interpret the content: a mnemonic, or the bytes as they are if the owner asks for that.
    package var kind = WalletKind.mnemonic
    /// The policy of a vault that is created for it.
    package let policy: VaultPolicy
    /// The implementation for Argon2id with several lanes, if the former app used them.
    package let argon2id: LegacyArgon2id?
    /// The text of the system's prompt when the PIN completes a migration that biometrics started.
    let prompt: PromptText

    /// Describes a migration.
    ///
    /// With the text of `prompt`, ``Vault/unlock(with:)`` asks once more for the finger or face that created the vault,
    /// so that the PIN gets the same key (K-08).
    public init(
        of wallet: any LegacyWallet,
        named name: WalletName,
        policy: VaultPolicy = .wallet,
        argon2id: LegacyArgon2id? = .builtIn,
        prompt: PromptText = PromptText(reason: "Finish moving your wallet")
    ) {
        self.wallet = wallet
        self.name = name
        self.policy = policy
        self.argon2id = argon2id
        self.prompt = prompt
    }
}
