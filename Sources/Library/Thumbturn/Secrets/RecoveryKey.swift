package import ThumbturnCrypto
package import ThumbturnRules

/// The recovery key in the form that a person writes down and types back.
///
/// 32 bytes ‖ 24 bits of checksum, in Crockford's base 32: 56 characters, shown as 14 groups of four separated by
/// dashes. The checksum is 4 zero bits (which fill up the 52nd character) and the first 20 bits of
/// SHA-256("thumbturn.recovery.v1" ‖ the 32 bytes), so it misses one mistake in a million, which the slot's tag
/// detects.
package enum RecoveryKey {
    /// Reads a recovery key.
    ///
    /// - Parameter text: the 56 characters in upper or lower case, with white space and dashes anywhere; O reads as 0,
    ///   I and L as 1.
    /// - Throws: `recoveryKeyMalformed`, and nothing else.
    package static func parse(_ text: borrowing SecretBytes) throws(VaultError) -> RandomSecret {
        try text.withBytes { text throws(VaultError) in
            try withCleanStack { () throws(VaultError) in try parse(text) }
        }
    }

    /// Writes a recovery key: 69 characters, capitals and digits in 14 groups of four separated by dashes.
    package static func text(of key: borrowing RandomSecret) -> SecretBytes {
        key.withBytes { key in
            withCleanStack { text(of: key) }
        }
    }

    /// Returns a vault's commitment to a key that was shown but not typed back.
    ///
    /// It identifies the key without opening or revealing anything, since 256 bits can't be guessed:
    /// HMAC-SHA256(HKDF(key, no salt, `rec-commitment`), vault), 32 bytes that are independent of the slot's key.
    static func commitment(to key: borrowing RandomSecret, of vault: Identifier) -> [UInt8] {
        HMACSHA256.tag(vault.bytes, key: key.derive("rec-commitment"))
    }

    private static let alphabet = Alphabet("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    private static let keyByteCount = 32
    private static let checksumByteCount = 3
    private static let characterCount = 56
    private static let charactersPerGroup = 4

    private static func parse(_ text: RawSpan) throws(VaultError) -> RandomSecret {
        var bits: UInt32 = 0
        let key = try unsafe SecretBytes(byteCount: keyByteCount) { buffer throws(VaultError) in
            var pending = 0
            var written = 0
            var read = 0
            var cursor = 0
            while cursor < text.byteCount {
                let (character, blank) = (text.byte(at: cursor), text.blankLength(at: cursor))
                cursor += max(blank, 1)
                if character == UInt8(ascii: "-") || blank > 0 { continue }
                read += 1
                guard read <= characterCount else { throw VaultError(.recoveryKeyMalformed, "too long") }
                guard let value = value(of: character) else {
                    throw VaultError(.recoveryKeyMalformed, "character \(read)")
                }
                bits = bits << 5 | UInt32(value)
                pending += 5
                if pending >= 8, written < buffer.count {
                    pending -= 8
                    unsafe buffer[written] = UInt8(truncatingIfNeeded: bits >> pending)
                    written += 1
                }
            }
            guard read == characterCount else { throw VaultError(.recoveryKeyMalformed, "too short") }
        }
        // The pending bits are now the 24 bits of the checksum; comparing all of them also refuses non-zero fill bits.
        let claimed = bits & 0xFF_FFFF
        let computed = key.withBytes { checksum(of: $0) }
        guard claimed ^ computed == 0 else { throw VaultError(.recoveryKeyMalformed, "checksum") }
        do throws(CryptoError) {
            return try RandomSecret(loading: key)
        } catch {
            throw VaultError(.recoveryKeyMalformed, "size")
        }
    }

    private static func text(of key: RawSpan) -> SecretBytes {
        let checksum = checksum(of: key)
        let dashCount = characterCount / charactersPerGroup - 1
        return unsafe SecretBytes(byteCount: characterCount + dashCount) { buffer in
            var bits: UInt32 = 0
            var pending = 0
            var written = 0
            for position in 0..<(keyByteCount + checksumByteCount) {
                let byte =
                    position < keyByteCount
                    ? UInt32(key.byte(at: position))
                    : checksum >> (8 * (keyByteCount + checksumByteCount - 1 - position)) & 0xFF
                bits = bits << 8 | byte
                pending += 8
                while pending >= 5 {
                    pending -= 5
                    if written % (charactersPerGroup + 1) == charactersPerGroup {
                        unsafe buffer[written] = UInt8(ascii: "-")
                        written += 1
                    }
                    unsafe buffer[written] = alphabet.digit(for: UInt8(bits >> pending & 0x1F))
                    written += 1
                }
            }
        }
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character.lowercased {
        case UInt8(ascii: "o"): 0
        case UInt8(ascii: "i"), UInt8(ascii: "l"): 1
        default: alphabet.value(of: character)
        }
    }

    /// Returns the 24 bits that follow the key, the first four of them zero.
    private static func checksum(of key: RawSpan) -> UInt32 {
        var hasher = SHA256.Hasher()
        hasher.update(Array("thumbturn.recovery.v1".utf8))
        hasher.update(key)
        return hasher.finalize().prefix(checksumByteCount).reduce(0) { $0 << 8 | UInt32($1) } >> 4
    }
}
