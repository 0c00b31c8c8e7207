import Foundation
import Glibc
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnLinux

@Suite("An anchor in a file")
struct FileAnchorTests {
    let folder: TemporaryFolder
    let secret = ItemName.sample(1, .deviceSecret)
    private var file: String { "items/anchor." + secret.text }
    private let block = 4_096

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Array("0123456789abcdef".utf8), to: "machine-id")
    }

    /// The anchor as another process has it.
    private func anchor() throws -> FileAnchor {
        let (items, machine) = (folder.file("items"), folder.file("machine-id"))
        return try FileStore(folder: items, machineID: machine, gate: OwnerGate(ScriptedOwner())).anchor
    }

    private func position() async throws -> LedgerPosition? { try await anchor().position(for: secret) }

    private func move(_ former: LedgerPosition?, _ next: LedgerPosition) async throws {
        let moved = try await anchor().move(from: former, to: next, for: secret)
        #expect(moved)
    }

    private func refusal() async -> DeviceRefusal? {
        do { _ = try await position() } catch { return error as? DeviceRefusal ?? .unclassified }
        return nil
    }

    /// Which file lies there, whatever its name.
    private func inode() throws -> Int {
        let found = try FileManager.default.attributesOfItem(atPath: folder.file(file))[.systemFileNumber]
        return try #require(found as? Int)
    }

    /// The one slot in which two files differ.
    private func changed(_ file: [UInt8], _ other: [UInt8]) -> Int? {
        let changed = (0..<2).filter { file[$0 * block..<($0 + 1) * block] != other[$0 * block..<($0 + 1) * block] }
        return changed.count == 1 ? changed[0] : nil
    }

    @Test func `a used anchor is moved in its file, by turns, and each move is named`() async throws {
        try await move(nil, .sample(1))
        let (first, new) = (try inode(), try folder.read(file))
        #expect(new.count == AnchorSlots.byteCount && new[..<block] == new[block..<2 * block])
        var (before, last) = (new, 0)
        for number: UInt64 in 2...5 {
            try await move(.sample(number - 1), .sample(number))
            let after = try folder.read(file)
            let slot = try #require(changed(after, before))
            #expect(slot != last || number == 2)
            #expect(after[((2 + slot) * block)...].starts(with: [1] + LedgerPosition.sample(number).bytes))
            (before, last) = (after, slot)
            #expect(try await position() == .sample(number))
        }
        #expect(try inode() == first)
        #expect(try await !anchor().move(from: .sample(4), to: .sample(6), for: secret))
        #expect(try folder.read(file) == before)
    }

    @Test(.holds("A25")) func `once an anchor was used, no slot says that it was not`() async throws {
        let founding = LedgerPosition.founding(mark: Identifier(high: 1, low: 1))
        try await move(nil, founding)
        let first = try inode()
        try await move(founding, .sample(1))
        #expect(try inode() != first)
        let good = try folder.read(file)
        for slot in 0..<2 {
            var bytes = good
            bytes[slot * block] ^= 1
            try folder.write(bytes, to: file)
            #expect(try await position() == .sample(1))
        }
    }

    @Test(.holds("A25", "A10")) func `with one damaged slot an anchor stands where it stood, with two it is damaged`()
        async throws
    {
        try await move(nil, .sample(1))
        let made = try folder.read(file)
        try await move(.sample(1), .sample(2))
        let good = try folder.read(file)
        // Of the two that are the same in a new file, the first move writes one.
        let newer = try #require(changed(good, made))
        for slot in 0..<2 {
            var bytes = good
            bytes[slot * block + 100] ^= 1
            try folder.write(bytes, to: file)
            #expect(try await position() == .sample(2), "damage gives no attempt back")
            try await move(.sample(2), .sample(3))
            #expect(try await position() == .sample(3))
        }
        var bytes = good
        for slot in 0..<2 { bytes[slot * block + 100] ^= 1 }
        var newest = good
        for place in [newer * block + 100, (2 + newer) * block + 20] { newest[place] ^= 1 }
        let unused = LedgerPosition.founding(mark: Identifier(high: 1, low: 1))
        for damaged in [
            bytes, newest, Array(good[..<block]), Array(good.dropLast()), good + [0], [], good + good,
        ] {
            try folder.write(damaged, to: file)
            #expect(await refusal() == .damaged)
            for (former, next) in [(LedgerPosition.sample(2), LedgerPosition.sample(3)), (nil, unused)] {
                #expect(try await !anchor().move(from: former, to: next, for: secret))
            }
            #expect(try folder.read(file) == damaged, "a look leaves it as it is, and so does a move that is refused")
            try await move(nil, .sample(7))
            #expect(try await position() == .sample(7), "it gives way as one that is not there does")
        }
    }

    @Test(.holds("A26")) func `another machine's anchor was never made here, and a new one takes its place whole`()
        async throws
    {
        try await move(nil, .sample(1))
        try await move(.sample(1), .sample(2))
        try folder.write(Array("another".utf8), to: "machine-id")
        #expect(try await position() == nil)
        try await move(nil, .sample(1))
        #expect(try await position() == .sample(1))
        try folder.write(Array("0123456789abcdef".utf8), to: "machine-id")
        #expect(try await position() == nil, "no slot is left of the first")
    }

    @Test func `what the disk may not have is written to a new file before anybody goes by it`() async throws {
        try await move(nil, .sample(1))
        let before = try folder.read(file)
        try await move(.sample(1), .sample(2))
        let after = try folder.read(file)
        // Of the first slot, or of none: a kill came before the flush of the file, or of the folder.
        for notes in [Array(before[(2 * block)...]), [UInt8](repeating: 0, count: 2 * block)] {
            try folder.write(Array(after[..<(2 * block)] + notes), to: file)
            let first = try inode()
            #expect(try await position() == .sample(2))
            #expect(try inode() != first)
            let (new, second) = (try folder.read(file), try inode())
            #expect(new[..<block] == new[block..<2 * block])
            #expect(new[2 * block] == 1 && new[3 * block] == 0)
            #expect(try await position() == .sample(2))
            #expect(try inode() == second)
        }
    }

    @Test(.holds("A39")) func `a file with a second name gets a new one in its place, and the other stays as it was`()
        async throws
    {
        try await move(nil, .sample(1))
        let before = try folder.read(file)
        try FileManager.default.linkItem(atPath: folder.file(file), toPath: folder.file("copy"))
        try await move(.sample(1), .sample(2))
        #expect(try await position() == .sample(2))
        #expect(try folder.read("copy") == before)
        let first = try inode()
        try await move(.sample(2), .sample(3))
        #expect(try inode() == first)
    }

    @Test(.holds("A39")) func `a link and a pipe are no anchor, are not waited for, and not written to`() async throws {
        try await move(nil, .sample(1))
        let good = try folder.read(file)
        try FileManager.default.moveItem(atPath: folder.file(file), toPath: folder.file("elsewhere"))
        for kind in ["link", "pipe"] {
            switch kind {
            case "link": #expect(unsafe symlink(folder.file("elsewhere"), folder.file(file)) == 0)
            default: #expect(unsafe mkfifo(folder.file(file), 0o600) == 0)
            }
            #expect(await refusal() == .unavailable, "\(kind)")
            await #expect(throws: DeviceRefusal.unavailable) { try await move(.sample(1), .sample(2)) }
            #expect(try folder.read("elsewhere") == good)
            try FileManager.default.removeItem(atPath: folder.file(file))
        }
    }

    @Test func `the frozen sample is read, and moved`() async throws {
        let (sample, secret, anchor) = (AnchorSample.bytes, try AnchorSample.secret, try anchor())
        let file = "items/anchor." + secret.text
        try folder.write(sample, to: file)
        #expect(unsafe chmod(folder.file(file), 0o600) == 0)
        #expect(try await anchor.position(for: secret) == AnchorSample.position)
        #expect(try folder.read(file) == sample, "a look leaves it as it is")

        let next = LedgerPosition.sample(AnchorSample.position.sequence + 1)
        #expect(try await !anchor.move(from: .sample(1), to: next, for: secret))
        #expect(try folder.read(file) == sample)
        #expect(try await anchor.move(from: AnchorSample.position, to: next, for: secret))
        #expect(try await anchor.position(for: secret) == next)
        #expect(try folder.read(file).count == AnchorSlots.byteCount)
        #expect(try folder.files().keys.filter { $0.hasPrefix("items/") } == [file])
    }
}

