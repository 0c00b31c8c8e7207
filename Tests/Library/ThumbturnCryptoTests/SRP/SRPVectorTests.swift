#if canImport(COpenSSL)
import Foundation
import Testing
import ThumbturnTestKit

@testable import ThumbturnCrypto

@Suite struct SRPVectorTests {
    private struct Published: Decodable {
        let account, password: String
        let N, salt, k, x, v, a, b, A, B, u, S: HexBytes
        let g: UInt8
    }

    private struct Vector: Decodable {
        struct Proofs: Decodable {
            let K, M1, M2: HexBytes
        }
        let id, group, account, password: String
        let salt, k, x, v, a, b, A, B, u, S: HexBytes
        let proofs: [String: Proofs]
    }

    /// As Mozilla published it; its M1 is another one, H(A | B | S), which nobody here speaks.
    private struct Mozilla: Decodable {
        let I: String
        let P_hex, salt, k, x, v, a, b, A, B, u, S, K: HexBytes
    }

    @Test func `RFC 5054's appendix B holds, in its own group and hash`() throws {
        for vector in try VectorFile<Published>.load("crypto/srp-rfc5054.json").tests {
            let mathematics = SRP6a<SHA1State>(N: vector.N.bytes, g: vector.g)
            let x = mathematics.x(
                s: vector.salt.bytes,
                I: Array(vector.account.utf8),
                P: SecretBytes(Array(vector.password.utf8))
            )
            let v = try mathematics.v(x: x)
            let a = SecretBytes(vector.a.bytes)
            let b = SecretBytes(vector.b.bytes)
            let u = mathematics.u(A: vector.A.bytes, B: vector.B.bytes)
            #expect(mathematics.k.exposed == vector.k.bytes)
            #expect(x.exposed == vector.x.bytes)
            #expect(v.exposed == vector.v.bytes)
            #expect(try mathematics.A(a: a) == vector.A.bytes)
            #expect(try mathematics.B(b: b, v: v) == vector.B.bytes)
            #expect(u.exposed == vector.u.bytes)
            #expect(try mathematics.S(A: vector.A.bytes, v: v, u: u, b: b).exposed == vector.S.bytes)
            #expect(try mathematics.S(B: vector.B.bytes, x: x, u: u, a: a).exposed == vector.S.bytes)
        }
    }

    @Test(.holds("SRP-6")) func `every number of the 20 cases comes out, and k is the group's`() throws {
        let tests = try VectorFile<Vector>.load("crypto/srp-sha256.json").tests
        #expect(Set(tests.map(\.group)) == Set(SRPGroup.allCases.map(\.rawValue)))
        for vector in tests {
            let mathematics = try #require(SRPGroup(rawValue: vector.group)).mathematics
            let x = mathematics.x(
                s: vector.salt.bytes,
                I: Array(vector.account.utf8),
                P: SecretBytes(Array(vector.password.utf8))
            )
            let u = mathematics.u(A: vector.A.bytes, B: vector.B.bytes)
            let a = SecretBytes(vector.a.bytes)
            let b = SecretBytes(vector.b.bytes)
            let v = SecretBytes(vector.v.bytes)
            #expect(mathematics.k.exposed == vector.k.bytes, "\(vector.id)")
            #expect(x.exposed == vector.x.bytes, "\(vector.id)")
            #expect(u.exposed == vector.u.bytes, "\(vector.id)")
            #expect(try mathematics.v(x: x).exposed == vector.v.bytes, "\(vector.id)")
            #expect(try mathematics.S(A: vector.A.bytes, v: v, u: u, b: b).exposed == vector.S.bytes, "\(vector.id)")
            #expect(try mathematics.S(B: vector.B.bytes, x: x, u: u, a: a).exposed == vector.S.bytes, "\(vector.id)")
        }
    }

    @Test(arguments: ["minimal": SRPEncoding.minimal, "padded": .padded, "minimalUnpaddedG": .minimalUnpaddedG])
    func `both handshakes give the proofs and the key of each case`(name: String, encoding: SRPEncoding) throws {
        for vector in try VectorFile<Vector>.load("crypto/srp-sha256.json").tests {
            let group = try #require(SRPGroup(rawValue: vector.group))
            let expected = try #require(vector.proofs[name])
            let account = Array(vector.account.utf8)
            let server = try SRPServerHandshake(
                group: group,
                verifier: SecretBytes(vector.v.bytes),
                drawn: SecretBytes(vector.b.bytes),
                encoding: encoding
            )
            let client = try SRPClientHandshake(
                group: group,
                account: account,
                password: SecretBytes(Array(vector.password.utf8)),
                drawn: SecretBytes(vector.a.bytes),
                encoding: encoding
            )
            #expect(client.publicValue == vector.A.bytes, "\(vector.id)")
            #expect(server.publicValue == vector.B.bytes, "\(vector.id)")
            let answer = try client.answer(salt: vector.salt.bytes, serverValue: vector.B.bytes)
            #expect(answer.proof == expected.M1.bytes, "\(vector.id)")
            let session = try server.finish(
                account: account,
                salt: vector.salt.bytes,
                clientValue: vector.A.bytes,
                proof: expected.M1.bytes
            )
            #expect(session.proof == expected.M2.bytes, "\(vector.id)")
            #expect(session.key.exposed == expected.K.bytes, "\(vector.id)")
            #expect(try answer.confirm(expected.M2.bytes).key.exposed == expected.K.bytes, "\(vector.id)")
        }
    }

    @Test(.enabled(if: VectorFolder.published != nil, "\(VectorFolder.publishedAreMissing)"))
    func `Mozilla's case holds, in which nearly every number begins with a zero byte`() throws {
        let folder = try #require(VectorFolder.published)
        let file = URL(fileURLWithPath: "\(folder)/srp/mozilla_picl_2048_sha256.json")
        let vector = try JSONDecoder().decode(Mozilla.self, from: Data(contentsOf: file))
        let mathematics = SRPGroup.bits2048.mathematics
        let x = mathematics.x(s: vector.salt.bytes, I: Array(vector.I.utf8), P: SecretBytes(vector.P_hex.bytes))
        let v = try mathematics.v(x: x)
        let u = mathematics.u(A: vector.A.bytes, B: vector.B.bytes)
        let a = SecretBytes(vector.a.bytes)
        let b = SecretBytes(vector.b.bytes)
        #expect(mathematics.k.exposed == vector.k.bytes)
        #expect(x.exposed == vector.x.bytes)
        #expect(v.exposed == vector.v.bytes)
        #expect(u.exposed == vector.u.bytes)
        #expect(try mathematics.A(a: a) == vector.A.bytes)
        #expect(try mathematics.B(b: b, v: v) == vector.B.bytes)
        let S = try mathematics.S(A: vector.A.bytes, v: v, u: u, b: b)
        #expect(S.exposed == vector.S.bytes)
        #expect(try mathematics.S(B: vector.B.bytes, x: x, u: u, a: a).exposed == vector.S.bytes)
        let proofs = mathematics.proofs(I: [], s: [], A: vector.A.bytes, B: vector.B.bytes, S: S, encoding: .padded)
        #expect(proofs.K.exposed == vector.K.bytes)
    }
}
#endif
