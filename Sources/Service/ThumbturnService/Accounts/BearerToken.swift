import ThumbturnCrypto

/// The token of a client that has proved a login (RFC 6750).
///
/// It is a secret that has to travel as text, so it stays unwiped in requests and answers as long as they exist; the
/// store has only its SHA-256.
package struct BearerToken: Sendable {
    private static let byteCount = 32

    /// The text that the client sends.
    let text: String
    /// The SHA-256, which the store keeps.
    let hash: [UInt8]

    private init(_ text: [UInt8], _ bytes: [UInt8]) {
        self.text = String(decoding: text, as: UTF8.self)
        hash = SHA256.digest(bytes)
    }

    /// Draws a new token.
    static func make() -> BearerToken {
        let bytes = RandomBytes.make(byteCount)
        return BearerToken(TextCode.hexadecimal.encode(bytes), bytes)
    }

    /// Parses the header `Authorization`; returns `nil` unless it is `Bearer` with a token of our form.
    package init?(authorization header: String?) {
        guard let header, header.count > 7, header.prefix(7).lowercased() == "bearer " else { return nil }
        let text = Array(header.utf8.dropFirst(7))
        // Accept lower case only, as issued: like all values the service accepts, a token has one form.
        guard text.count == 2 * Self.byteCount, !text.contains(where: { (0x41...0x5A).contains($0) }),
            let bytes = TextCode.hexadecimal.decode(text)
        else { return nil }
        self.init(text, bytes)
    }
}
