import ThumbturnCrypto

/// The characters of a secret while a field of UIKit asks for it, in locked memory that is wiped with every change.
///
/// The field shows one dot for each character, so a place in its text is a place here.
@MainActor final class SecretEntry {
    /// What would make the secret longer is not taken.
    static let mostBytes = 1024

    /// What was typed so far, as UTF-8.
    private(set) var typed = SecretEntry.nothing
    /// The number of bytes of each character.
    private var widths: [Int] = []

    /// The number of characters.
    var count: Int { widths.count }

    /// Replaces the characters in `range`, as far as they are there, by those of `text`.
    func replace(_ range: Range<Int>, with text: String) {
        let range = range.clamped(to: 0..<count)
        let inserted = SecretBytes(typed: text)
        let start = widths[..<range.lowerBound].reduce(0, +)
        let end = widths[range].reduce(start, +)
        let after = typed.withBytes { SecretBytes(copying: $0.extracting(droppingFirst: end)) }
        guard start + inserted.byteCount + after.byteCount <= Self.mostBytes else { return }
        typed = .concatenating(.concatenating(typed.copy().prefix(start), inserted), after)
        widths.replaceSubrange(range, with: text.map(\.utf8.count))
    }

    /// Wipes everything.
    func clear() {
        typed = Self.nothing
        widths = []
    }

    private static var nothing: SecretBytes { unsafe SecretBytes(byteCount: 0) { _ in } }
}
