// UUIDs of version 7 (RFC 9562 §5.7): they sort by the time of their making.
extension Identifier {
    /// Makes a UUID of version 7: 48 bits of time, the version, 12 random bits, the variant, 62 random bits.
    ///
    /// - Parameters:
    ///   - time: milliseconds since 1970 in UTC; clamped to what 48 bits hold.
    ///   - random: 16 random bytes, of which those bits are taken that stand in the same places.
    package init(uuid7At time: Milliseconds, random: Identifier) {
        let time = UInt64(min(max(time.count, 0), 1 << 48 - 1))
        self.init(
            high: time << 16 | 0x7000 | random.high & 0x0FFF,
            low: 0b10 << 62 | random.low & (1 << 62 - 1)
        )
    }

    /// Whether this is a UUID of version 7 and of RFC 9562's variant.
    package var isUUID7: Bool { high >> 12 & 0xF == 7 && low >> 62 == 0b10 }

    /// The bytes as a UUID's text: 8, 4, 4, 4 and 12 lower-case hexadecimal digits, parted by dashes.
    package var uuidText: String {
        let digits = Array(text.utf8)
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (index, digit) in digits.enumerated() {
            if Self.placesAfterDashes.contains(index) { text.append(UInt8(ascii: "-")) }
            text.append(digit)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads a UUID of any version in exactly that form; nil for anything else.
    package init?(uuidText text: String) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
        guard let read = Identifier(text: String(decoding: digits, as: UTF8.self)),
            read.uuidText.utf8.elementsEqual(text.utf8)
        else { return nil }
        self = read
    }

    private static let placesAfterDashes = [8, 12, 16, 20]
}
