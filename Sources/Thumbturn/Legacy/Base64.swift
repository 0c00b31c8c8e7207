import ThumbturnCrypto
import ThumbturnRules

/// Base64 (RFC 4648 §4), for ciphertexts: what it gives lies in an array and is never wiped.
enum Base64 {
    /// Reads a range, in which white space may stand anywhere and the filling characters must be right.
    ///
    /// - Throws: `legacyMalformed`, with "cut short" for groups that are not whole.
    static func decode(_ text: RawSpan, _ range: Range<Int>) throws(VaultError) -> [UInt8] {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var pending = 0
        var characters = 0
        var fillings = 0
        for position in range {
            let character = text.byte(at: position)
            if character.isWhiteSpace { continue }
            characters += 1
            if character == UInt8(ascii: "=") {
                fillings += 1
                continue
            }
            guard fillings == 0, let value = value(of: character) else {
                throw VaultError(.legacyMalformed, "not base64")
            }
            bits = bits << 6 | UInt32(value)
            pending += 6
            if pending >= 8 {
                pending -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> pending))
            }
        }
        guard characters.isMultiple(of: 4) else { throw VaultError(.legacyMalformed, "cut short") }
        guard fillings <= 2, bits & (1 << pending - 1) == 0 else { throw VaultError(.legacyMalformed, "not base64") }
        return bytes
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
