/// What a server keeps in a password's place.
package enum SRPVerifier {
    /// Computes the verifier of a password, as long as the group's N.
    ///
    /// - Parameters:
    ///   - account: the name, opaque bytes: under another one the same password needs another verifier.
    ///   - password: opaque bytes, to be the text of what a slow derivation made.
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

    /// Refuses what can be no verifier: length, then 2 … N − 2.
    package static func check(_ verifier: borrowing SecretBytes, group: SRPGroup) throws(SRPError) {
        try group.mathematics.check(verifier)
    }

    /// Makes a number that passes for a verifier, for a name that nobody has.
    ///
    /// No power is computed, for that would take longer than the verifier of a name that somebody has, which only has to be
    /// read. Nobody knows a password that fits it.
    ///
    /// - Parameter seed: the server's own for this name, so that the number stays the same.
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
