package import ThumbturnCrypto
package import ThumbturnRules

/// A mnemonic as people write, type and paste it: line by line, with a number before each word, with commas, shortened
/// to four letters per word, and with mistakes still in it.
///
/// It reports the position of a word, never the word.
package struct TypedMnemonic: ~Copyable {
    /// The maximum number of words in a mnemonic.
    package static let mostWords = 24

    /// The words in BIP-39's spelling, each followed by a space; a question mark stands for one that is not in the
    /// list.
    package private(set) var text = unsafe SecretBytes(byteCount: 0) { _ in }
    /// The number of words.
    package private(set) var wordCount = 0
    /// The suggestions for a word that is not in the list, by its position.
    private var near: [Int: [String]] = [:]

    /// Creates an empty mnemonic.
    package init() {}

    /// Adds the words of one or more lines.
    ///
    /// - Throws: `mnemonicLengthWrong` when the number before a word is not its position: a word is missing or
    ///   repeated; `mnemonicWordUnknown` for a key, with its form.
    package mutating func add(_ line: borrowing SecretBytes) throws(VaultError) {
        try line.withBytes { (line) throws(VaultError) in try add(line) }
    }

    /// Adds the words of a borrowed line.
    package mutating func add(_ line: RawSpan) throws(VaultError) {
        var count = wordCount
        let words = try Self.cleanWords(of: line, &count, &near)
        text = SecretBytes.concatenating(text, words)
        wordCount = count
    }

    /// Adds the words of a line only if all are known; the line may be unrelated text that was pasted after a mnemonic.
    ///
    /// - Returns: whether the line has words, all of them in the list; otherwise none was added.
    package mutating func addIfKnown(_ line: borrowing SecretBytes) -> Bool {
        var (count, near) = (wordCount, self.near)
        guard let words = try? Self.words(of: line, &count, &near), count > wordCount, Self.unknown(in: words).isEmpty
        else {
            return false
        }
        text = SecretBytes.concatenating(text, words)
        wordCount = count
        return true
    }

    /// The positions, from 1, of the words that are not in the list.
    package var unknown: [Int] { Self.unknown(in: text) }

    /// Returns the suggestions for the unknown word at a position.
    package func words(near place: Int) -> [String] { near[place] ?? [] }

    /// The result of correcting a word.
    package enum Correction: Equatable {
        case right
        /// The word is not in the list.
        case unknown
        /// The number of words typed is not one; it may be zero.
        case several(Int)
    }

    /// Replaces the word at a position.
    ///
    /// - Returns: `.right` when a single word of the list was typed; otherwise nothing was changed.
    package mutating func correct(_ place: Int, with typed: borrowing SecretBytes) -> Correction {
        var (count, near) = (place - 1, self.near)
        near[place] = nil
        guard let word = try? Self.words(of: typed, &count, &near) else { return .unknown }
        guard count == place else { return .several(count - place + 1) }
        self.near[place] = near[place]
        guard Self.unknown(in: word).isEmpty else { return .unknown }
        text = text.withBytes { text in
            var (cursor, former) = (0, 0..<0)
            for _ in 0..<place { former = text.nextWord(from: &cursor) ?? former }
            // Also skip the space after it.
            let rest = min(former.upperBound + 1, text.byteCount)
            return word.withBytes { word in
                unsafe SecretBytes(byteCount: former.lowerBound + word.byteCount + text.byteCount - rest) { buffer in
                    for index in 0..<former.lowerBound { unsafe buffer[index] = text.byte(at: index) }
                    for index in 0..<word.byteCount {
                        unsafe buffer[former.lowerBound + index] = word.byte(at: index)
                    }
                    for index in rest..<text.byteCount {
                        unsafe buffer[former.lowerBound + word.byteCount + index - rest] = text.byte(at: index)
                    }
                }
            }
        }
        return .right
    }

    /// Whether the words form a valid mnemonic.
    package var isWhole: Bool { (try? Mnemonic.entropy(of: text)) != nil }
}

extension TypedMnemonic {
    private static let mark = UInt8(ascii: "?")

    private static func unknown(in words: borrowing SecretBytes) -> [Int] {
        words.withBytes { words in
            var (cursor, place, places) = (0, 0, [Int]())
            while let range = words.nextWord(from: &cursor) {
                place += 1
                if words.byte(at: range.lowerBound) == mark { places.append(place) }
            }
            return places
        }
    }

