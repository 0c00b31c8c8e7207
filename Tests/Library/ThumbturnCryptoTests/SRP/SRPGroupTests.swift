#if canImport(COpenSSL)
import COpenSSL
import Testing

@testable import ThumbturnCrypto

@Suite struct SRPGroupTests {
    /// A public number of OpenSSL's, and what these tests ask of it.
    @safe private struct Number: ~Copyable {
        let number: OpaquePointer?

        init(_ bytes: [UInt8]) { unsafe number = BN_bin2bn(bytes, Int32(bytes.count), nil) }
        init(taking number: OpaquePointer?) { unsafe self.number = unsafe number }

        deinit { unsafe BN_free(number) }

        /// With overwhelming probability: 64 rounds of Miller and Rabin's test and more.
        var isPrime: Bool {
            let scratch = unsafe BN_CTX_new()
            defer { unsafe BN_CTX_free(scratch) }
            return unsafe BN_check_prime(number, scratch, nil) == 1
        }

        /// (number − 1) / 2 of an odd number.
        var half: Number {
            let half = unsafe BN_new()
            unsafe BN_rshift1(half, number)
            return unsafe Number(taking: half)
        }

        var bytes: [UInt8] {
            var bytes = [UInt8](repeating: 0, count: Int(unsafe BN_num_bits(number) + 7) / 8)
            unsafe BN_bn2bin(number, &bytes)
            return bytes
        }
    }

    @Test(.holds("SRP-7"), arguments: SRPGroup.allCases)
    func `N and half of N − 1 are prime, and g generates every number`(group: SRPGroup) throws {
        let N = group.mathematics.N
        #expect(N.count == group.byteCount)
        #expect(N[0] >= 0x80)
        let half = Number(N).half
        let arePrime = Number(N).isPrime && half.isPrime
        #expect(arePrime)
        // The group has elements of order 1, 2, half and N − 1 alone: one whose half power is N − 1 has the last.
        let power = try group.mathematics.v(x: SecretBytes(half.bytes))
        #expect(power.exposed == Array(N.dropLast()) + [N[N.count - 1] - 1])
    }

    @Test(.holds("SRP-7")) func `the larger two are RFC 3526's, as OpenSSL has them`() {
        let primes = unsafe [BN_get_rfc3526_prime_3072(nil), BN_get_rfc3526_prime_4096(nil)]
            .map { unsafe Number(taking: $0).bytes }
        #expect(primes == [SRPGroup.bits3072, .bits4096].map(\.mathematics.N))
    }

    @Test(.holds("SRP-7", "SRP-21")) func `a group is known by one of three names, and by nothing else`() {
        #expect(SRPGroup.allCases.map(\.rawValue) == ["rfc5054-2048", "rfc5054-3072", "rfc5054-4096"])
        #expect(SRPGroup.standard == .bits3072)
        for name in ["", "rfc5054-1024", "rfc5054-1536", "RFC5054-2048", "rfc5054-3072 ", "rfc5054-6144"] {
            #expect(SRPGroup(rawValue: name) == nil)
        }
    }

    @Test(.holds("SRP-21")) func `a client in one group takes no value of another`() throws {
        let lower = try SRPAccount(group: .bits2048).server().publicValue
        let higher = try SRPAccount(group: .bits4096).server().publicValue
        for value in [lower, higher] {
            let error = srpError { () throws(SRPError) in
                try SRPAccount(group: .bits3072).client().answer(salt: [1], serverValue: value)
            }
            #expect(error == .wrongLength)
        }
    }
}
#endif
