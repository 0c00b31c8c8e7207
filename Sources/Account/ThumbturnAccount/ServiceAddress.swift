/// Where an account's service is, as a person typed it: a URL without a path.
///
/// `https`, or `http` to this very machine alone: a loopback address, or `localhost`.
package struct ServiceAddress: Hashable, Sendable {
    /// Scheme, host and port exactly as they are dialled.
    ///
    /// In lower case, without the port that the scheme has anyway, without a slash at the end.
    package let origin: String
    /// Whether there is no TLS.
    package let isPlain: Bool
    /// Whether the host is this very machine, by its name or number alone.
    package let isLoopback: Bool

    /// Takes `https://host[:port]` with or without a slash behind it.
    ///
    /// The host is a name of ASCII letters, digits and hyphens in labels, an IPv4 address of four numbers, or an IPv6 address
    /// in brackets. User, path, query and fragment have no meaning here and are refused.
    ///
    /// - Throws: `.addressMalformed` for anything else.
    package init(_ text: String) throws(AccountFailure) {
        // In ASCII alone: what a system lowers or prepares elsewhere would not be what was typed.
        guard text.utf8.count <= 300, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .addressMalformed }
        var rest = Substring(text.lowercased())
        isPlain = rest.hasPrefix("http://")
        guard isPlain || rest.hasPrefix("https://") else { throw .addressMalformed }
        rest = rest.dropFirst(isPlain ? 7 : 8)
        if rest.hasSuffix("/") { rest.removeLast() }
        guard let (host, port) = Self.parts(of: rest) else { throw .addressMalformed }
        isLoopback = Self.isLoopback(host)
        guard !isPlain || isLoopback else { throw .addressMalformed }
        let end = port.map { ":\($0)" } ?? ""
        origin = (isPlain ? "http://" : "https://") + host + (end == (isPlain ? ":80" : ":443") ? "" : end)
    }

    /// Parts host and port; nil where one of them is none.
    private static func parts(of authority: Substring) -> (host: Substring, port: UInt16?)? {
        var host = authority
        var port: UInt16?
        // Behind the bracket of an IPv6 address, which has colons itself.
        if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
            host = authority[..<colon]
            let digits = authority[authority.index(after: colon)...]
            guard digits.utf8.allSatisfy(\.isDigit), let number = UInt16(digits), number > 0 else { return nil }
            port = number
        }
        guard isAddress6(host) || isName(host) else { return nil }
        return (host, port)
    }

    private static func isLoopback(_ host: Substring) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        return address4(host)?.first == 127
    }

    /// The four numbers of an IPv4 address in its one form.
    private static func address4(_ host: Substring) -> [UInt8]? {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { part -> UInt8? in
            guard part.utf8.allSatisfy(\.isDigit), part == "0" || !part.hasPrefix("0") else { return nil }
            return UInt8(part)
        }
        guard numbers.count == 4, !numbers.contains(nil) else { return nil }
        return numbers.compactMap { $0 }
    }

    /// Whether it looks like an IPv6 address; the system says whether it is one.
    private static func isAddress6(_ host: Substring) -> Bool {
        guard host.hasPrefix("["), host.hasSuffix("]") else { return false }
        let address = host.dropFirst().dropLast()
        return address.utf8.count <= 45 && address.contains(":")
            && address.utf8.allSatisfy { $0.isHexadecimalDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
    }

    /// A host's name (RFC 1123 §2.1), or an IPv4 address.
    private static func isName(_ host: Substring) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let areLabels = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "-") || (0x61...0x7A).contains($0) }
        }
        guard areLabels, host.utf8.count <= 253, let last = labels.last else { return false }
        // Where the last label is a number some take the whole for an address, in forms that others don't read alike.
        return last.utf8.contains { !$0.isDigit } || address4(host) != nil
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
    fileprivate var isHexadecimalDigit: Bool { isDigit || (0x61...0x66).contains(self) }
}
