/// The address of an account's service, as typed by a user: a URL without a path.
///
/// `https`, or `http` only to this very machine: a loopback address or `localhost`.
package struct ServiceAddress: Hashable, Sendable {
    /// Scheme, host and port to connect to.
    ///
    /// In lower case, without the scheme's default port, and without a trailing slash.
    package let origin: String
    /// Whether the scheme is `http`, without TLS.
    package let isPlain: Bool
    /// Whether the host is this very machine, judged by its name or number alone.
    package let isLoopback: Bool

    /// Parses `https://host[:port]`, with or without a trailing slash.
    ///
    /// The host is a name of labels with ASCII letters, digits and hyphens, an IPv4 address of four numbers, or an IPv6
    /// address in brackets. User, path, query and fragment are refused.
    ///
    /// - Throws: `.addressMalformed` for anything else.
    package init(_ text: String) throws(AccountFailure) {
        // Accept ASCII only: lowercasing or preparing other text could change it.
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

    /// Splits host and port; returns `nil` if either is malformed.
    private static func parts(of authority: Substring) -> (host: Substring, port: UInt16?)? {
        var host = authority
        var port: UInt16?
        // Look after the bracket of an IPv6 address, which contains colons itself.
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

    /// Returns the four numbers of an IPv4 address in canonical form.
    private static func address4(_ host: Substring) -> [UInt8]? {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { part -> UInt8? in
            guard part.utf8.allSatisfy(\.isDigit), part == "0" || !part.hasPrefix("0") else { return nil }
            return UInt8(part)
        }
        guard numbers.count == 4, !numbers.contains(nil) else { return nil }
        return numbers.compactMap { $0 }
    }

    /// Returns whether it looks like an IPv6 address; the system does the full check.
    private static func isAddress6(_ host: Substring) -> Bool {
        guard host.hasPrefix("["), host.hasSuffix("]") else { return false }
        let address = host.dropFirst().dropLast()
        return address.utf8.count <= 45 && address.contains(":")
            && address.utf8.allSatisfy { $0.isHexadecimalDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
    }

    /// Returns whether it is a host name (RFC 1123 §2.1) or an IPv4 address.
    private static func isName(_ host: Substring) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let areLabels = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "-") || (0x61...0x7A).contains($0) }
        }
        guard areLabels, host.utf8.count <= 253, let last = labels.last else { return false }
        // If the last label is a number, some programs read the whole as an address, in forms that others read
        // differently.
        return last.utf8.contains { !$0.isDigit } || address4(host) != nil
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
    fileprivate var isHexadecimalDigit: Bool { isDigit || (0x61...0x66).contains(self) }
}
