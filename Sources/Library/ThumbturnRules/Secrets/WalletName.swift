/// The name of a wallet: one line that a person can see and type.
///
/// Two names are equal when they are canonically equivalent (`é` composed or not), which is how `String` compares; the
/// text is kept as entered.
public struct WalletName: Hashable, Sendable {
    /// The maximum number of characters, as a reader counts them.
    package static let mostCharacters = 64
    /// The maximum number of bytes of UTF-8.
    package static let mostBytes = 256

    /// The name as entered.
    public let text: String

    /// Checks a name that a person chose.
    ///
    /// - Parameter text: 1 to 64 characters in at most 256 bytes of UTF-8; no white space at either end, no leading
    ///   combining mark, and no character that is invisible or changes how its neighbours look: control and format
    ///   characters (bidirectional overrides, zero-width joiners), line separators, private or unassigned scalars.
    /// - Throws: `nameInvalid`, and nothing else.
    public init(_ text: String) throws(VaultError) {
        // Check bytes first: counting them is fast, counting characters walks through the text.
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

    /// Restores a name that was checked when it was chosen.
    ///
    /// Which scalars are assigned depends on the system's Unicode version, and a wallet must stay readable on an older
    /// system.
    package init(stored text: String) { self.text = text }

    /// Bytes that canonically equivalent names share, by which a wallet is found.
    ///
    /// They do not depend on the Unicode version. An ASCII name's bytes are its own. Any other name is reduced to the
    /// digits and signs that no scalar decomposes to, so different names may share them.
    package var folded: [UInt8] {
        var bytes: [UInt8] = []
        var isASCII = true
        for scalar in text.unicodeScalars {
            // The only scalars that decompose to ASCII: the kelvin sign, the Greek question mark and the Greek varia.
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

    /// Returns the name with the first digits of an id behind it, shortened if it would be too long.
    package func marked(by id: Identifier) -> WalletName {
        let mark = " " + id.text.prefix(8)
        var kept = text.prefix(Self.mostCharacters - mark.count)
        while kept.utf8.count + mark.utf8.count > Self.mostBytes { kept.removeLast() }
        return WalletName(stored: kept + mark)
    }

    /// Returns whether no other character decomposes to one with this ASCII character.
    private static func standsAlone(_ byte: UInt8) -> Bool {
        switch byte {
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
        // The Hangul fillers and similar scalars count as letters. The emoji selector is needed: ❤️ has it.
        if properties.isDefaultIgnorableCodePoint { return self == "\u{FE0F}" }
        return self != "\u{2800}"  // the Braille pattern without a dot: a symbol, but blank
    }
}
