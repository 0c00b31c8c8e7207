/// A block of addresses, such as `10.0.0.0/8`; a single address is a block of one.
package struct CIDR: Hashable, Sendable {
    private let base: PeerAddress
    private let prefix: Int

    /// Parses a block; returns `nil` for malformed text, or if the address has bits set after the prefix.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let base = PeerAddress(parts[0]), parts.count <= 2 else { return nil }
        let width = base.isIPv4 ? 32 : 128
        var prefix = width
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(parts[1]), number <= width
            else { return nil }
            prefix = number
        }
        self.base = base
        self.prefix = prefix
        guard Self.masked(base, prefix) == base else { return nil }
    }

    /// Returns whether the block contains this address.
    package func contains(_ address: PeerAddress) -> Bool {
        address.isIPv4 == base.isIPv4 && Self.masked(address, prefix) == base
    }

    private static func masked(_ address: PeerAddress, _ prefix: Int) -> PeerAddress {
        // In Swift a shift by the whole width gives 0, as a prefix of 0 requires.
        if address.isIPv4 { return PeerAddress(ipv4: UInt32(address.low) & (UInt32.max << (32 - prefix))) }
        let high = address.high & (UInt64.max << max(0, 64 - prefix))
        let low = address.low & (UInt64.max << min(64, 128 - prefix))
        return PeerAddress(high: high, low: low)
    }
}

extension PeerAddress {
    /// Creates an IPv6 address.
    fileprivate init(high: UInt64, low: UInt64) { (self.high, self.low, isIPv4) = (high, low, false) }
}
