extension PeerAddress {
    /// Returns the address of the client behind proxies: the last one in `X-Forwarded-For` that is not a trusted proxy.
    ///
    /// Each proxy appends the address of its peer, so only entries of trusted proxies are used; what a client wrote
    /// itself is further left, and is not read.
    func client(_ headers: HTTPHeaders, trusted: [CIDR]) -> PeerAddress {
        let isTrusted = { (address: PeerAddress) in trusted.contains { $0.contains(address) } }
        guard isTrusted(self) else { return self }
        var client = self
        for word in (headers["x-forwarded-for"] ?? "").listed.reversed() {
            guard let address = PeerAddress(forwarded: word) else { break }
            client = address
            guard isTrusted(address) else { break }
        }
        return client
    }

    /// Parses an entry written by a proxy: an address, with a port from some proxies.
    ///
    /// The entry must contain nothing else, or a client could prepend text.
    private init?(forwarded word: [UInt8]) {
        let colon = UInt8(ascii: ":")
        var (address, port) = (word[...], ArraySlice<UInt8>())
        if word.first == UInt8(ascii: "[") {
            guard let end = word.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            (address, port) = (word[1..<end], word[(end + 1)...])
        } else if word.count(where: { $0 == colon }) == 1, let end = word.firstIndex(of: colon) {
            (address, port) = (word[..<end], word[end...])
        }
        let isPort = port.first == colon && port.count > 1 && port.dropFirst().allSatisfy(Characters.isDigit)
        guard port.isEmpty || isPort else { return nil }
        self.init(String(decoding: address, as: UTF8.self))
    }
}
