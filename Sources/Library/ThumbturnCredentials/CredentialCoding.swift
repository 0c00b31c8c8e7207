package import ThumbturnCrypto
import ThumbturnRules

/// Encodes credentials as bytes in wiped memory, and decodes them.
package struct CredentialCoding<Credentials>: Sendable {
    /// Encodes credentials; the result may be at most 1 MiB.
    package let encode: @Sendable (Credentials) throws(VaultError) -> SecretBytes
    /// Decodes credentials; throws `.credentialsNotRead` for bytes that are not of this type.
    package let decode: @Sendable (borrowing SecretBytes) throws(VaultError) -> Credentials

    /// Creates a custom coding, which must always be able to decode what it once encoded.
    package init(
        encode: @escaping @Sendable (Credentials) throws(VaultError) -> SecretBytes,
        decode: @escaping @Sendable (borrowing SecretBytes) throws(VaultError) -> Credentials
    ) {
        (self.encode, self.decode) = (encode, decode)
    }
}
