#if canImport(COpenSSL)
import Testing

@testable import ThumbturnCrypto

/// Attacks on the mathematics of a login, by their numbers in `docs/threat-model/account.md`.
@Suite struct SRPAttackTests {
    // MARK: values that give the secret away

    @Test(.holds("A48", "SRP-1", "SRP-3", "SRP-20"))
    func `a server refuses every unsafe A, also with the proof that belongs to it`() throws {
        let values = try RefusedValue.all()
        #expect(values.count == 33)
        for value in values {
            let account = SRPAccount(group: value.group)
            let expected = value.bytes.count == value.group.byteCount ? SRPError.outOfRange : .wrongLength
            let checked = srpError { () throws(SRPError) in
                try SRPServerHandshake.check(value.bytes, group: value.group)
            }
            #expect(checked == expected, "\(value.group), \(value.id)")
            let error = srpError { () throws(SRPError) in
                let server = try account.server()
                let serverValue = server.publicValue
                return try server.finish(
                    account: account.name,
                    salt: account.salt,
                    clientValue: value.bytes,
                    proof: Self.proofOfNothing(account, clientValue: value.bytes, serverValue: serverValue)
                )
            }
            #expect(error == expected, "\(value.group), \(value.id)")
        }
    }

    @Test(.holds("A48", "SRP-2", "SRP-3")) func `a client refuses every unsafe B`() throws {
        for value in try RefusedValue.all() {
            let error = srpError { () throws(SRPError) in
                try SRPAccount(group: value.group).client().answer(salt: [1], serverValue: value.bytes)
            }
            #expect(
                error == (value.bytes.count == value.group.byteCount ? .outOfRange : .wrongLength),
                "\(value.group), \(value.id)"
            )
        }
    }

    @Test(.holds("SRP-3"), arguments: SRPGroup.allCases)
    func `2 and N − 2 are the first and the last that pass`(group: SRPGroup) {
        let N = group.mathematics.N
        for distance in UInt8(0)...3 {
            let low = [UInt8](repeating: 0, count: N.count - 1) + [distance]
            let high = Array(N.dropLast()) + [N[N.count - 1] - distance]
            for value in [low, high] {
                let error = srpError { () throws(SRPError) in try SRPServerHandshake.check(value, group: group) }
                #expect(error == (distance < 2 ? .outOfRange : nil), "\(distance)")
            }
        }
    }

    @Test(.holds("SRP-4")) func `neither side computes with a u of 0`() throws {
        let account = SRPAccount()
        let mathematics = account.group.mathematics
        let nothing = SecretBytes([UInt8](repeating: 0, count: 32))
        let (A, B) = (try account.client().publicValue, try account.server().publicValue)
        let server = srpError { () throws(SRPError) in
            try mathematics.S(A: A, v: account.verifier(), u: nothing, b: .random(byteCount: 32))
        }
        let client = srpError { () throws(SRPError) in
            try mathematics.S(B: B, x: .random(byteCount: 32), u: nothing, a: .random(byteCount: 32))
        }
        #expect(server == .outOfRange)
        #expect(client == .outOfRange)
    }

    /// B = k·v + r makes S = r^(a + u·x), which for r of 0, 1 and N − 1 needs no a.
    @Test(.holds("SRP-5"), arguments: SRPGroup.allCases)
    func `a client refuses the B of a server that holds the verifier and wants S to be 0, 1 or N − 1`(
        group: SRPGroup
    ) throws {
        let account = SRPAccount(group: group)
        let mathematics = group.mathematics
        let arithmetic = ModularPower(modulus: mathematics.N)
        let masked = try arithmetic.product(ModularNumber(mathematics.k), ModularNumber(account.verifier()))
        let one = ModularNumber([1])
        let forged = try [
            Self.bytes(masked, group), Self.bytes(arithmetic.sum(masked, one), group),
            Self.bytes(arithmetic.difference(masked, one), group),
        ]
        for value in forged {
            #expect(srpError { () throws(SRPError) in try SRPServerHandshake.check(value, group: group) } == nil)
            let error = srpError { () throws(SRPError) in
                try account.client().answer(salt: account.salt, serverValue: value)
            }
            #expect(error == .outOfRange)
        }
    }

    @Test(.holds("SRP-1"), arguments: SRPGroup.allCases)
    func `a server refuses an S of 0, 1 or N − 1, whatever A led to it`(group: SRPGroup) throws {
        let mathematics = group.mathematics
        let zeros = [UInt8](repeating: 0, count: group.byteCount - 1)
        let last = Array(mathematics.N.dropLast() + [mathematics.N[group.byteCount - 1] - 1])  // N is odd
        for A in [zeros + [0], zeros + [1], last] {
            for b: UInt8 in [2, 3] {
                let error = srpError { () throws(SRPError) in
                    try mathematics.S(A: A, v: SecretBytes([1]), u: SecretBytes([5]), b: SecretBytes([b]))
                }
                #expect(error == .outOfRange)
            }
        }
    }

    // MARK: proofs

    @Test(.holds("SRP-8", "SRP-9"))
    func `a proof that differs in any bit, or in length, is refused and gets no proof back`() throws {
        let account = SRPAccount()
        let client = try account.client()
        let clientValue = client.publicValue
        let begun = try account.server()
        let serverValue = begun.publicValue
        let proof = try client.answer(salt: account.salt, serverValue: serverValue).proof
        let finish = { (proof: [UInt8]) in
            srpError { () throws(SRPError) in
                try SRPServerHandshake(
                    group: account.group,
                    verifier: account.verifier(),
                    secret: begun.copyOfSecret(),
                    publicValue: serverValue
                ).finish(account: account.name, salt: account.salt, clientValue: clientValue, proof: proof)
            }
        }
        #expect(finish(proof) == nil)
        for forged in Self.forgeries(of: proof) { #expect(finish(forged) == .proofRefused) }
    }

    @Test(.holds("SRP-10"))
    func `a server without the verifier proves nothing: not at random, not with the client's own proof`() throws {
        let account = SRPAccount()
        // Confirming uses the client up, so each forgery meets one of its own.
        func confirm(_ forge: (_ client: [UInt8], _ server: [UInt8]) -> [UInt8]) -> SRPError? {
            srpError { () throws(SRPError) in
                let client = try account.client()
                let clientValue = client.publicValue
                let server = try account.server()
                let proof = try client.answer(salt: account.salt, serverValue: server.publicValue)
                let session = try server.finish(
                    account: account.name,
                    salt: account.salt,
                    clientValue: clientValue,
                    proof: proof.proof
                )
                let forged = forge(proof.proof, session.proof)
                return try proof.confirm(forged)
            }
        }
        #expect(confirm { _, server in server } == nil)
        #expect(confirm { client, _ in client } == .proofRefused)
        #expect(confirm { _, _ in RandomBytes.make(32) } == .proofRefused)
        #expect(confirm { _, _ in [] } == .proofRefused)
        for bit in 0..<256 {
            #expect(confirm { _, server in Self.flip(bit, of: server) } == .proofRefused)
        }
    }

    // MARK: secrets of a run

    @Test(.holds("SRP-12")) func `a thousand logins have a thousand A and a thousand B`() throws {
        let account = SRPAccount()
        let verifier = try account.verifier()
        var seen: Set<[UInt8]> = []
        for _ in 0..<1_000 {
            seen.insert(try SRPServerHandshake(group: account.group, verifier: verifier).publicValue)
            seen.insert(try account.client().publicValue)
        }
        #expect(seen.count == 2_000)
    }

    // MARK: widths

    @Test func `a B whose first byte is 0 keeps it, and the login with it goes on`() throws {
        let account = SRPAccount()
        let verifier = try account.verifier()
        let mathematics = account.group.mathematics
        // One of 256 begins so.
        let drawn = try #require(
            try (1...UInt16(8_192)).lazy.map { (number) -> [UInt8] in [UInt8(number >> 8), UInt8(number & 0xFF)] }
                .first { try mathematics.B(b: SecretBytes($0), v: verifier)[0] == 0 }
        )
        let server = try SRPServerHandshake(
            group: account.group,
            verifier: verifier,
            drawn: SecretBytes(drawn),
            encoding: account.encoding
        )
        let client = try account.client()
        let (clientValue, serverValue) = (client.publicValue, server.publicValue)
        #expect(serverValue.count == account.group.byteCount && serverValue[0] == 0)
        let proof = try client.answer(salt: account.salt, serverValue: serverValue)
        let session = try server.finish(
            account: account.name,
            salt: account.salt,
            clientValue: clientValue,
            proof: proof.proof
        )
        #expect(try proof.confirm(session.proof).key.exposed == session.key.exposed)
    }

    // MARK: names that nobody has

    @Test(.holds("SRP-16"), arguments: SRPGroup.allCases)
    func `a name that nobody has gets a number that stays and passes for a verifier`(
        group: SRPGroup
    ) throws {
        let seed = SecretBytes.random(byteCount: 32)
        let other = SecretBytes.random(byteCount: 32)
        let verifier = SRPVerifier.unknown(group: group, seed: seed)
        #expect(verifier.byteCount == group.byteCount)
        #expect(srpError { () throws(SRPError) in try SRPVerifier.check(verifier, group: group) } == nil)
        #expect(SRPVerifier.unknown(group: group, seed: seed).exposed == verifier.exposed)
        #expect(SRPVerifier.unknown(group: group, seed: other).exposed != verifier.exposed)
        let begun = try SRPServerHandshake(group: group, verifier: verifier)
        #expect(begun.publicValue.count == group.byteCount)
    }

    @Test(.holds("SRP-16")) func `two hundred names that nobody has get numbers of all sizes, and all pass`() {
        let verifiers = (0..<200).map { _ in
            SRPVerifier.unknown(group: .bits2048, seed: .random(byteCount: 32)).exposed
        }
        for verifier in verifiers {
            let error = srpError { () throws(SRPError) in
                try SRPVerifier.check(SecretBytes(verifier), group: .bits2048)
            }
            #expect(error == nil)
        }
        #expect(verifiers.contains { $0[0] < 0x20 })
        #expect(verifiers.contains { $0[0] > 0x60 })
    }

    private static func bytes(_ number: borrowing ModularNumber, _ group: SRPGroup) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: group.byteCount)
        let isWritten = unsafe bytes.withUnsafeMutableBytes { unsafe number.write(into: $0) }
        return isWritten ? bytes : []
    }

    private static func flip(_ bit: Int, of proof: [UInt8]) -> [UInt8] {
        var flipped = proof
        flipped[bit / 8] ^= 1 << (bit % 8)
        return flipped
    }

    private static func forgeries(of proof: [UInt8]) -> [[UInt8]] {
        (0..<256).map { flip($0, of: proof) } + [[], Array(proof.dropLast()), proof + [0], [0] + proof]
    }

    /// M1 for an S of 0, which anybody can compute.
    private static func proofOfNothing(
        _ account: SRPAccount,
        clientValue: [UInt8],
        serverValue: [UInt8]
    ) -> [UInt8] {
        account.group.mathematics.proofs(
            I: account.name,
            s: account.salt,
            A: clientValue,
            B: serverValue,
            S: SecretBytes([UInt8](repeating: 0, count: account.group.byteCount)),
            encoding: account.encoding
        ).M1.exposed
    }
}
#endif
