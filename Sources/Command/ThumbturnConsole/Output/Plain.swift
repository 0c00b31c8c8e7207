/// Removes from a text what a terminal would act on: control characters, and those that change the direction of text.
package enum Plain {
    /// Returns the text with U+FFFD in place of each such character; newlines and tabs stay.
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
        // Direction marks, embeddings, overrides and isolates, and the line and paragraph separators.
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
