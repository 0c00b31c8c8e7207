import ThumbturnCrypto

/// What a client shows for a login that it proved (RFC 6750).
///
/// It is a secret that has to travel as text, so it lies unwiped in requests and answers for as long as these do; at rest
/// there is its SHA-256, from which it does not follow.
package struct BearerToken: Sendable {
    private static let byteCount = 32

    /// The text that the client sends.
    let text: String
    /// What the store keeps of it.
    let hash: [UInt8]

    private init(_ text: [UInt8], _ bytes: [UInt8]) {
        self.text = String(decoding: text, as: UTF8.self)
        hash = SHA256.digest(bytes)
    }

    /// Draws a new one.
    static func make() -> BearerToken {
        let bytes = RandomBytes.make(byteCount)
        return BearerToken(TextCode.hexadecimal.encode(bytes), bytes)
    }

    /// Reads the header `Authorization`; nil unless it is `Bearer` and a token of ours.
    package init?(authorization header: String?) {
        guard let header, header.count > 7, header.prefix(7).lowercased() == "bearer " else { return nil }
        let text = Array(header.utf8.dropFirst(7))
        // In lower case, as it was given: a token has one form, as all that the service takes.
        guard text.count == 2 * Self.byteCount, !text.contains(where: { (0x41...0x5A).contains($0) }),
            let bytes = TextCode.hexadecimal.decode(text)
        else { return nil }
        self.init(text, bytes)
    }
}
