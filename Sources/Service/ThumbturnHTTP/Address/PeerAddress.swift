import Glibc

/// The address of a client; an IPv4 address mapped into IPv6 counts as IPv4.
package struct PeerAddress: Hashable, Sendable {
    /// The address as a number, most significant byte first; IPv4 uses the lower 32 bits of `low`.
    let high: UInt64
    let low: UInt64
    let isIPv4: Bool

    /// The loopback address.
    package static let loopback = PeerAddress(ipv4: 0x7F00_0001)

    init(ipv4: UInt32) { (high, low, isIPv4) = (0, UInt64(ipv4), true) }

    init(ipv6 bytes: [UInt8]) {
        let high = bytes[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let low = bytes[8...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let isMapped = high == 0 && low >> 32 == 0xFFFF
        (self.high, self.low, isIPv4) = (high, isMapped ? low & 0xFFFF_FFFF : low, isMapped)
    }

    /// Parses an address without port, brackets or zone.
    package init?(_ text: String) {
        var ipv4 = in_addr()
        var ipv6 = in6_addr()
        if unsafe inet_pton(AF_INET, text, &ipv4) == 1 {
            self.init(ipv4: UInt32(bigEndian: ipv4.s_addr))
        } else if unsafe inet_pton(AF_INET6, text, &ipv6) == 1 {
            self.init(ipv6: unsafe withUnsafeBytes(of: &ipv6) { unsafe Array($0) })
        } else {
            return nil
        }
    }

    /// The bytes of the address, 4 or 16.
    var bytes: [UInt8] {
        let all = [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
        return isIPv4 ? Array(all[12...]) : all
    }

    /// The part that a client can hardly change: 4 bytes of IPv4, or 8 of IPv6, because a household usually gets a
    /// whole /64.
    package var network: [UInt8] { isIPv4 ? bytes : Array(bytes[..<8]) }

    /// The address as text (RFC 5952 for IPv6).
    package var text: String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let written = unsafe inet_ntop(isIPv4 ? AF_INET : AF_INET6, bytes, &buffer, socklen_t(buffer.count)) != nil
        return written ? String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : ""
    }
}
