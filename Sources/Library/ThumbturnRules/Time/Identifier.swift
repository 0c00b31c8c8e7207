/// Sixteen random bytes that identify something: a vault, a slot, a wallet, a key, an installation, a boot.
public struct Identifier: Hashable, Sendable {
    /// The first eight bytes, big-endian.
    package let high: UInt64
    /// The last eight bytes, big-endian.
    package let low: UInt64

    /// Creates an identifier from its two halves.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates an identifier from exactly 16 bytes; nil for any other count.
    package init?(bytes: [UInt8]) {
        guard let read = unsafe bytes.withUnsafeBytes({ unsafe Identifier(bytes: $0.bytes) }) else { return nil }
        self = read
    }

    /// Creates an identifier from exactly 16 borrowed bytes; nil for any other count.
    package init?(bytes: RawSpan) {
        guard bytes.byteCount == 16 else { return nil }
        self.init(
            high: unsafe UInt64(bigEndian: bytes.unsafeLoadUnaligned(as: UInt64.self)),
            low: unsafe UInt64(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
    }

    /// Reads 32 lower-case hexadecimal digits; nil for anything else.
    public init?(text: some StringProtocol) {
        var halves: (UInt64, UInt64) = (0, 0)
        var count = 0
        // Copied first: byte by byte, a collection of a type that isn't known costs ten times as much.
        for digit in Array(text.utf8) {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            if count < 16 { halves.0 = halves.0 << 4 | UInt64(value) } else { halves.1 = halves.1 << 4 | UInt64(value) }
            count += 1
        }
        guard count == 32 else { return nil }
        self.init(high: halves.0, low: halves.1)
    }

    /// The 16 bytes, big-endian.
    package var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 16)
        for place in 0..<8 {
            let shift = UInt64(56 - 8 * place)
            bytes[place] = UInt8(truncatingIfNeeded: high >> shift)
            bytes[place + 8] = UInt8(truncatingIfNeeded: low >> shift)
        }
        return bytes
    }

    /// The bytes as 32 lower-case hexadecimal digits.
    public var text: String {
        var digits: [UInt8] = []
        digits.reserveCapacity(32)
        for half in [high, low] {
            var shift: UInt64 = 64
            while shift > 0 {
                shift -= 4
                let digit = UInt8(truncatingIfNeeded: half >> shift & 0xF)
                digits.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }
}
