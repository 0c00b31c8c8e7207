import ThumbturnCrypto

/// The 128 random bits without which the server answers nothing.
struct Token: Sendable {
    /// As it stands in the address and in the cookie: 22 characters of base64url.
    let text: String

    init() { text = Self.text(of: RandomBytes.make(16)) }

    /// Whether a text is the token, in a time that does not tell how much of it is right.
    func isSame(as other: some StringProtocol) -> Bool {
        let (own, other) = (Array(text.utf8), Array(other.utf8))
        guard own.count == other.count else { return false }
        return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// RFC 4648 §5, without padding.
    private static func text(of bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0...group.count { text.append(alphabet[bits >> (18 - 6 * place) & 0x3F]) }
        }
        return text
    }
}
