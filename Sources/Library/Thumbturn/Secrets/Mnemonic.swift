public import ThumbturnCrypto
public import ThumbturnRules

/// BIP-39 mnemonics, with the English words.
///
/// A mnemonic is the text form of 16 to 32 bytes of entropy: entropy ‖ the first bits of its SHA-256, eleven bits a
/// word. The passphrase and the seed of BIP-39 concern the wallet, not the vault.
public enum Mnemonic {
    /// The numbers of words in BIP-39.
    public enum WordCount: Int, Sendable, CaseIterable {
        /// 12 words, 16 bytes of entropy.
        case twelve = 12
        /// 15 words, 20 bytes of entropy.
        case fifteen = 15
        /// 18 words, 24 bytes of entropy.
        case eighteen = 18
        /// 21 words, 28 bytes of entropy.
        case twentyOne = 21
        /// 24 words, 32 bytes of entropy.
        case twentyFour = 24

        /// The number of bytes of entropy in the words.
        package var entropyByteCount: Int { rawValue / 3 * 4 }

        /// The number of checksum bits that follow the entropy, 4 to 8.
        var checksumBitCount: Int { rawValue / 3 }

        init?(entropyByteCount: Int) {
            guard entropyByteCount % 4 == 0 else { return nil }
            self.init(rawValue: entropyByteCount / 4 * 3)
        }
    }

    /// Creates new entropy with the system's generator.
    package static func makeEntropy(words: WordCount = .twentyFour) -> SecretBytes {
        SecretBytes.random(byteCount: words.entropyByteCount)
    }

    /// Reads a mnemonic.
    ///
    /// - Parameter text: the words in ASCII, in upper or lower case, with any white space around and between them, or a
    ///   byte-order mark.
    /// - Returns: the entropy, 16 to 32 bytes.
    /// - Throws: `mnemonicLengthWrong`, else `mnemonicWordUnknown` with the position of the first such word (never the
    ///   word) as its diagnostic, else `mnemonicChecksumWrong`; nothing else.
    public static func entropy(of text: borrowing SecretBytes) throws(VaultError) -> SecretBytes {
        try text.withBytes { text throws(VaultError) in
            try withCleanStack(.shallow) { () throws(VaultError) in try entropy(of: text) }
        }
    }

    /// Writes a mnemonic: words in lower case, one space between them.
    ///
    /// - Parameter entropy: 16, 20, 24, 28 or 32 bytes.
    /// - Throws: `mnemonicLengthWrong` for any other number of bytes.
    public static func text(of entropy: borrowing SecretBytes) throws(VaultError) -> SecretBytes {
        guard let count = WordCount(entropyByteCount: entropy.byteCount) else {
            throw VaultError(.mnemonicLengthWrong, "\(entropy.byteCount) bytes of entropy")
        }
        return entropy.withBytes { entropy in
            withCleanStack(.shallow) { text(of: entropy, count) }
        }
    }

    private static func entropy(of text: RawSpan) throws(VaultError) -> SecretBytes {
        let found = countWords(in: text)
        guard let count = WordCount(rawValue: found) else { throw VaultError(.mnemonicLengthWrong, "\(found) words") }

        var bits: UInt32 = 0
        let entropy = try unsafe SecretBytes(byteCount: count.entropyByteCount) { buffer throws(VaultError) in
            var cursor = 0
            var pending = 0
            var written = 0
            for position in 1...count.rawValue {
                guard let range = text.nextWord(from: &cursor), let word = MnemonicWords.pack(range, of: text),
                    let index = MnemonicWords.index(of: word)
                else { throw VaultError(.mnemonicWordUnknown, "word \(position)") }
                bits = bits << 11 | index
                pending += 11
                while pending >= 8, written < buffer.count {
                    pending -= 8
                    unsafe buffer[written] = UInt8(truncatingIfNeeded: bits >> pending)
                    written += 1
                }
            }
        }
        // The pending bits are now exactly the checksum.
        let claimed = bits & (1 << count.checksumBitCount - 1)
        let computed = entropy.withBytes { UInt32(checksum(of: $0, count)) }
        guard claimed ^ computed == 0 else { throw VaultError(.mnemonicChecksumWrong) }
        return entropy
    }

    private static func text(of entropy: RawSpan, _ count: WordCount) -> SecretBytes {
        let checksum = UInt32(checksum(of: entropy, count))
        var written = 0
        let text = unsafe SecretBytes(byteCount: count.rawValue * (MnemonicWords.mostLetters + 1)) { buffer in
            var bits: UInt32 = 0
            var pending = 0
            func writeWords() {
                while pending >= 11 {
                    pending -= 11
                    let word = MnemonicWords.packed[Int(bits >> pending & 0x7FF)]
                    unsafe MnemonicWords.write(word, to: buffer, at: &written)
                }
            }
            for position in 0..<entropy.byteCount {
                bits = bits << 8 | UInt32(entropy.byte(at: position))
                pending += 8
                writeWords()
            }
            bits = bits << count.checksumBitCount | checksum
            pending += count.checksumBitCount
            writeWords()
        }
        return text.prefix(written - 1)
    }

    private static func countWords(in text: RawSpan) -> Int {
        var cursor = 0
        var count = 0
        while text.nextWord(from: &cursor) != nil { count += 1 }
        return count
    }

    /// The first 4 to 8 bits of the entropy's SHA-256.
    ///
    /// The digest is in an ordinary array: it can't be inverted to 128 bits or more of entropy.
    private static func checksum(of entropy: RawSpan, _ count: WordCount) -> UInt8 {
        SHA256.digest(entropy)[0] >> (8 - count.checksumBitCount)
    }
}
