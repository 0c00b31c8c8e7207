package import ThumbturnJSON

extension JSON {
    /// The value on one line, which a terminal may show.
    package var text: String { text(escaping: Self.escape) }

    /// How a byte below 0x80 is written in a string: a terminal acts on every control character, so they stand by number.
    static func escape(_ byte: UInt8) -> String? {
        switch byte {
        case ..<0x20, 0x7F: numbered(byte)
        default: shortestEscape(byte)
        }
    }
}
