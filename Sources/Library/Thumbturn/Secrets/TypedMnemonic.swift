package import ThumbturnCrypto
package import ThumbturnRules

/// A mnemonic as people write it down, type it and paste it: line by line, with a number before each word, with commas, in the
/// first four letters of each word, and with a word that is mistaken for now.
///
/// Where it speaks of a word it gives the place, never the word.
package struct TypedMnemonic: ~Copyable {
    /// The most words that a mnemonic has.
    package static let mostWords = 24

    /// The words as BIP-39 spells them, a space behind each; a question mark stands for one that is not in the list.
    package private(set) var text = unsafe SecretBytes(byteCount: 0) { _ in }
    /// How many words there are.
    package private(set) var wordCount = 0
    /// The words of the list that are near to one that is not in it, by its place.
    private var near: [Int: [String]] = [:]

    /// Nothing was typed yet.
    package init() {}

    /// Adds the words of a line, or of many.
    ///
    /// - Throws: `mnemonicLengthWrong` where the number before a word is not its place: one is missing there, or is there twice;
    ///   `mnemonicWordUnknown` for a key, with its form.
    package mutating func add(_ line: borrowing SecretBytes) throws(VaultError) {
        try line.withBytes { (line) throws(VaultError) in try add(line) }
    }

    /// The same for a line that somebody lends.
    package mutating func add(_ line: RawSpan) throws(VaultError) {
        var count = wordCount
        let words = try Self.cleanWords(of: line, &count, &near)
        text = SecretBytes.concatenating(text, words)
        wordCount = count
    }

    /// The same for a line that may be something else, such as what was pasted behind a mnemonic.
    ///
    /// - Returns: whether there are words, and all of them in the list; else none was added.
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

    /// The places, from 1, of the words that are not in the list.
    package var unknown: [Int] { Self.unknown(in: text) }

    /// The words of the list that are near to the one at a place, which is not in it.
    package func words(near place: Int) -> [String] { near[place] ?? [] }

    /// What came of a word that was typed in the place of another.
    package enum Correction: Equatable {
        case right
        /// Not in the list.
        case unknown
        /// More than one, or none at all.
        case several(Int)
    }

    /// Puts another word in the place of one.
    ///
    /// - Returns: whether that is one word of the list; else nothing was changed.
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
            // The space behind it too.
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

    /// Whether the words are a mnemonic as they stand.
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

    /// The words of a line.
    ///
    /// - Parameters:
    ///   - count: how many words there are before, and then with them.
    ///   - near: gets the words near to one that is not in the list, by its place.
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
        // Four letters and what parts them become eight and a space; the last four need nothing behind them.
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
    /// Finds the next run of bytes without white space, and without the marks that part words, stand around them or follow a number.
    fileprivate func nextItem(from cursor: inout Int) -> Range<Int>? {
        while cursor < byteCount, case let length = partLength(at: cursor), length > 0 { cursor += length }
        let start = cursor
        while cursor < byteCount, partLength(at: cursor) == 0 { cursor += 1 }
        return start < cursor ? start..<cursor : nil
    }

    private func partLength(at index: Int) -> Int {
        switch byte(at: index) {
        // All of ASCII that is neither letter nor digit, but for the controls.
        case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: 1
        default: max(blankLength(at: index), markLength(at: index))
        }
    }

    /// How many bytes of a mark beyond ASCII stand here: a quotation mark, a dash, a dot in the middle, an ellipsis.
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

    /// Takes the digits off the front of an item; nil where there are none.
    fileprivate func takeNumber(from item: inout Range<Int>) -> Int? {
        var (number, end) = (0, item.lowerBound)
        while end < item.upperBound, case let digit = byte(at: end), (0x30...0x39).contains(digit) {
            // No place has more digits, and this many can't overflow.
            number = min(number * 10 + Int(digit - 0x30), 1_000)
            end += 1
        }
        guard end > item.lowerBound else { return nil }
        item = end..<item.upperBound
        return number
    }
}
