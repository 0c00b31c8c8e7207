package import ThumbturnCrypto
package import ThumbturnRules

/// Private keys in hexadecimal.
///
/// The vault is chain-neutral: a private key is any 32 bytes but zero. Only the wallet that signs with it can know
/// whether it is below the order of its curve (secp256k1, P-256), or a seed without such a limit (Ed25519).
package enum PrivateKey {
    /// The length of a key in bytes.
    package static let byteCount = 32

    /// Reads a private key.
    ///
    /// - Parameter text: 64 hexadecimal digits in upper or lower case, optionally with a leading `0x` and white space
    ///   around them.
    /// - Returns: the key, 32 bytes.
    /// - Throws: `privateKeyMalformed`, and nothing else.
    package static func key(of text: borrowing SecretBytes) throws(VaultError) -> SecretBytes {
        try text.withBytes { text throws(VaultError) in
            try withCleanStack { () throws(VaultError) in try key(of: text) }
        }
    }

    /// Writes a private key: 64 hexadecimal digits in lower case, without `0x`.
    ///
    /// - Throws: `privateKeyMalformed` unless `key` is 32 bytes and not zero.
    package static func text(of key: borrowing SecretBytes) throws(VaultError) -> SecretBytes {
        try check(key)
        return key.withBytes { TextCode.hexadecimal.encode($0) }
    }

    /// Refuses a key that is not 32 bytes, or zero.
    ///
    /// - Throws: `privateKeyMalformed`, and nothing else.
    static func check(_ key: borrowing SecretBytes) throws(VaultError) {
        guard key.byteCount == byteCount else { throw VaultError(.privateKeyMalformed, "\(key.byteCount) bytes") }
        let union = key.withBytes { key in (0..<byteCount).reduce(0) { $0 | key.byte(at: $1) } }
        guard union != 0 else { throw VaultError(.privateKeyMalformed, "zero") }
    }

    private static func key(of text: RawSpan) throws(VaultError) -> SecretBytes {
        var cursor = 0
        guard var digits = text.nextWord(from: &cursor), text.nextWord(from: &cursor) == nil else {
            throw VaultError(.privateKeyMalformed, "not one run of digits")
        }
        if digits.count > 2, text.byte(at: digits.lowerBound) == UInt8(ascii: "0"),
            text.byte(at: digits.lowerBound + 1).lowercased == UInt8(ascii: "x")
        {
            digits = digits.dropFirst(2)
        }
        guard digits.count == 2 * byteCount else {
            if let form = SecretForm(of: text.extracting(digits)), form != .digits {
                throw VaultError(.privateKeyMalformed, form.text)
            }
            throw VaultError(.privateKeyMalformed, "\(digits.count) digits")
        }
        let key = try unsafe SecretBytes(byteCount: byteCount) { buffer throws(VaultError) in
            guard unsafe TextCode.hexadecimal.decode(text.extracting(digits), into: buffer) == byteCount else {
                throw VaultError(.privateKeyMalformed, "not hexadecimal")
            }
        }
        try check(key)
        return key
    }
}
