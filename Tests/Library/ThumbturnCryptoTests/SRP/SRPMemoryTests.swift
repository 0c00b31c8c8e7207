#if canImport(COpenSSL)
import Testing

@testable import ThumbturnCrypto

/// What a scan of the whole process finds of a login after it ended.
@Suite(.serialized) struct SRPMemoryTests {
    /// A secret, and the same as OpenSSL keeps numbers: the lowest byte first.
    private static func traces(of secret: MaskedSecret) -> Int { secret.traces() + secret.reversed.traces() }

    private static let account = SRPAccount(group: .bits3072)

    @Test(.holds("A54"), arguments: [32, 384])
    func `control: a number that lives is found, an ended one is not`(byteCount: Int) {
        let masked = MaskedSecret.make(byteCount)
        do {
            let number = ModularNumber(masked.load())
            #expect(Self.traces(of: masked) > 0)
            _ = consume number
        }
        #expect(Self.traces(of: masked) == 0)
    }

    @Test(.holds("SRP-12", "A54"), arguments: [true, false])
    func `a login leaves neither password nor secrets, verifier or key, accepted or refused`(isAccepted: Bool) throws {
        let mathematics = Self.account.group.mathematics
        let password = MaskedSecret.make()
        let a = MaskedSecret.make()
        let b = MaskedSecret.make()
        let A = try mathematics.A(a: a.load())
        var secrets = ["password": password, "a": a, "b": b]
        let B: [UInt8]
        do {
            let x = mathematics.x(s: Self.account.salt, I: Self.account.name, P: password.load())
            let v = try mathematics.v(x: x)
            B = try mathematics.B(b: b.load(), v: v)
            let S = try mathematics.S(B: B, x: x, u: mathematics.u(A: A, B: B), a: a.load())
            let proofs = mathematics.proofs(I: [], s: [], A: A, B: B, S: S, encoding: .minimal)
            secrets["x"] = MaskedSecret(of: x)
            secrets["v"] = MaskedSecret(of: v)
            secrets["S"] = MaskedSecret(of: S)
            secrets["K"] = MaskedSecret(of: proofs.K)
        }

        let thread = PausedThread {
            let error = srpError { () throws(SRPError) in
                let x = mathematics.x(s: Self.account.salt, I: Self.account.name, P: password.load())
                let server = try SRPServerHandshake(
                    group: Self.account.group,
                    verifier: mathematics.v(x: x),
                    drawn: b.load(),
                    encoding: .minimal
                )
                let client = try SRPClientHandshake(
                    group: Self.account.group,
                    account: Self.account.name,
                    password: password.load(),
                    drawn: a.load(),
                    encoding: .minimal
                )
                let proof = try client.answer(salt: Self.account.salt, serverValue: B)
                let session = try server.finish(
                    account: Self.account.name,
                    salt: Self.account.salt,
                    clientValue: A,
                    proof: isAccepted ? proof.proof : []
                )
                let serverProof = session.proof
                return try proof.confirm(serverProof)
            }
            #expect(error == (isAccepted ? nil : .proofRefused))
        }
        defer { thread.finish() }
        for (name, secret) in secrets { #expect(Self.traces(of: secret) == 0, "\(name)") }
    }
}
#endif
