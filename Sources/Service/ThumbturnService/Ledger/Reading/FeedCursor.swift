import ThumbturnCrypto

/// How far an auditor has read: in each log the index of the next leaf.
///
/// Its text is opaque to clients: URL-safe base64 without padding (RFC 4648 §5) of a 1, then numbers of seven bits a
/// byte, the lowest first: the first log that is not read to its end for good, the log whose turn it is, and the
/// positions of that first log and those behind it, without zeros at the end. So it has some 6 characters a log.
struct FeedCursor: Equatable, Sendable {
    /// Logs before this one have ended, and are read.
    private(set) var first: Int64 = 0
    /// The log that comes first in the next page, so that a busy one does not keep others waiting.
    var turn: Int64 = 0
    private var positions: [UInt64] = []

    /// The beginning of all logs.
    init() {}

    /// The position in a log: the index of the next leaf; `nil` for a log that is read for good.
    subscript(log: Int64) -> UInt64? {
        guard let place = Int(exactly: log - first), place >= 0 else { return nil }
        return place < positions.count ? positions[place] : 0
    }

    /// The number behind the last log that has a position.
    var end: Int64 { first + Int64(positions.count) }

    /// Sets the position in a log that is not read for good.
    mutating func advance(_ log: Int64, to position: UInt64) {
        guard let place = Int(exactly: log - first), place >= 0 else { return }
        while positions.count <= place { positions.append(0) }
        positions[place] = position
    }

    /// Leaves out the first log: it has ended, and is read.
    mutating func leaveFirst() {
        if !positions.isEmpty { positions.removeFirst() }
        first += 1
    }
}

// The text.
extension FeedCursor {
    private static let version: UInt8 = 1

    var text: String {
        var bytes = [Self.version]
        let last = positions.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        for number in [UInt64(clamping: first), UInt64(clamping: turn)] + positions.prefix(last) {
            var rest = number
            while rest >= 0x80 {
                bytes.append(UInt8(rest & 0x7F) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }
        let characters = TextCode.base64.encode(bytes).prefix { $0 != UInt8(ascii: "=") }
        return String(decoding: characters.map { Self.safe[$0] ?? $0 }, as: UTF8.self)
    }

    /// Returns `nil` for a text of another form; it may still name logs and leaves that there are not.
    init?(_ text: String) {
        var characters = text.utf8.map { Self.usual[$0] ?? $0 }
        while characters.count % 4 != 0 { characters.append(UInt8(ascii: "=")) }
        guard let bytes = TextCode.base64.decode(characters), bytes.first == Self.version else { return nil }
        var numbers: [UInt64] = []
        var (number, shift) = (UInt64(0), UInt64(0))
        for byte in bytes.dropFirst() {
            // 63 bits: what the store can hold.
            guard shift < 63 else { return nil }
            number |= UInt64(byte & 0x7F) << shift
            shift += 7
            guard byte < 0x80 else { continue }
            numbers.append(number)
            (number, shift) = (0, 0)
        }
        let names = numbers.prefix(2)
        guard shift == 0, names.count == 2, names.allSatisfy({ $0 <= UInt64(Int32.max) }) else { return nil }
        (first, turn, positions) = (Int64(numbers[0]), Int64(numbers[1]), Array(numbers.dropFirst(2)))
        guard self.text.utf8.elementsEqual(text.utf8) else { return nil }
    }

    private static let safe = Dictionary(uniqueKeysWithValues: zip("+/".utf8, "-_".utf8))
    private static let usual = Dictionary(uniqueKeysWithValues: zip("-_".utf8, "+/".utf8))
}
