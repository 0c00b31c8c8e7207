extension PeerAddress {
    /// Who asks, where proxies may stand between: of what `X-Forwarded-For` lists, the last that is no trusted proxy.
    ///
    /// Each proxy appends whom it talks to, so only what a trusted one appended is believed; what a client wrote itself stands
    /// further left, and is not read.
    func client(_ headers: HTTPHeaders, trusted: [CIDR]) -> PeerAddress {
        let isTrusted = { (address: PeerAddress) in trusted.contains { $0.contains(address) } }
        guard isTrusted(self) else { return self }
        var client = self
        for word in (headers["x-forwarded-for"] ?? "").split(separator: ",").reversed() {
            guard let address = PeerAddress(forwarded: word.trimmingSpace) else { break }
            client = address
            guard isTrusted(address) else { break }
        }
        return client
    }

    /// Reads what a proxy wrote: an address, some add its port.
    private init?(forwarded text: Substring) {
        var text = text
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            text = text[text.index(after: text.startIndex)..<end]
        } else if text.count(where: { $0 == ":" }) == 1 {
            text = text.prefix { $0 != ":" }
        }
        self.init(String(text))
    }
}