/// A frozen sample: an anchor's file on a machine whose id is `0123456789abcdef`, and the end of the line.
///
/// The second slot is the later one.
private enum AnchorSample {
    static var secret: ItemName {
        get throws {
            let name = "thumbturn.9c133a8f4ba885017b0428e667cc677b.device-secret.889a42139dd3a8ab9809564dbd0e04e9"
            return try #require(ItemName(text: name))
        }
    }

    static let position = LedgerPosition(
        sequence: 3,
        mark: Identifier(high: 0x0001_0203_0405_0607, low: 0x0809_0A0B_0C0D_0E0F)
    )

    /// Magic and record, as the command wrote them.
    private static let head = """
        54544c494e4445560000008d0100000060616e63686f722e7468756d627475726e2e39633133336138663462613838353031\
        376230343238653636376363363737622e6465766963652d7365637265742e38383961343231333964643361386162393830\
        393536346462643065303465390300000000202e95740717a091009b81590189363ee6d5a12d4e2ebbe4560dd170260d8cfe\
        470000
        """
    private static let former = "0000000000000002b2968e65c146cfa99936fdf076de60c3"
    private static let latest = "0000000000000003000102030405060708090a0b0c0d0e0f"

    static let bytes: [UInt8] = {
        let text =
            slot(former, "a00d70da5ea4afe7920652aa6347ee6e6c48ba6f2d4f065df66f77a19676ac88")
            + slot(latest, "44cc82d3881a8cd6bd8724a4b9051a326b3098ad4038a1f3db2316025a661ffc")
            + note(former, "9a6af56086b6b85e3d56cdcd9916420ce92e668f9fa347c5e19cd56aaae2ec0e")
            + note(latest, "7170f0213f0f863d2513aa91e679a75821ec42ba19782e68fdf45351fe352f25")
        let digits = Array(text.utf8)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
    }()

    private static func slot(_ position: String, _ digest: String) -> String {
        padded(head + position, to: 4_064) + digest
    }

    private static func note(_ position: String, _ digest: String) -> String {
        padded("01" + position + digest, to: 4_096)
    }

    private static func padded(_ text: String, to byteCount: Int) -> String {
        text + String(repeating: "00", count: byteCount - text.utf8.count / 2)
    }
}