    /// Reads the words of a line.
    ///
    /// - Parameters:
    ///   - count: the number of words so far; increased by those of the line.
    ///   - near: receives the suggestions for each unknown word, by its position.
    private static func words(
        of line: borrowing SecretBytes,
        _ count: inout Int,
        _ near: inout [Int: [String]]
    ) throws(VaultError) -> SecretBytes {
        try line.withBytes { line throws(VaultError) in try cleanWords(of: line, &count, &near) }
    }

    private static func cleanWords(
        of line: RawSpan,
        _ count: inout Int,
        _ near: inout [Int: [String]]
    ) throws(VaultError) -> SecretBytes {
        try withCleanStack(.shallow) { () throws(VaultError) in try words(of: line, &count, &near) }
    }

    private static func words(
        of line: RawSpan,
        _ count: inout Int,
        _ near: inout [Int: [String]]
    ) throws(VaultError) -> SecretBytes {
        var written = 0
        // Four letters and a separator become eight and a space; the last four need no separator.
        let buffer = try unsafe SecretBytes(byteCount: 2 * line.byteCount + 2) { buffer throws(VaultError) in
            var cursor = 0
            while var item = line.nextItem(from: &cursor) {
                if let form = SecretForm(of: line.extracting(item)) {
                    throw VaultError(.mnemonicWordUnknown, form.text)
                }
                if let number = line.takeNumber(from: &item) {
                    guard number == count + 1 else {
                        throw VaultError(.mnemonicLengthWrong, "misnumbered word \(count + 1)")
                    }
                    if item.isEmpty { continue }
                }
                count += 1
                var spelled = UInt64(mark) << 56
                if let word = MnemonicWords.pack(item, of: line), let index = MnemonicWords.index(ofWritten: word) {
                    spelled = MnemonicWords.packed[Int(index)]
                } else {
                    near[count] = MnemonicWords.words(near: item, of: line)
                }
                unsafe MnemonicWords.write(spelled, to: buffer, at: &written)
            }
        }
        return buffer.prefix(written)
    }
}

extension RawSpan {
    /// Finds the next run of bytes without white space and without marks that separate or surround words or follow a
    /// number.
    fileprivate func nextItem(from cursor: inout Int) -> Range<Int>? {
        while cursor < byteCount, case let length = partLength(at: cursor), length > 0 { cursor += length }
        let start = cursor
        while cursor < byteCount, partLength(at: cursor) == 0 { cursor += 1 }
        return start < cursor ? start..<cursor : nil
    }

    private func partLength(at index: Int) -> Int {
        switch byte(at: index) {
        // All ASCII punctuation.
        case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: 1
        default: max(blankLength(at: index), markLength(at: index))
        }
    }

    /// Returns the length in bytes of a non-ASCII mark: a quotation mark, a dash, a middle dot, an ellipsis.
    private func markLength(at index: Int) -> Int {
        switch byte(at: index) {
        case 0xC2 where index + 1 < byteCount: [0xAB, 0xB7, 0xBB].contains(byte(at: index + 1)) ? 2 : 0
        case 0xE2 where index + 2 < byteCount:
            switch (byte(at: index + 1), byte(at: index + 2)) {
            case (0x80, 0x90...0xA7), (0x80, 0xB9), (0x80, 0xBA): 3
            default: 0
            }
        case 0xE3 where index + 2 < byteCount && byte(at: index + 1) == 0x80:
            (0x8C...0x8F).contains(byte(at: index + 2)) ? 3 : 0
        default: 0
        }
    }

    /// Removes the digits at the front of an item and returns their value; nil when there are none.
    fileprivate func takeNumber(from item: inout Range<Int>) -> Int? {
        var (number, end) = (0, item.lowerBound)
        while end < item.upperBound, case let digit = byte(at: end), (0x30...0x39).contains(digit) {
            // The limit avoids an overflow, and is larger than any position.
            number = min(number * 10 + Int(digit - 0x30), 1_000)
            end += 1
        }
        guard end > item.lowerBound else { return nil }
        item = end..<item.upperBound
        return number
    }
}
