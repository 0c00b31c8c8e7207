/// What of a text a terminal may get: no control characters, and none that changes the direction of what follows.
package enum Plain {
    /// The text with each other character in the place of such a one; lines and tabs stay.
    package static func text(of text: String) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        var plain = String.UnicodeScalarView()
        plain.append(contentsOf: text.unicodeScalars.map { isHidden($0) ? "\u{FFFD}" : $0 })
        return String(plain)
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case ..<0x20, 0x7F..<0xA0: true
        // Marks of direction, embeddings, overrides and isolates; and the ends of line and paragraph.
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
