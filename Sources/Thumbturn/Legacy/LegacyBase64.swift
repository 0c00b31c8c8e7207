import ThumbturnCrypto
import ThumbturnRules

/// Base64 as former apps wrote it, for ciphertexts: what it gives lies in an array and is never wiped.
enum LegacyBase64 {
    /// Reads a range, in which white space may stand anywhere: `openssl` breaks lines.
    ///
    /// - Throws: `legacyMalformed`, with "cut short" for groups that are not whole.
    static func decode(_ text: RawSpan, _ range: Range<Int>) throws(VaultError) -> [UInt8] {
        var characters: [UInt8] = []
        characters.reserveCapacity(range.count)
        for place in range {
            let character = text.byte(at: place)
            if !character.isWhiteSpace { characters.append(character) }
        }
        guard characters.count.isMultiple(of: 4) else { throw VaultError(.legacyMalformed, "cut short") }
        guard let bytes = TextCode.base64.decode(characters) else { throw VaultError(.legacyMalformed, "not base64") }
        return bytes
    }
}
