import ThumbturnRules

/// Where a service is: scheme, host and port.
struct ServiceOrigin: Hashable, Sendable {
    /// As it was given, for example `https://accounts.example.org`.
    let text: String
    /// Whether there is no TLS.
    let isPlain: Bool
    /// Whether the host is this very machine, by its name or number alone.
    let isLoopback: Bool

    /// Reads an origin; `http` only to this very machine.
    init(_ text: String) throws(VaultError) {
        isPlain = text.hasPrefix("http://")
        guard text.utf8.allSatisfy({ $0 < 0x80 }), isPlain || text.hasPrefix("https://") else {
            throw VaultError(.usage, "neither https nor http")
        }
        let rest = text.dropFirst(isPlain ? 7 : 8)
        let end = rest.hasPrefix("[") ? rest.firstIndex(of: "]").map(rest.index(after:)) : rest.firstIndex(of: ":")
        let host = rest[..<(end ?? rest.endIndex)].lowercased()
        let port = rest.dropFirst(host.count)
        guard Self.isHost(host), port.isEmpty || Self.isPort(port) else { throw VaultError(.usage, "no host and port") }
        isLoopback = host == "localhost" || host == "[::1]" || Self.isOfLoopbackNet(host)
        guard !isPlain || isLoopback else { throw VaultError(.usage, "http to another machine") }
        self.text = text
    }

    private static func isHost(_ host: String) -> Bool {
        guard host.hasPrefix("[") else {
            return !host.isEmpty
                && host.utf8.allSatisfy { isDigit($0) || (0x61...0x7A).contains($0) || $0 == 0x2D || $0 == 0x2E }
        }
        return host.hasSuffix("]") && host.count > 2
            && host.utf8.dropFirst().dropLast()
                .allSatisfy { isDigit($0) || (0x61...0x66).contains($0) || $0 == 0x3A || $0 == 0x2E }
    }

    private static func isPort(_ text: Substring) -> Bool {
        let digits = text.utf8.dropFirst()
        return text.hasPrefix(":") && digits.allSatisfy(isDigit) && UInt16(text.dropFirst()).map { $0 > 0 } == true
    }

    /// Whether it is 127.0.0.0/8 in four decimal numbers: others are read in more than one way.
    private static func isOfLoopbackNet(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { part in UInt8(part).map { String($0) == part } == true }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
