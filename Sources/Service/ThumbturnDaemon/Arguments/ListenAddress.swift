import ThumbturnHTTP

/// The value of `--listen`: a host and a port, such as `127.0.0.1:8107`, `[::1]:8107` or `localhost:0`.
struct ListenAddress: Hashable, Sendable {
    /// The host, without the brackets of an IPv6 address.
    let host: String
    let port: UInt16

    static let standard = ListenAddress(host: "127.0.0.1", port: 8_107)

    init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }

    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }) else {
            return nil
        }
        self.init(host: String(host), port: port)
    }

    /// Whether only this machine can reach it.
    var isLoopback: Bool {
        if host == "localhost" { return true }
        guard let address = PeerAddress(host) else { return false }
        return ["127.0.0.0/8", "::1/128"].contains { CIDR($0)?.contains(address) ?? false }
    }

    /// Returns the URL that clients dial, given the actual port.
    func origin(port: UInt16, isTLS: Bool) -> String {
        let scheme = isTLS ? "https" : "http"
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isTLS ? 443 : 80) ? "\(scheme)://\(name)" : "\(scheme)://\(name):\(port)"
    }
}
