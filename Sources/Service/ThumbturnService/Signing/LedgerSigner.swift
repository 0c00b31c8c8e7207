/// A key that signs the heads of the audit ledger, in a file or on a token.
///
/// Not `Sendable`: only one thread uses a signer, and a second thread opens its own. A token that hangs cannot be
/// interrupted, so that thread does nothing else that must not wait.
package protocol LedgerSigner: AnyObject {
    /// SubjectPublicKeyInfo in DER, 91 bytes; the same for the signer's whole life.
    var publicKey: [UInt8] { get }

    /// Signs `message` by ECDSA on P-256 with SHA-256; the message is hashed here.
    ///
    /// - Returns: ECDSA-Sig-Value in DER. The caller verifies it before it counts: a token may compute wrongly.
    /// - Throws: `.gone` while a token is away. The next call looks for it again.
    func sign(_ message: [UInt8]) throws(SignerError) -> [UInt8]
}
