extension Sequence<UInt8> {
    /// The bytes without percent-encoding (RFC 3986 §2.1), which the reader of the request line has checked.
    var percentDecoded: [UInt8] {
        var bytes: [UInt8] = []
        var digits: [Int]?
        for byte in self {
            switch digits {
            case nil: if byte == UInt8(ascii: "%") { digits = [] } else { bytes.append(byte) }
            case let read?:
                digits = read + [Characters.hexValue(byte) ?? 0]
                guard let pair = digits, pair.count == 2 else { continue }
                bytes.append(UInt8(pair[0] << 4 | pair[1]))
                digits = nil
            }
        }
        return bytes
    }
}
