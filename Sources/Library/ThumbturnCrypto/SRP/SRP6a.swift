/// The mathematics of SRP-6a in one group, with the letters of RFC 5054 §2.
///
/// N and g are the group, I the name, P the password, s the salt, x is derived from these three, v the verifier; a and
/// b the secrets of client and server, A and B their public values, u is derived from these, S the premaster secret
/// that both compute. A and B are as long as N.
final class SRP6a<Hash: SRPHash & ~Copyable>: Sendable {
    let N: [UInt8]
    let g: UInt8
    /// Fixed by the group: if a false server could choose it, one run would test two passwords.
    let k: SecretBytes

    private let arithmetic: ModularPower
    private let multiplier: ModularNumber
    private let generator: ModularNumber

    init(N: [UInt8], g: UInt8) {
        self.N = N
        self.g = g
        k = Hash.digest { hash in
            hash.update(N)
            hash.update([UInt8](repeating: 0, count: N.count - 1) + [g])
        }
        arithmetic = ModularPower(modulus: N)
        multiplier = ModularNumber(k)
        generator = ModularNumber([g])
    }

    // MARK: both sides

    /// x = H(s | H(I | ":" | P)), RFC 5054 §2.4.
    func x(s: [UInt8], I: [UInt8], P: borrowing SecretBytes) -> SecretBytes {
        let inner = Hash.digest { hash in
            hash.update(I)
            hash.update([UInt8(ascii: ":")])
            hash.update(P)
        }
        return Hash.digest { hash in
            hash.update(s)
            hash.update(inner)
        }
    }

    /// v = g^x mod N.
    func v(x: borrowing SecretBytes) throws(SRPError) -> SecretBytes {
        try bytes(of: arithmetic.power(generator, ModularNumber(x)))
    }

    /// u = H(PAD(A) | PAD(B)), RFC 5054 §2.6.
    func u(A: [UInt8], B: [UInt8]) -> SecretBytes {
        Hash.digest { hash in
            hash.update(A)
            hash.update(B)
        }
    }

    /// Throws for an unsafe A, B or v.
    ///
    /// With a multiple of N an attacker would know S, and 1 and N − 1 leave it few values. Requiring one form for each
    /// number leaves no ambiguity. No power is computed here.
    func check(_ number: borrowing SecretBytes) throws(SRPError) {
        try number.withBytes { (bytes) throws(SRPError) in
            try unsafe bytes.withUnsafeBytes { (bytes) throws(SRPError) in try unsafe check(bytes) }
        }
    }

    /// Does the same for a public value.
    func check<Bytes: RandomAccessCollection<UInt8>>(_ number: Bytes) throws(SRPError) where Bytes.Index == Int {
        guard number.count == N.count else { throw .wrongLength }
        guard isSafe(number) else { throw .outOfRange }
    }

    /// Whether 2 ≤ number ≤ N − 2, in a time that depends only on the length.
    private func isSafe<Bytes: RandomAccessCollection<UInt8>>(_ number: Bytes) -> Bool where Bytes.Index == Int {
        var limit = N
        limit[N.count - 1] -= 1  // N is odd
        var borrow = 0
        var isAboveOne: UInt8 = 0
        for index in limit.indices.reversed() {
            let digit = number[index]
            isAboveOne |= index == N.count - 1 ? digit >> 1 : digit
            borrow = (Int(digit) - Int(limit[index]) - borrow) >> 8 & 1
        }
        return isAboveOne != 0 && borrow == 1
    }

    // MARK: the server

    /// B = (k·v + g^b) mod N, RFC 5054 §2.5.3.
    func B(b: borrowing SecretBytes, v: borrowing SecretBytes) throws(SRPError) -> [UInt8] {
        let masked = try arithmetic.product(multiplier, ModularNumber(v))
        return try array(of: arithmetic.sum(masked, arithmetic.power(generator, ModularNumber(b))))
    }

    /// S = (A · v^u)^b mod N, RFC 5054 §2.6; throws for a u that would cancel the password, and an S that an attacker
    /// could know.
    func S(
        A: [UInt8],
        v: borrowing SecretBytes,
        u: borrowing SecretBytes,
        b: borrowing SecretBytes
    ) throws(SRPError) -> SecretBytes {
        let mixed = try arithmetic.power(ModularNumber(v), mixer(u))
        let base = try arithmetic.product(ModularNumber(A), mixed)
        return try secret(arithmetic.power(base, ModularNumber(b)))
    }

    // MARK: the client

    /// A = g^a mod N, RFC 5054 §2.5.4.
    func A(a: borrowing SecretBytes) throws(SRPError) -> [UInt8] {
        try array(of: arithmetic.power(generator, ModularNumber(a)))
    }

    /// S = (B − k·g^x)^(a + u·x) mod N, RFC 5054 §2.6; throws as the server does.
    ///
    /// If a server sends B = k·v, the base is 0, and so is S.
    func S(
        B: [UInt8],
        x: borrowing SecretBytes,
        u: borrowing SecretBytes,
        a: borrowing SecretBytes
    ) throws(SRPError) -> SecretBytes {
        let u = try mixer(u)
        let x = ModularNumber(x)
        let masked = try arithmetic.product(multiplier, arithmetic.power(generator, x))
        let base = try arithmetic.difference(ModularNumber(B), masked)
        return try secret(arithmetic.power(base, .exponent(ModularNumber(a), plus: u, times: x)))
    }

    // MARK: numbers and bytes

    private func mixer(_ u: borrowing SecretBytes) throws(SRPError) -> ModularNumber {
        let u = ModularNumber(u)
        guard !u.isZero else { throw .outOfRange }
        return u
    }

    private func secret(_ S: consuming ModularNumber) throws(SRPError) -> SecretBytes {
        let S = try bytes(of: S)
        try check(S)
        return S
    }

    private func bytes(of number: borrowing ModularNumber) throws(SRPError) -> SecretBytes {
        try unsafe SecretBytes(byteCount: N.count) { (bytes) throws(SRPError) in
            guard unsafe number.write(into: bytes) else { throw .backendFailed }
        }
    }

    /// For a public value.
    private func array(of number: borrowing ModularNumber) throws(SRPError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: N.count)
        guard unsafe bytes.withUnsafeMutableBytes({ unsafe number.write(into: $0) }) else { throw .backendFailed }
        return bytes
    }
}

extension ModularNumber {
    init(_ bytes: borrowing SecretBytes) { self = bytes.withBytes { ModularNumber($0) } }
}
