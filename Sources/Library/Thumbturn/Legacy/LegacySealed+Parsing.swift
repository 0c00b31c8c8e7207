import ThumbturnCrypto
import ThumbturnRules

// Copies nothing before the format is recognised.
extension LegacySealed {
    /// Ten times the longest mnemonic, so that no large input is processed.
    static let mostBytes = 4_096

    private static let magic: StaticString = "Salted__"
    // In base64 the last character of the magic also contains two bits of the salt.
    private static let magicInBase64: StaticString = "U2FsdGVkX1"
    private static let saltByteCount = LegacyKey.digestSaltByteCount
    private static let blockByteCount = LegacyKey.blockByteCount

    static func parse(_ bytes: RawSpan) throws(VaultError) -> LegacySealed {
        guard bytes.byteCount <= mostBytes else { throw VaultError(.legacyMalformed, "too long") }
        if bytes.byteCount > 0, bytes.agrees(with: magic, from: 0) {
            return try openSSL((0..<bytes.byteCount).map { bytes.byte(at: $0) })
        }
        var cursor = 0
        guard let first = bytes.nextWord(from: &cursor) else { throw VaultError(.legacyMalformed, "nothing in it") }
        if bytes.byte(at: first.lowerBound) == UInt8(ascii: "{") { return try argon2(bytes) }
        guard bytes.agrees(with: magicInBase64, from: first.lowerBound) else {
            throw VaultError(.legacyMalformed, "no known format")
        }
        return try openSSL(LegacyBase64.decode(bytes, first.lowerBound..<bytes.byteCount))
    }

    private static func openSSL(_ bytes: [UInt8]) throws(VaultError) -> LegacySealed {
        let ciphertext = bytes.dropFirst(magic.utf8CodeUnitCount + saltByteCount)
        guard !ciphertext.isEmpty, ciphertext.count.isMultiple(of: blockByteCount) else {
            throw VaultError(.legacyMalformed, "cut short")
        }
        return LegacySealed(
            .openSSL,
            salts: [Array(bytes[magic.utf8CodeUnitCount..<ciphertext.startIndex])],
            initializationVector: [],
            ciphertext: Array(ciphertext)
        )
    }

    private static func argon2(_ text: RawSpan) throws(VaultError) -> LegacySealed {
        let object = try FlatObject(text)
        guard case .text(let cipher)? = object.value(of: "cipher", in: text),
            case .text(let vector)? = object.value(of: "iv", in: text)
        else { throw VaultError(.legacyMalformed, "no known format") }
        let version: Int
        switch object.value(of: "version", in: text) {
        case nil: version = 1
        case .number(let number)?: version = number
        case .text?: throw VaultError(.legacyMalformed, "the version is no number")
        }
        let format = LegacyFormat.argon2(version: version)
        guard format.cost != nil else { throw VaultError(.legacyVersionUnknown, "no known version") }
        guard let value = object.value(of: "salt", in: text) else {
            throw VaultError(.legacyVersionUnknown, "older than salts")
        }
        guard case .text(let salt) = value, let decodedSalt = block(text, salt), let vector = block(text, vector) else {
            throw VaultError(.legacyMalformed, "salt and iv are 32 hexadecimal digits")
        }
        guard object.fieldCount == (object.value(of: "version", in: text) == nil ? 3 : 4) else {
            throw VaultError(.legacyMalformed, "a field too many")
        }
        let ciphertext = try LegacyBase64.decode(text, cipher)
        guard !ciphertext.isEmpty, ciphertext.count.isMultiple(of: blockByteCount) else {
            throw VaultError(.legacyMalformed, "cut short")
        }
        return LegacySealed(
            format,
            // The libraries that wrote this used the digits as text; others use the bytes that they encode.
            salts: [salt.map { text.byte(at: $0) }, decodedSalt],
            initializationVector: vector,
            ciphertext: ciphertext
        )
    }

    /// Decodes 16 bytes from 32 hexadecimal digits; returns nil for anything else.
    private static func block(_ text: RawSpan, _ digits: Range<Int>) -> [UInt8]? {
        guard digits.count == 2 * blockByteCount else { return nil }
        return TextCode.hexadecimal.decode(digits.map { text.byte(at: $0) })
    }
}

extension RawSpan {
    /// Returns whether the bytes from `start` on begin with `prefix`, or end too early to tell.
    fileprivate func agrees(with prefix: StaticString, from start: Int) -> Bool {
        (0..<min(prefix.utf8CodeUnitCount, byteCount - start)).allSatisfy { offset in
            unsafe byte(at: start + offset) == prefix.utf8Start[offset]
        }
    }
}
