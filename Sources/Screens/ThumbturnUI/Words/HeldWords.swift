import Thumbturn
import ThumbturnCrypto
import ThumbturnRules

/// A wallet's words in locked memory, lent one by one.
@MainActor final class HeldWords {
    private let text: SecretBytes
    /// How many words there are.
    let count: Int

    init(_ text: consuming SecretBytes) {
        self.text = text
        count = self.text.withBytes { bytes in
            var (count, cursor) = (0, 0)
            while bytes.nextWord(from: &cursor) != nil { count += 1 }
            return count
        }
    }

    /// Lends all of it, as it was given.
    func withText<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result { try text.withBytes(body) }

    /// Lends the word at a place, from 1; nil for a place that has none.
    func withWord<Result>(at place: Int, _ body: (RawSpan) throws -> Result) rethrows -> Result? {
        try text.withBytes { bytes in
            var (number, cursor) = (0, 0)
            while let range = bytes.nextWord(from: &cursor) {
                number += 1
                if number == place { return try body(bytes.extracting(range)) }
            }
            return nil
        }
    }
}

extension SecretBytes {
    /// Whether this is the word that was typed, whatever its case and the blanks around it.
    borrowing func isWord(_ typed: borrowing SecretBytes) -> Bool {
        let cleaned = typed.withBytes { bytes in
            var cursor = 0
            let range = bytes.nextWord(from: &cursor) ?? 0..<0
            // A second word is no answer.
            let isAlone = bytes.nextWord(from: &cursor) == nil
            let word = bytes.extracting(isAlone ? range : 0..<0)
            return unsafe SecretBytes(byteCount: word.byteCount) { buffer in
                for index in 0..<word.byteCount { unsafe buffer[index] = word.byte(at: index).lowercased }
            }
        }
        return SecretBytes.constantTimeEqual(self, cleaned)
    }
}
