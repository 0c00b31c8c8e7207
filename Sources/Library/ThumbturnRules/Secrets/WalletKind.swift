/// The kind of secret in a wallet.
@nonexhaustive
public enum WalletKind: UInt8, Hashable, Sendable, CaseIterable {
    /// The entropy of a BIP-39 mnemonic, 16 to 32 bytes.
    case mnemonic = 1
    /// A private key of 32 bytes.
    case privateKey = 2
    /// Bytes that the vault does not interpret.
    case opaque = 3

    /// The name as it appears in JSON.
    package var name: String {
        switch self {
        case .mnemonic: "mnemonic"
        case .privateKey: "privateKey"
        case .opaque: "opaque"
        }
    }
}
