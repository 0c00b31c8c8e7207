/// The name of an account: lower-case ASCII only, so that it needs no normalisation.
package struct AccountName: Hashable, Sendable {
    /// The maximum number of characters, each of one byte.
    package static let mostCharacters = 64

    /// A regular expression for valid names.
    package static let pattern = "^[a-z0-9._+@-]{1,64}$"

    /// The name as entered.
    package let text: String

    /// Accepts 1 to 64 characters of `a-z 0-9 . _ + @ -`; nil for anything else.
    package init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "@"), UInt8(ascii: "-"): true
            default: false
            }
        }
        guard isPlain, (1...Self.mostCharacters).contains(text.utf8.count) else { return nil }
        self.text = text
    }

    /// The name as SRP hashes it.
    package var bytes: [UInt8] { Array(text.utf8) }
}
