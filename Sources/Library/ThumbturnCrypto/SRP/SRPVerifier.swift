/// The value that a server stores instead of a password.
package enum SRPVerifier {
    /// Computes the verifier of a password, as long as the group's N.
    ///
    /// - Parameters:
    ///   - account: the name, opaque bytes: the same password needs another verifier under another name.
    ///   - password: opaque bytes, the text output of a slow derivation.
    /// - Throws: `SRPError.backendFailed`.
    package static func make(
        group: SRPGroup,
        account: [UInt8],
        password: borrowing SecretBytes,
        salt: [UInt8]
    ) throws(SRPError) -> SecretBytes {
        let mathematics = group.mathematics
        return try mathematics.v(x: mathematics.x(s: salt, I: account, P: password))
    }

    /// Throws for an invalid verifier: checks the length, then 2 … N − 2.
    package static func check(_ verifier: borrowing SecretBytes, group: SRPGroup) throws(SRPError) {
        try group.mathematics.check(verifier)
    }

    /// Derives a number that passes for a verifier, for an unknown name.
    ///
    /// No power is computed, because that would take longer than reading the verifier of a known name. No password is
    /// known to fit it.
    ///
    /// - Parameter seed: the server's secret for this name, so that the number stays the same.
    package static func unknown(group: SRPGroup, seed: borrowing SecretBytes) -> SecretBytes {
        let input = unsafe UnsafeRawBufferPointer(seed.mutableBytes)
        let verifier = unsafe HKDFSHA256.key(
            purpose: "srp-unknown",
            context: Array(group.rawValue.utf8),
            salt: [],
            from: [input],
            byteCount: group.byteCount
        )
        // Below N, whose highest bit is set.
        let bytes = unsafe verifier.mutableBytes
        unsafe bytes[0] = unsafe bytes[0] & 0x7f
        return verifier
    }
}
