/// The name of a wallet: one line that a person can see and type.
///
/// Two names are the same when they are canonically equivalent (`é` composed or not), which is how `String` compares; the
/// text stays as it was given.
public struct WalletName: Hashable, Sendable {
    /// The most characters, as a reader counts them.
    package static let mostCharacters = 64
    /// The most bytes of UTF-8.
    package static let mostBytes = 256

    /// The name as it was given.
    public let text: String

    /// Takes a name that someone chose.
    ///
    /// - Parameter text: 1 to 64 characters in at most 256 bytes of UTF-8; no white space at either end, no mark without a
    ///   letter before it, and nothing that is invisible or changes how its neighbours look: control and format
    ///   characters (bidirectional overrides, zero-width joiners), separators of lines, private or unassigned scalars.
    /// - Throws: `nameInvalid`, and nothing else.
    public init(_ text: String) throws(VaultError) {
        // Bytes first: they are counted at once, characters by walking through the text.
        guard text.utf8.count <= Self.mostBytes, text.count <= Self.mostCharacters else {
            throw VaultError(.nameInvalid, "too long")
        }
        guard let first = text.unicodeScalars.first, let start = text.first, let end = text.last else {
            throw VaultError(.nameInvalid, "empty")
        }
        guard !start.isWhitespace, !end.isWhitespace, !first.isMark else {
            throw VaultError(.nameInvalid, "white space or a mark at an end")
        }
        guard text.unicodeScalars.allSatisfy({ $0.isShown }) else { throw VaultError(.nameInvalid, "not shown") }
        self.text = text
    }

    /// Takes back a name that was checked when someone chose it.
    ///
    /// Which scalars are assigned depends on the system's version of Unicode, and a wallet must not become unreadable on a
    /// system older than its name.
    package init(stored text: String) {
        self.text = text
    }

    /// Bytes that names have in common which are canonically equivalent: what a wallet is found by.
    ///
    /// They depend on no version of Unicode. Those of a name in ASCII are its own. Of any other one they are the digits and signs
    /// that no scalar decomposes to, so different names may share them.
    package var folded: [UInt8] {
        var bytes: [UInt8] = []
        var isASCII = true
        for scalar in text.unicodeScalars {
            // All that decompose to ASCII alone: the kelvin sign, the Greek question mark and the Greek varia.
            let scalar: Unicode.Scalar =
                switch scalar {
                case "\u{212A}": "K"
                case "\u{37E}": ";"
                case "\u{1FEF}": "`"
                default: scalar
                }
            if scalar.isASCII { bytes.append(UInt8(ascii: scalar)) } else { isASCII = false }
        }
        return isASCII ? bytes : [0xFF] + bytes.filter(Self.standsAlone)
    }

    /// Whether a character of ASCII is a part of no other one.
    private static func standsAlone(_ byte: UInt8) -> Bool {
        switch UInt8(byte) {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): false
        case UInt8(ascii: ";")...UInt8(ascii: ">"), UInt8(ascii: "`"): false
        default: true
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    fileprivate var isShown: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: return false
        default: break
        }
        // The Hangul fillers and their like count as letters. The emoji selector is the one we need: ❤️ has it.
        if properties.isDefaultIgnorableCodePoint { return self == "\u{FE0F}" }
        return self != "\u{2800}"  // the Braille pattern without a dot, which is a symbol and blank
    }
}
