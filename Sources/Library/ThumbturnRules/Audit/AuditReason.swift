/// The text that a record may give as its reason: 1 to 64 of `A–Z a–z 0–9 . _ -` (design section 9).
///
/// Nothing secret and nothing that names a wallet fits a word that the rules choose; so no record ever has to be
/// erased.
package enum AuditReason {
    /// The most characters of a reason.
    package static let maximumCount = 64

    /// Whether a record may give this text as its reason.
    package static func accepts(_ text: String) -> Bool {
        let bytes = text.utf8
        guard (1...maximumCount).contains(bytes.count) else { return false }
        return bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
    }

    /// Returns what a record says for the reason that an app gives: the same text, or `other`.
    package static func safe(_ text: String) -> String { accepts(text) ? text : "other" }
}
