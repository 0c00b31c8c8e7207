import Testing
import ThumbturnTestKit

@testable import ThumbturnCrypto

@Suite struct EncodingTests {
    /// One record with a field of every kind.
    private struct Sample: Equatable {
        var version: UInt8 = 1
        var kind: UInt16 = 0x0203
        var count: UInt32 = 0x0405_0607
        var sequence: UInt64 = 0x0809_0a0b_0c0d_0e0f
        var time: Int64 = -2
        var salt: [UInt8] = [0xaa, 0xbb]
        var blob: [UInt8] = [1, 2, 3]
        var name = "é€😀"
        var epoch: UInt32?

        func encoded() throws(CryptoError) -> [UInt8] {
            var writer = ByteWriter()
            writer.writeUInt8(version)
            writer.writeUInt16(kind)
            writer.writeUInt32(count)
            writer.writeUInt64(sequence)
            writer.writeInt64(time)
            writer.writeFixed(salt)
            try writer.writeBytes(blob, maximum: 8)
            try writer.writeString(name, maximum: 16)
            writer.writeOptional(epoch) { writer, epoch in writer.writeUInt32(epoch) }
            return writer.bytes
        }

        init(epoch: UInt32?) { self.epoch = epoch }

        init(decoding bytes: [UInt8]) throws(CryptoError) {
            var reader = ByteReader(bytes)
            version = try reader.readUInt8()
            kind = try reader.readUInt16()
            count = try reader.readUInt32()
            sequence = try reader.readUInt64()
            time = try reader.readInt64()
            salt = try reader.readFixed(2)
            blob = try reader.readBytes(maximum: 8)
            name = try reader.readString(maximum: 16)
            epoch = try reader.readOptional { (reader) throws(CryptoError) in try reader.readUInt32() }
            try reader.finish()
        }
    }

    @Test func `the encoding is these bytes`() throws {
        let bytes: [UInt8] =
            [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] + [255, 255, 255, 255, 255, 255, 255, 254]
            + [0xaa, 0xbb] + [0, 0, 0, 3, 1, 2, 3] + [0, 0, 0, 9] + Array("é€😀".utf8)
        #expect(try Sample(epoch: nil).encoded() == bytes + [0])
        #expect(try Sample(epoch: 258).encoded() == bytes + [1, 0, 0, 1, 2])
    }

    @Test(arguments: [nil, 7] as [UInt32?])
    func `what is written reads back, and no shorter or longer input does`(epoch: UInt32?) throws {
        let sample = Sample(epoch: epoch)
        let bytes = try sample.encoded()
        #expect(try Sample(decoding: bytes) == sample)
        for count in 0..<bytes.count {
            #expect(throws: CryptoError.malformed) { try Sample(decoding: Array(bytes.prefix(count))) }
        }
        #expect(throws: CryptoError.malformed) { try Sample(decoding: bytes + [0]) }
    }

    @Test(
        arguments: [
            [0, 0, 0, 1, 0xff], [0, 0, 0, 1, 0x80], [0, 0, 0, 2, 0xc0, 0x80], [0, 0, 0, 3, 0xed, 0xa0, 0x80],
            [0, 0, 0, 4, 0xf4, 0x90, 0x80, 0x80], [0, 0, 0, 2, 0xe2, 0x82], [0xff, 0xff, 0xff, 0xff, 0x61],
            [0, 0, 0, 9, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61],
        ] as [[UInt8]]
    )
    func `invalid, over-long or truncated text is malformed`(bytes: [UInt8]) {
        #expect(throws: CryptoError.malformed) {
            var reader = ByteReader(bytes)
            _ = try reader.readString(maximum: 8)
        }
    }

    @Test func `text keeps its bytes: composed and decomposed stay two`() throws {
        for text in ["\u{e9}", "e\u{301}", "\u{fffd}", "\u{feff}a", "a\u{0}b", ""] {
            var writer = ByteWriter()
            try writer.writeString(text, maximum: 8)
            var reader = ByteReader(writer.bytes)
            #expect(try Array(reader.readString(maximum: 8).utf8) == Array(text.utf8))
            #expect(reader.remaining == 0)
        }
    }

    @Test(arguments: 2...255 as ClosedRange<UInt8>)
    func `an optional marked by anything but 0 and 1 is malformed`(mark: UInt8) {
        #expect(throws: CryptoError.malformed) {
            var reader = ByteReader([mark, 0])
            _ = try reader.readOptional { (reader) throws(CryptoError) in try reader.readUInt8() }
        }
    }

    @Test(arguments: [-1, .min, .max, 3])
    func `a fixed run that is not there is malformed`(count: Int) {
        #expect(throws: CryptoError.malformed) {
            var reader = ByteReader([1, 2])
            _ = try reader.readFixed(count)
        }
    }

    @Test func `nothing is written that could not be read`() {
        var writer = ByteWriter()
        #expect(throws: CryptoError.parametersOutOfRange) { try writer.writeBytes([1, 2, 3], maximum: 2) }
        #expect(throws: CryptoError.parametersOutOfRange) { try writer.writeString("é", maximum: 1) }
        #expect(writer.bytes.isEmpty)
    }

    @Test func `20,000 damaged inputs either fail or are canonical`() throws {
        let seed: UInt64 = 107
        var generator = SeededGenerator(seed: seed)
        let originals = [try Sample(epoch: nil).encoded(), try Sample(epoch: 9).encoded()]
        var accepted = 0
        for round in 0..<20_000 {
            var bytes = originals[round % 2]
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0...bytes.count, using: &generator)
                let byte = UInt8.random(in: 0...255, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0 where index < bytes.count: bytes[index] = byte
                case 1 where index < bytes.count: bytes.remove(at: index)
                case 2: bytes.insert(byte, at: index)
                default: bytes.removeLast(min(bytes.count, Int(byte % 8)))
                }
            }
            do throws(CryptoError) {
                // One value, one form: whatever is read must be written as the same bytes again.
                let sample = try Sample(decoding: bytes)
                accepted += 1
                #expect(try sample.encoded() == bytes, "seed \(seed), round \(round)")
            } catch {
                #expect(error == .malformed, "seed \(seed), round \(round)")
            }
        }
        #expect((1..<20_000).contains(accepted), "seed \(seed): the damage must sometimes spare the form")
    }
}
