#if canImport(COpenSSL)
import COpenSSL

/// A secret number with one owner, wiped at the end of its life.
///
/// It is on the ordinary heap, neither locked nor guarded, because it lives no longer than one step of a login.
@safe struct ModularNumber: ~Copyable, @unchecked Sendable {
    // Safe to share: the number is never written after its creation.
    fileprivate let number: OpaquePointer

    /// Reads a number, big-endian.
    init(_ bytes: RawSpan) {
        self.init()
        let isRead = unsafe bytes.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return unsafe BN_bin2bn(start, Int32(bytes.count), number) != nil
        }
        precondition(isRead, "out of memory")
    }

    init(_ bytes: [UInt8]) {
        self.init()
        precondition(unsafe BN_bin2bn(bytes, Int32(bytes.count), number) != nil, "out of memory")
    }

    private init() {
        guard let number = unsafe BN_new() else { preconditionFailure("out of memory") }
        unsafe BN_set_flags(number, BN_FLG_CONSTTIME)
        unsafe self.number = unsafe number
    }

    deinit { unsafe BN_clear_free(number) }

    /// Whether the number is zero; the time reveals the answer.
    var isZero: Bool { unsafe BN_is_zero(number) == 1 }

    /// Writes the number, padded with leading zeros; returns whether it fits.
    func write(into bytes: UnsafeMutableRawBufferPointer) -> Bool {
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return unsafe BN_bn2binpad(number, start, Int32(bytes.count)) == Int32(bytes.count)
    }

    /// Computes the integer `a` + `u` · `x`.
    static func exponent(
        _ a: borrowing ModularNumber,
        plus u: borrowing ModularNumber,
        times x: borrowing ModularNumber
    ) throws(SRPError) -> ModularNumber {
        let product = try unsafe result { result, scratch in
            unsafe BN_mul(result, u.number, x.number, scratch)
        }
        return try unsafe result { result, _ in unsafe BN_add(result, product.number, a.number) }
    }

    /// Computes a number with OpenSSL; its intermediate values and its stack are wiped.
    fileprivate static func result(
        of compute: (_ result: OpaquePointer, _ scratch: OpaquePointer) -> Int32
    ) throws(SRPError) -> ModularNumber {
        guard let scratch = unsafe BN_CTX_new() else { throw .backendFailed }
        defer { unsafe BN_CTX_free(scratch) }  // clears its numbers
        let result = ModularNumber()
        guard withCleanStack(.shallow, { unsafe compute(result.number, scratch) }) == 1 else { throw .backendFailed }
        return result
    }
}

/// Arithmetic modulo one odd public number.
@safe final class ModularPower: @unchecked Sendable {
    // Safe to share: OpenSSL only reads what is prepared here.
    private let modulus: OpaquePointer
    private let montgomery: OpaquePointer

    init(modulus bytes: [UInt8]) {
        guard let modulus = unsafe BN_bin2bn(bytes, Int32(bytes.count), nil), let scratch = unsafe BN_CTX_new(),
            let montgomery = unsafe BN_MONT_CTX_new(), unsafe BN_MONT_CTX_set(montgomery, modulus, scratch) == 1
        else { preconditionFailure("an even modulus, or out of memory") }
        unsafe BN_CTX_free(scratch)
        unsafe self.modulus = unsafe modulus
        unsafe self.montgomery = unsafe montgomery
    }

    deinit {
        unsafe BN_MONT_CTX_free(montgomery)
        unsafe BN_free(modulus)
    }

    /// Raises `base`, which is below the modulus, in a time that depends on neither value.
    ///
    /// `BN_mod_exp` is faster for a small base, which leaked passwords (PARASITE, 2021). This function takes the same
    /// steps for all exponents with the same number of 64-bit words.
    func power(_ base: borrowing ModularNumber, _ exponent: borrowing ModularNumber) throws(SRPError) -> ModularNumber {
        try unsafe ModularNumber.result { result, scratch in
            unsafe BN_mod_exp_mont_consttime(result, base.number, exponent.number, modulus, scratch, montgomery)
        }
    }

    func product(_ a: borrowing ModularNumber, _ b: borrowing ModularNumber) throws(SRPError) -> ModularNumber {
        try unsafe ModularNumber.result { result, scratch in
            unsafe BN_mod_mul(result, a.number, b.number, modulus, scratch)
        }
    }

    func sum(_ a: borrowing ModularNumber, _ b: borrowing ModularNumber) throws(SRPError) -> ModularNumber {
        try unsafe ModularNumber.result { result, scratch in
            unsafe BN_mod_add(result, a.number, b.number, modulus, scratch)
        }
    }

    func difference(_ a: borrowing ModularNumber, _ b: borrowing ModularNumber) throws(SRPError) -> ModularNumber {
        try unsafe ModularNumber.result { result, scratch in
            unsafe BN_mod_sub(result, a.number, b.number, modulus, scratch)
        }
    }
}
#endif
