import ThumbturnCrypto
import ThumbturnRules

/// Base64 as former apps wrote it; for ciphertexts only, since the result is an array that is never wiped.
enum LegacyBase64 {
    /// Decodes a range, in which white space may be anywhere: `openssl` breaks lines.
    ///
    /// - Throws: `legacyMalformed`, with "cut short" for an incomplete group.
    static func decode(_ text: RawSpan, _ range: Range<Int>) throws(VaultError) -> [UInt8] {
        var characters: [UInt8] = []
        characters.reserveCapacity(range.count)
        var cursor = range.lowerBound
        while cursor < range.upperBound {
            let blank = text.blankLength(at: cursor)
            if blank == 0 { characters.append(text.byte(at: cursor)) }
            cursor += max(blank, 1)
        }
        guard characters.count.isMultiple(of: 4) else { throw VaultError(.legacyMalformed, "cut short") }
        guard let bytes = TextCode.base64.decode(characters) else { throw VaultError(.legacyMalformed, "not base64") }
        return bytes
    }
}
