package import ThumbturnCrypto
import ThumbturnRules

/// Bytes that a credential vault stores as they are.
package struct RawSecret: Codable, Sendable {
    /// The bytes.
    package let held: HeldSecret

    /// Takes bytes.
    package init(_ held: HeldSecret) { self.held = held }

    /// The coding of so many bytes, or of any number.
    package static func coding(byteCount: Int? = nil) -> CredentialCoding<RawSecret> {
        CredentialCoding(
            encode: { (secret) throws(VaultError) in secret.held.bytes.copy() },
            decode: { (bytes) throws(VaultError) in
                guard byteCount == nil || bytes.byteCount == byteCount else {
                    throw VaultError(.credentialsNotRead, "size")
                }
                return RawSecret(HeldSecret(bytes.copy()))
            }
        )
    }

    // Only the coding above is used; no coder ever sees the bytes.
    package init(from decoder: any Decoder) throws { throw VaultError(.credentialsNotRead, "no coder") }

    package func encode(to encoder: any Encoder) throws { throw VaultError(.credentialsNotStored, "no coder") }
}
