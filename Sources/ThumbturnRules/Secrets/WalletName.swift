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
