package import ThumbturnJSON

extension JSON {
    /// The value on one line, safe to show on a terminal.
    package var text: String { text(escaping: Self.escape) }

    /// Returns the escape for a byte below 0x80 in a string: a terminal acts on control characters, so all are escaped
    /// by number.
    static func escape(_ byte: UInt8) -> String? {
        switch byte {
        case ..<0x20, 0x7F: numbered(byte)
        default: shortestEscape(byte)
        }
    }
}
