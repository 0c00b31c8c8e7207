// The paths of C2SP tlog-tiles, below `tile/`: a level or `entries`, then the number in groups of three digits, of which
// all but the last begin with `x`, then `.p/` and a width where the tile is not whole.
extension MerkleTile {
    private static let entries = "entries/"

    /// The path of a tile of hashes: `0/x001/067`, and `0/x001/067.p/8` for its first 8 hashes.
    ///
    /// - Parameter width: 1 to 256.
    package static func path(level: UInt8, number: UInt64, width: Int) -> String { "\(level)/" + end(number, width) }

    /// The path of a tile of leaves: `entries/x001/067`, and `entries/x001/067.p/8` for the first 8 of them.
    package static func entriesPath(number: UInt64, width: Int) -> String { entries + end(number, width) }

    /// Reads the path of a tile of hashes strictly: nil for any other text, and for a tile that no tree has.
    ///
    /// - Returns: the tile, and 1 to 256.
    package static func read(path: String) -> (tile: MerkleTile, width: Int)? {
        let bytes = Array(path.utf8)
        guard bytes.count > 2, case let level = bytes[0] &- UInt8(ascii: "0"), level <= highestLevel,
            let (number, width) = numberAndWidth(bytes[2...]),
            number >> (56 - 8 * UInt64(level)) == 0,
            Self.path(level: level, number: number, width: width).utf8.elementsEqual(bytes)
        else { return nil }
        return (MerkleTile(level: level, number: number), width)
    }

    /// Reads the path of a tile of leaves strictly: nil for any other text, and for a tile that no tree has.
    ///
    /// - Returns: the number, which is that of the tile of their hashes, and 1 to 256.
    package static func read(entriesPath path: String) -> (number: UInt64, width: Int)? {
        let bytes = Array(path.utf8)
        guard let (number, width) = numberAndWidth(bytes.dropFirst(entries.utf8.count)), number >> 56 == 0,
            entriesPath(number: number, width: width).utf8.elementsEqual(bytes)
        else { return nil }
        return (number, width)
    }

    private static func end(_ number: UInt64, _ width: Int) -> String {
        func group(_ number: UInt64) -> String {
            let digits = String(number % 1_000)
            return String(repeating: "0", count: 3 - digits.utf8.count) + digits
        }
        var (path, rest) = (group(number), number / 1_000)
        while rest > 0 {
            path = "x" + group(rest) + "/" + path
            rest /= 1_000
        }
        return width == Self.width ? path : path + ".p/\(width)"
    }

    /// Reads the digits; whether they stand in the one form shows when they are written again.
    private static func numberAndWidth(_ text: ArraySlice<UInt8>) -> (number: UInt64, width: Int)? {
        func decimal(_ digits: some Collection<UInt8>) -> UInt64? { UInt64(String(decoding: digits, as: UTF8.self)) }
        let groups = text.prefix { $0 != UInt8(ascii: ".") }
        let digits = groups.filter { $0 != UInt8(ascii: "x") && $0 != UInt8(ascii: "/") }
        guard let number = decimal(digits) else { return nil }
        guard groups.endIndex < text.endIndex else { return (number, width) }
        // Behind `.p/`.
        guard let width = decimal(text[groups.endIndex...].dropFirst(3)), (1..<256).contains(width) else { return nil }
        return (number, Int(width))
    }
}
