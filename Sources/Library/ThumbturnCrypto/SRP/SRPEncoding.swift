/// How numbers enter the proofs and the session key.
///
/// No standard says it: RFC 2945 speaks of SHA-1, RFC 5054 leaves proofs to TLS. So there are families, which differ once
/// in about 60 to 85 logins: when A, B or S begins with a zero byte. The caller chooses, never the peer.
package enum SRPEncoding: Sendable {
    /// A, B and S without zero bytes in front, g padded: PyPI's `srp` with `rfc5054_enable()`.
    case minimal
    /// All as long as N: adam-fowler's `swift-srp`.
    case padded
    /// Nothing padded, and the digest of the name without zero bytes in front: PyPI's `srptools`.
    case minimalUnpaddedG
}
