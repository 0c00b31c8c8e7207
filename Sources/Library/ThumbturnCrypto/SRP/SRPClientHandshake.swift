/// The client's half of one login before its password is ready: the slow derivation needs a salt, which comes with B.
package struct SRPClientOpening: ~Copyable, Sendable {
    /// A, as long as the group's N.
    package let publicValue: [UInt8]
    private let group: SRPGroup
    private let secret: SecretBytes

    /// Generates a and computes A.
    ///
    /// - Throws: `SRPError.backendFailed`.
    package init(group: SRPGroup) throws(SRPError) {
        secret = .random(byteCount: 32)
        publicValue = try group.mathematics.A(a: secret)
        self.group = group
    }

    /// Continues with name and password, as `SRPClientHandshake` does.
    package consuming func handshake(
        account: [UInt8],
        password: borrowing SecretBytes,
        encoding: SRPEncoding = .minimal
    ) -> SRPClientHandshake {
        SRPClientHandshake(
            opened: publicValue,
            group: group,
            account: account,
            password: password,
            drawn: secret.copy(),
            encoding: encoding
        )
    }
}

/// The client's half of one login, up to A.
///
/// A step consumes its value, so no step can be repeated or skipped: such code does not compile.
package struct SRPClientHandshake: ~Copyable, Sendable {
    /// A, as long as the group's N.
    package let publicValue: [UInt8]

    private let group: SRPGroup
    private let encoding: SRPEncoding
    private let account: [UInt8]
    private let password: SecretBytes
    private let secret: SecretBytes

    /// Begins a login: generates a and computes A.
    ///
    /// - Parameters:
    ///   - account: the name as it was enrolled, opaque bytes.
    ///   - password: opaque bytes, the text output of a slow derivation: SRP itself does not slow down an attacker.
    /// - Throws: `SRPError.backendFailed`.
    package init(
        group: SRPGroup,
        account: [UInt8],
        password: borrowing SecretBytes,
        encoding: SRPEncoding = .minimal
    ) throws(SRPError) {
        try self.init(
            group: group,
            account: account,
            password: password,
            drawn: .random(byteCount: 32),
            encoding: encoding
        )
    }

    /// Begins with a given a: only for test vectors.
    init(
        group: SRPGroup,
        account: [UInt8],
        password: borrowing SecretBytes,
        drawn secret: consuming SecretBytes,
        encoding: SRPEncoding
    ) throws(SRPError) {
        let publicValue = try group.mathematics.A(a: secret)
        self.init(
            opened: publicValue,
            group: group,
            account: account,
            password: password,
            drawn: secret,
            encoding: encoding
        )
    }

    fileprivate init(
        opened publicValue: [UInt8],
        group: SRPGroup,
        account: [UInt8],
        password: borrowing SecretBytes,
        drawn secret: consuming SecretBytes,
        encoding: SRPEncoding
    ) {
        self.publicValue = publicValue
        self.group = group
        self.account = account
        self.password = password.copy()
        self.secret = secret
        self.encoding = encoding
    }

    /// Answers the server's B with a proof that the password is known.
    ///
    /// - Throws: `SRPError.wrongLength` or `.outOfRange` for a B with which a false server would know the secret, or
    ///   `.backendFailed`.
    package consuming func answer(salt: [UInt8], serverValue: [UInt8]) throws(SRPError) -> SRPClientProof {
        let mathematics = group.mathematics
        try mathematics.check(serverValue)
        let x = mathematics.x(s: salt, I: account, P: password)
        let u = mathematics.u(A: publicValue, B: serverValue)
        let premaster = try mathematics.S(B: serverValue, x: x, u: u, a: secret)
        return SRPClientProof(
            mathematics.proofs(I: account, s: salt, A: publicValue, B: serverValue, S: premaster, encoding: encoding)
        )
    }
}

/// The client's half of one login, from its own proof to the server's.
///
/// The key exists already, but is returned only after the server has proved that it has it too.
package struct SRPClientProof: ~Copyable, Sendable {
    /// M1, for the server.
    package let proof: [UInt8]
    private let expected: SecretBytes
    private let key: SecretBytes

    fileprivate init(_ proofs: consuming SRPProofs) {
        proof = proofs.M1.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) } }
        expected = proofs.M2.copy()
        key = proofs.K.copy()
    }

    /// Ends the login: checks the server's proof, M2, and only then returns the key.
    ///
    /// - Throws: `SRPError.proofRefused` for a server that has no verifier of this password.
    package consuming func confirm(_ serverProof: [UInt8]) throws(SRPError) -> SRPClientSession {
        guard expected.isProof(serverProof) else { throw .proofRefused }
        return SRPClientSession(key: key.copy())
    }
}

/// A login that both sides have proved: only a verified proof of the server creates one.
public struct SRPClientSession: ~Copyable, Sendable {
    /// K, 32 bytes: keys are derived from it, but it is never used as one.
    package let key: SecretBytes

    fileprivate init(key: consuming SecretBytes) { self.key = key }
}
