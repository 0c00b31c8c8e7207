/// The first line of a request: `POST /v1/login?x HTTP/1.1`.
struct RequestLine {
    let method: HTTPMethod
    let path: String
    let query: String?
    /// Whether it is HTTP/1.0, which has neither chunks nor persistent connections here.
    let isVersion1_0: Bool

    /// Parses the line without its end (RFC 9112 §3): three words separated by single spaces.
    ///
    /// Version and form are checked first, so that other protocols are reported as such.
    init(_ line: ArraySlice<UInt8>) throws(Refusal) {
        let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 3, words.allSatisfy({ !$0.isEmpty }), words[0].allSatisfy(Characters.isToken) else {
            throw .malformed(.requestLine)
        }
        isVersion1_0 = try Self.isVersion1_0(words[2])
        guard let method = HTTPMethod(rawValue: String(decoding: words[0], as: UTF8.self)) else { throw .unknownMethod }
        self.method = method
        let target = try Self.originForm(words[1], method)
        let parts = target.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        path = String(decoding: parts[0], as: UTF8.self)
        query = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : nil
    }

    private static func isVersion1_0(_ word: ArraySlice<UInt8>) throws(Refusal) -> Bool {
        guard word.count == 8, word.starts(with: "HTTP/".utf8), word[word.startIndex + 6] == UInt8(ascii: "."),
            Characters.isDigit(word[word.startIndex + 5]), Characters.isDigit(word[word.startIndex + 7])
        else { throw .malformed(.requestLine) }
        if word.elementsEqual("HTTP/1.1".utf8) { return false }
        guard word.elementsEqual("HTTP/1.0".utf8) else { throw .unknownVersion }
        return true
    }

    /// Returns the path and query of a target; host and port of an absolute URL (RFC 9112 §3.2.2) are ignored.
    private static func originForm(_ target: ArraySlice<UInt8>, _ method: HTTPMethod) throws(Refusal) -> ArraySlice<
        UInt8
    > {
        if target.elementsEqual("*".utf8), method == .options { return target }
        var path = target
        let scheme = target.prefix { $0 != UInt8(ascii: "/") }
        let isURL = ["http:", "https:"].contains(String(decoding: scheme, as: UTF8.self).lowercased())
        if isURL, target.dropFirst(scheme.count).starts(with: "//".utf8) {
            let rest = target.dropFirst(scheme.count + 2)
            let host = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
            guard !host.isEmpty, host.allSatisfy(Characters.isOfHost) else { throw .malformed(.target) }
            path = rest.dropFirst(host.count)
            // A URL without a path means `/`.
            if path.first != UInt8(ascii: "/") { path = [UInt8(ascii: "/")] + path }
        }
        guard path.first == UInt8(ascii: "/"), isWellEncoded(path) else { throw .malformed(.target) }
        return path
    }

    /// Returns whether each byte is allowed in a target, and each percent sign is followed by two hexadecimal digits.
    private static func isWellEncoded(_ target: ArraySlice<UInt8>) -> Bool {
        var digitsDue = 0
        for byte in target {
            if digitsDue > 0 {
                guard Characters.hexValue(byte) != nil else { return false }
                digitsDue -= 1
            } else if byte == UInt8(ascii: "%") {
                digitsDue = 2
            } else if !Characters.isOfTarget(byte) {
                return false
            }
        }
        return digitsDue == 0
    }
}
