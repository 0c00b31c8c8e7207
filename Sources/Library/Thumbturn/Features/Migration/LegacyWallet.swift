public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

/// Where a former app kept one wallet: sealed under a PIN, behind biometrics, or both.
///
/// It is only read and erased, never written. Answers are three-valued: present, absent, unavailable, which throws. "Absent"
/// is said only where it is certain.
public protocol LegacyWallet: Sendable {
    /// Whether guesses at the PIN can only be made here, so that the vault counts them.
    ///
    /// False for a plain file, which anybody who can name it can copy and guess at elsewhere.
    var countsGuesses: Bool { get }

    /// Reads what is sealed under the PIN or password; it never prompts.
    ///
    /// - Returns: nil when it is certain that there is nothing.
    /// - Throws: `.unavailable` when nothing can be said.
    func readSealed() async throws(DeviceRefusal) -> SecretBytes?

    /// Tells what lies behind biometrics, without a prompt.
    ///
    /// - Returns: nil when it is certain that there is nothing.
    /// - Throws: `.unavailable` when nothing can be said.
    func findBiometric() async throws(DeviceRefusal) -> LegacyBiometric?

    /// Reads what lies behind biometrics; the read is the prompt.
    ///
    /// - Throws: how the prompt ended, `.absent`, or `.unavailable`.
    func readBiometric(_ prompt: PromptText) async throws(DeviceRefusal) -> SecretBytes

    /// Erases what is sealed under the PIN, provided that its SHA-256 is still `digest`.
    ///
    /// - Throws: `.unavailable` when it may still be there, `.unclassified` when it is another one by now.
    func eraseSealed(digest: [UInt8]) async throws(DeviceRefusal)

    /// Erases what lies behind biometrics, without a prompt.
    ///
    /// - Throws: `.unavailable` when it may still be there.
    func eraseBiometric() async throws(DeviceRefusal)
}

/// What a former app kept behind biometrics.
@nonexhaustive
public enum LegacyBiometric: Hashable, Sendable, CaseIterable {
    /// The mnemonic as it is.
    case mnemonic
    /// The PIN, with the wallet sealed under it.
    case pin
}

/// What a former app left, and how it becomes a wallet of a vault.
public struct LegacyMigration: Sendable {
    /// Where it is.
    package let wallet: any LegacyWallet
    /// What the wallet is called in the vault.
    package let name: WalletName
    /// What it is taken for: a mnemonic, or for its owner's asking the bytes as they are.
    package var kind = WalletKind.mnemonic
    /// The rules of a vault that is made for it.
    package let policy: VaultPolicy
    /// What derives with several lanes, where the former app did.
    package let argon2id: LegacyArgon2id?
    /// What the system's prompt says when the PIN completes what biometrics began.
    let prompt: PromptText

    /// Describes what is to be migrated.
    ///
    /// With the words of `prompt`, ``Vault/unlock(with:)`` asks for the finger or face once more where that made the vault, so
    /// that the PIN gets the same key (K-08).
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
