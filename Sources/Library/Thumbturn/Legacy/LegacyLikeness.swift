import ThumbturnCrypto
import ThumbturnRules

/// What was sealed when it is no mnemonic: told by its form alone, so that the owner knows what was opened.
enum LegacyLikeness: Equatable {
    case nothing
    case object, list, quoted
    /// This many words of BIP-39's English list.
    case words(Int)
    /// This many words, not all in that list: of another language, or misspelled.
    case otherWords(Int)
    case form(SecretForm)
    case text
    /// Not text: nothing confirms that the bytes are what was sealed.
    case bytes

    init(of opened: borrowing SecretBytes) {
        self = opened.withBytes { bytes in withCleanStack { Self.likeness(of: bytes) } }
    }

    /// The description shown to a person.
    var text: String {
        switch self {
        case .nothing: "nothing is in it"
        case .object: "a JSON object"
        case .list: "a JSON list"
        case .quoted: "a JSON string"
        case .words(let count): "\(count) words"
        case .otherWords(let count): "\(count) words, not all of the English list"
        case .form(let form): form.text
        case .text: "a text"
        case .bytes: "bytes that are no text"
        }
    }

    private static func likeness(of bytes: RawSpan) -> LegacyLikeness {
        guard bytes.isPlainText else { return .bytes }
        var (cursor, count, known, isLetters, end) = (0, 0, true, true, 0)
        var first: Range<Int>?
        while let word = bytes.nextWord(from: &cursor) {
            count += 1
            first = first ?? word
            end = word.upperBound
            if MnemonicWords.pack(word, of: bytes).flatMap(MnemonicWords.index(of:)) == nil { known = false }
            if !word.allSatisfy({ bytes.byte(at: $0).isLetterOfSomeLanguage }) { isLetters = false }
        }
        guard let first else { return .nothing }
        switch (bytes.byte(at: first.lowerBound), bytes.byte(at: end - 1)) {
        case (UInt8(ascii: "{"), UInt8(ascii: "}")): return .object
        case (UInt8(ascii: "["), UInt8(ascii: "]")): return .list
        case (UInt8(ascii: "\""), UInt8(ascii: "\"")) where end - first.lowerBound > 1: return .quoted
        default: break
        }
        if known { return .words(count) }
        guard count == 1 else { return isLetters ? .otherWords(count) : .text }
        return SecretForm(of: bytes.extracting(first)).map(LegacyLikeness.form) ?? .text
    }
}

extension UInt8 {
    /// Whether it is an ASCII letter, or part of a non-ASCII character, which counts as a letter.
    fileprivate var isLetterOfSomeLanguage: Bool { self >= 0x80 || (0x61...0x7A).contains(self | 0x20) }
}

extension RawSpan {
    /// Whether it is UTF-8 without control characters except tabs and line ends.
    var isPlainText: Bool {
        unsafe withUnsafeBytes { buffer in
            var parser = Unicode.UTF8.ForwardParser()
            var iterator = unsafe buffer.makeIterator()
            while true {
                switch unsafe parser.parseScalar(from: &iterator) {
                case .valid(let encoded):
                    let scalar = Unicode.UTF8.decode(encoded)
                    switch scalar.value {
                    case 0x09, 0x0A, 0x0D: continue
                    case ..<0x20, 0x7F..<0xA0: return false
                    default: continue
                    }
                case .emptyInput: return true
                case .error: return false
                }
            }
        }
    }
}
