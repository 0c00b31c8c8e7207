import ThumbturnRules

/// The text form of keys and certificates (RFC 7468).
package enum PEM {
    /// Returns the contents, in DER, of everything with a label; empty if one of them can't be read.
    ///
    /// Text outside and other labels are ignored, as the RFC lets tools write them.
    ///
    /// - Parameter label: such as `PUBLIC KEY`.
    package static func contents(labelled label: String, in text: [UInt8]) -> [[UInt8]] {
        let (begin, end) = ("-----BEGIN \(label)-----", "-----END \(label)-----")
        var contents: [[UInt8]] = []
        var code: [UInt8]?
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            if line.elementsEqual(begin.utf8) {
                code = []
            } else if line.elementsEqual(end.utf8) {
                guard let whole = code, let content = TextCode.base64.decode(whole) else { return [] }
                contents.append(content)
                code = nil
            } else {
                code?.append(contentsOf: line.filter { $0 != 0x20 && $0 != 0x09 })
            }
        }
        return code == nil ? contents : []
    }

    /// Writes contents that are not secret, in lines of 64 characters, the last with its newline.
    package static func text(_ contents: [UInt8], labelled label: String) -> [UInt8] {
        let characters = TextCode.base64.encode(contents)
        var text = [UInt8](repeating: 0, count: byteCount(characters.count, labelled: label))
        unsafe text.withUnsafeMutableBytes { text in
            unsafe characters.withUnsafeBytes { unsafe write($0.bytes, labelled: label, into: text) }
        }
        return text
    }

    /// Returns the length of a text, given its number of Base64 characters.
    static func byteCount(_ characterCount: Int, labelled label: String) -> Int {
        let (begin, end) = borders(label)
        return begin.count + characterCount + (characterCount + width - 1) / width + end.count
    }

    /// Writes the borders, and the characters between them; the buffer has `byteCount` bytes.
    static func write(_ characters: RawSpan, labelled label: String, into text: UnsafeMutableRawBufferPointer) {
        let (begin, end) = borders(label)
        unsafe text.copyBytes(from: begin)
        var position = begin.count
        for index in 0..<characters.byteCount {
            unsafe text[position] = characters.byte(at: index)
            position += 1
            guard (index + 1) % width == 0 || index + 1 == characters.byteCount else { continue }
            unsafe text[position] = 0x0A
            position += 1
        }
        unsafe UnsafeMutableRawBufferPointer(rebasing: text[position...]).copyBytes(from: end)
    }

    private static let width = 64

    private static func borders(_ label: String) -> (begin: [UInt8], end: [UInt8]) {
        (Array("-----BEGIN \(label)-----\n".utf8), Array("-----END \(label)-----\n".utf8))
    }
}
