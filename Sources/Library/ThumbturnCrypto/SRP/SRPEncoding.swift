/// How numbers enter the proofs and the session key.
///
/// No standard defines it: RFC 2945 uses SHA-1, RFC 5054 leaves proofs to TLS. So implementations fall into families,
/// which differ once in about 60 to 85 logins: when A, B or S starts with a zero byte. The caller chooses the encoding,
/// never the peer.
package enum SRPEncoding: Sendable {
    /// A, B and S without leading zero bytes, g padded: PyPI's `srp` with `rfc5054_enable()`.
    case minimal
    /// All padded to the length of N: adam-fowler's `swift-srp`.
    case padded
    /// Nothing padded, and the name's digest without leading zero bytes: PyPI's `srptools`.
    case minimalUnpaddedG
}
