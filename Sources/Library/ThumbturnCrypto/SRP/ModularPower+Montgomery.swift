#if !canImport(COpenSSL)
/// A secret number with one owner, wiped at the end of its life.
struct ModularNumber: ~Copyable {
    fileprivate let number: WideNumber

    /// Reads a number, big-endian.
    init(_ bytes: RawSpan) { number = unsafe bytes.withUnsafeBytes { unsafe WideNumber($0) } }

    init(_ bytes: [UInt8]) { number = WideNumber(bytes) }

    fileprivate init(_ number: consuming WideNumber) { self.number = number }

    var isZero: Bool { number.isZero }

    /// Writes the number, padded with leading zeros; returns whether it fits.
    func write(into bytes: UnsafeMutableRawBufferPointer) -> Bool { unsafe number.write(into: bytes) }

    /// Computes the integer `a` + `u` · `x`.
    static func exponent(
        _ a: borrowing ModularNumber,
        plus u: borrowing ModularNumber,
        times x: borrowing ModularNumber
    ) throws(SRPError) -> ModularNumber {
        ModularNumber(withCleanStack(.shallow) { WideNumber.sum(a.number, plus: u.number, times: x.number) })
    }
}

/// Arithmetic modulo one odd public number.
final class ModularPower: Sendable {
    private let montgomery: Montgomery

    init(modulus bytes: [UInt8]) { montgomery = Montgomery(modulus: bytes) }

    /// Raises `base`, which is below the modulus, in a time that depends on neither value.
    func power(_ base: borrowing ModularNumber, _ exponent: borrowing ModularNumber) throws(SRPError) -> ModularNumber {
        ModularNumber(withCleanStack(.shallow) { montgomery.power(base.number, exponent.number) })
    }

    func product(_ a: borrowing ModularNumber, _ b: borrowing ModularNumber) throws(SRPError) -> ModularNumber {
        ModularNumber(withCleanStack(.shallow) { montgomery.product(a.number, b.number) })
    }

    func sum(_ a: borrowing ModularNumber, _ b: borrowing ModularNumber) throws(SRPError) -> ModularNumber {
        ModularNumber(withCleanStack(.shallow) { montgomery.sum(a.number, b.number) })
    }

    func difference(_ a: borrowing ModularNumber, _ b: borrowing ModularNumber) throws(SRPError) -> ModularNumber {
        ModularNumber(withCleanStack(.shallow) { montgomery.difference(a.number, b.number) })
    }
}
#endif
