/// The server's half of one login.
///
/// A step consumes its value, so a proof can't be tried twice and no step can be skipped: such code does not compile.
///
/// An attacker with the verifier can impersonate the server, so it is kept as a secret.
package struct SRPServerHandshake: ~Copyable, Sendable {
    /// B, as long as the group's N.
    package let publicValue: [UInt8]

    private let group: SRPGroup
    private let encoding: SRPEncoding
    private let verifier: SecretBytes
    private let secret: SecretBytes

    /// Begins a login: generates b and computes B.
    ///
    /// - Parameter verifier: the account's, or `SRPVerifier.unknown(group:seed:)`.
    /// - Throws: `SRPError.wrongLength` or `.outOfRange` for an invalid verifier, or `.backendFailed`.
    package init(group: SRPGroup, verifier: borrowing SecretBytes, encoding: SRPEncoding = .minimal) throws(SRPError) {
        try self.init(group: group, verifier: verifier, drawn: .random(byteCount: 32), encoding: encoding)
    }

    /// Begins with a given b: only for test vectors and the benchmark, because one used twice helps to guess the
    /// password.
    package init(
        group: SRPGroup,
        verifier: borrowing SecretBytes,
        drawn secret: consuming SecretBytes,
        encoding: SRPEncoding
    ) throws(SRPError) {
        try SRPVerifier.check(verifier, group: group)
        let publicValue = try group.mathematics.B(b: secret, v: verifier)
        self.init(group: group, verifier: verifier, secret: secret, publicValue: publicValue, encoding: encoding)
    }

    /// Resumes a login from a store.
    ///
    /// - Parameters:
    ///   - verifier: the one with which the login began.
    ///   - secret: `copyOfSecret()`.
    ///   - publicValue: B as it was sent.
    package init(
        group: SRPGroup,
        verifier: borrowing SecretBytes,
        secret: consuming SecretBytes,
        publicValue: [UInt8],
        encoding: SRPEncoding = .minimal
    ) {
        self.group = group
        self.verifier = verifier.copy()
        self.secret = secret
        self.publicValue = publicValue
        self.encoding = encoding
    }

    /// Duplicates b, 32 bytes, for a store that seals it.
    package borrowing func copyOfSecret() -> SecretBytes { secret.copy() }

    /// Throws for an A that would reveal the secret, before any power is computed: checks the length, then 2 … N − 2.
    package static func check(_ clientValue: [UInt8], group: SRPGroup) throws(SRPError) {
        try group.mathematics.check(clientValue)
    }

    /// Ends the login: checks the client's proof, and only then returns ours.
    ///
    /// - Parameters:
    ///   - account: the name as it was enrolled, opaque bytes.
    ///   - salt: as it was sent.
    ///   - clientValue: A.
    ///   - proof: M1.
    /// - Throws: `SRPError.proofRefused` for a wrong password or for a proof of another login; `.wrongLength` or
    ///   `.outOfRange` as `check(_:group:)`; `.backendFailed`. There is no session then.
    package consuming func finish(
        account: [UInt8],
        salt: [UInt8],
        clientValue: [UInt8],
        proof: [UInt8]
    ) throws(SRPError) -> SRPServerSession {
        let mathematics = group.mathematics
        try mathematics.check(clientValue)
        try mathematics.check(verifier)
        let u = mathematics.u(A: clientValue, B: publicValue)
        let premaster = try mathematics.S(A: clientValue, v: verifier, u: u, b: secret)
        let proofs = mathematics.proofs(
            I: account,
            s: salt,
            A: clientValue,
            B: publicValue,
            S: premaster,
            encoding: encoding
        )
        guard proofs.M1.isProof(proof) else { throw .proofRefused }
        return SRPServerSession(proofs)
    }
}

/// A login that the client has proved.
package struct SRPServerSession: ~Copyable, Sendable {
    /// M2, for the client.
    package let proof: [UInt8]
    /// K, 32 bytes: keys are derived from it, but it is never used as one.
    package let key: SecretBytes

    fileprivate init(_ proofs: consuming SRPProofs) {
        proof = proofs.M2.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) } }
        key = proofs.K.copy()
    }
}
