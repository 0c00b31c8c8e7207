package import ThumbturnCrypto
import ThumbturnRules

/// How credentials become bytes in memory that is wiped, and come back.
package struct CredentialCoding<Credentials>: Sendable {
    /// Writes credentials; at most 1 MiB of what it gives is stored.
    package let encode: @Sendable (Credentials) throws(VaultError) -> SecretBytes
    /// Reads credentials; it throws `.credentialsNotRead` for bytes that are not of this type.
    package let decode: @Sendable (borrowing SecretBytes) throws(VaultError) -> Credentials

    /// A way of one's own, which is to read for ever what it once wrote.
    package init(
        encode: @escaping @Sendable (Credentials) throws(VaultError) -> SecretBytes,
        decode: @escaping @Sendable (borrowing SecretBytes) throws(VaultError) -> Credentials
    ) {
        (self.encode, self.decode) = (encode, decode)
    }
}
