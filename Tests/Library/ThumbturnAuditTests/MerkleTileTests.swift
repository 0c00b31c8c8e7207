import Testing
import ThumbturnTestKit

@testable import ThumbturnAudit

@Suite struct MerkleTileTests {
    /// The first is C2SP tlog-tiles' own example.
    @Test(
        arguments: [
            (0, 1_234_067, 256, "0/x001/x234/067"), (0, 0, 256, "0/000"), (0, 999, 256, "0/999"),
            (0, 1_000, 256, "0/x001/000"),
            (0, 1_067, 8, "0/x001/067.p/8"), (1, 5, 1, "1/005.p/1"), (2, 0, 255, "2/000.p/255"),
            (0, 72_057_594_037_927_935, 256, "0/x072/x057/x594/x037/x927/935"), (7, 0, 256, "7/000"),
        ] as [(UInt8, UInt64, Int, String)]
    )
    func `a tile has C2SP's path`(level: UInt8, number: UInt64, width: Int, path: String) throws {
        #expect(MerkleTile.path(level: level, number: number, width: width) == path)
        let read = try #require(MerkleTile.read(path: path))
        #expect(read.tile == MerkleTile(level: level, number: number) && read.width == width)
        guard level == 0 else { return }
        let entries = "entries" + path.dropFirst()
        #expect(MerkleTile.entriesPath(number: number, width: width) == entries)
        let (place, count) = try #require(MerkleTile.read(entriesPath: entries))
        #expect(place == number && count == width)
    }

    @Test func `each path is read as what it was written for`() throws {
        var generator = SeededGenerator(seed: 8)
        for level in UInt8(0)...7 {
            for round in 0..<200 {
                let number = UInt64.random(in: 0..<(1 << UInt64(min(round, 56 - 8 * Int(level)))), using: &generator)
                let width = round < 128 ? round * 2 + 1 : Int.random(in: 1...256, using: &generator)
                let path = MerkleTile.path(level: level, number: number, width: width)
                let read = try #require(MerkleTile.read(path: path), "\(path)")
                #expect(read.tile == MerkleTile(level: level, number: number) && read.width == width)
            }
        }
    }

    @Test(arguments: [
        "", "/", "0", "0/", "000", "0/0", "0/00", "0/0000", "0/1067", "0/001/067", "0/x001", "0/x001/", "0/x001/67",
        "0/x000/001", "0/x000/x000/001", "0/x001/x067", "0/X001/067", "0//067", "/0/067", "0/067/", "00/067", "8/000",
        "63/000", "-1/000", "+0/000", "x/000", "0/-01", "0/+01", "0/ 01", "0/0a1", "0/067.p", "0/067.p/", "0/067.p/0",
        "0/067.p/08", "0/067.p/256", "0/067.p/257", "0/067.p/-1", "0/067.p/+1", "0/067.p/1/", "0/067.P/1",
        "0/067.p/1.p/1",
        "0/067.q/1", "0/067p/1", "0/067.1", "0/.p/1", "0/x072/x057/x594/x037/x927/936", "1/x281/x474/x976/x710/656",
        "7/001",
        "0/x018/x446/x744/x073/x709/x551/616", "entries/067", "0/٠٦٧", "0/067\n", "0/067\0", " 0/067", "0/067 ",
        "0/067.p/18446744073709551617",
    ])
    func `any other text is no path`(path: String) {
        #expect(MerkleTile.read(path: path) == nil)
        #expect(
            MerkleTile.read(entriesPath: path.hasPrefix("0/") ? "entries" + path.dropFirst() : path) == nil
                || path == "entries/067"
        )
    }

    @Test func `a path of leaves is no path of hashes`() {
        #expect(MerkleTile.read(path: "entries/000") == nil && MerkleTile.read(entriesPath: "0/000") == nil)
        #expect(MerkleTile.read(entriesPath: "entriez/000") == nil && MerkleTile.read(entriesPath: "entries") == nil)
    }
}
