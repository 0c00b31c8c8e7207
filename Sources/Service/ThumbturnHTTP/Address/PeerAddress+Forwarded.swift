extension PeerAddress {
    /// Who asks, where proxies may stand between: of what `X-Forwarded-For` lists, the last that is no trusted proxy.
    ///
    /// Each proxy appends whom it talks to, so only what a trusted one appended is believed; what a client wrote itself stands
    /// further left, and is not read.
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

    /// Reads what a proxy wrote: an address, some add its port.
    ///
    /// All of it has to be that, or a client could put more before it.
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
