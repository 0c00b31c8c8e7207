import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// The file of an anchor: two slots, each in a block of its own, and for each a note in another block that tells where the
/// anchor stood when the disk last had that slot.
///
/// A move writes one slot in place, through to the disk. Power loss can tear that slot and no other. A torn slot doesn't
/// count, so the anchor stands where it stood, and the row that was to move it is pending.
///
/// Between a write and its flush a process may be killed, or the flush fail. Then others read what the disk does not have,
/// and a move from there would be lost with it when power fails. So a slot is noted once the disk has it, which takes no
/// flush of its own. Where it is not noted, a new file takes this one's place before the slot is believed.
///
/// A slot that is damaged later is no torn one: its note tells where the anchor stood, so that damage gives no attempt back.
/// With the note gone too, nobody can say where it stands. The digests find damage, not forgery: whoever can write the file
/// could as well write a former one. The bytes stand in `docs/formats.md`, "The Linux device".
struct AnchorSlots {
    /// What is done to the file, in order.
    enum Step: Hashable, Sendable {
        case write([UInt8], at: Int)
        /// Waits until the disk has what was written.
        case flush
    }

    private static let blockByteCount = 4_096
    static let byteCount = 4 * blockByteCount

    /// Where the anchor stands: what is further up of two slots, and of what is noted of them.
    let position: LedgerPosition
    let record: ItemRecord
    /// Whether the disk has a slot that says so for certain.
    let isOnDisk: Bool
    private let slot: Int

    /// Reads a file.
    ///
    /// - Throws: `.damaged` where neither slot is whole, or one of them and its note are not; `.unavailable` for a later version.
    init(_ bytes: [UInt8], named name: String) throws(DeviceRefusal) {
        guard bytes.count == Self.byteCount else { throw .damaged }
        let blocks = (0..<4).map { Array(bytes[$0 * Self.blockByteCount..<($0 + 1) * Self.blockByteCount]) }
        let notes = blocks[2...].map(Note.init)
        var whole: [(slot: Int, record: ItemRecord, position: LedgerPosition)] = []
        var standing: [LedgerPosition] = []
        for slot in 0..<2 {
            if let (record, position) = try Self.parsed(blocks[slot], name) {
                whole.append((slot, record, position))
                standing.append(position)
            } else {
                guard let note = notes[slot] else { throw .damaged }
                if note.isOnDisk { standing.append(note.position) }
            }
        }
        guard let last = whole.max(by: { $0.position.sequence < $1.position.sequence }),
            let position = standing.max(by: { $0.sequence < $1.sequence })
        else { throw .damaged }
        (slot, record) = (last.slot, last.record)
        self.position = position
        isOnDisk = position == last.position && notes[slot] == Note(position: position, isOnDisk: true)
    }

    /// Makes a new file, whose slots are the same, and what notes one of them once file and folder are on the disk.
    static func make(
        _ position: LedgerPosition,
        _ record: ItemRecord,
        named name: String
    ) -> (bytes: [UInt8], noting: Step) {
        let block = block(position, record, name)
        let note = Note(position: position, isOnDisk: false).bytes
        let padded = note + [UInt8](repeating: 0, count: blockByteCount - note.count)
        return (block + block + padded + padded, noting(position, in: 0))
    }

    /// What moves the anchor; nil where a new file has to take this one's place.
    ///
    /// - The slot is not noted: if the other were torn now, nothing might be left.
    /// - The anchor was not used by a commit yet: a damaged slot must not make one that was used look like it (A25).
    /// - At the end of the range the number does not tell which slot is the later one.
    func steps(to next: LedgerPosition, _ record: ItemRecord, named name: String) -> [Step]? {
        guard isOnDisk, position.isUsed, position.sequence < next.sequence else { return nil }
        let (block, other) = (Self.block(next, record, name), 1 - slot)
        return [.write(block, at: other * Self.blockByteCount), .flush, Self.noting(next, in: other)]
    }

    private static func noting(_ position: LedgerPosition, in slot: Int) -> Step {
        .write(Note(position: position, isOnDisk: true).bytes, at: (2 + slot) * blockByteCount)
    }

    /// Writes a slot: head · position · zeros · SHA-256 of all before.
    private static func block(_ position: LedgerPosition, _ record: ItemRecord, _ name: String) -> [UInt8] {
        var writer = ByteWriter()
        writer.writeFixed(record.head(named: name))
        writer.writeFixed(position.bytes)
        writer.writeFixed([UInt8](repeating: 0, count: blockByteCount - SHA256.byteCount - writer.bytes.count))
        return writer.bytes + SHA256.digest(writer.bytes)
    }

    /// Reads a slot; nil for one that is not whole.
    private static func parsed(
        _ block: [UInt8],
        _ name: String
    ) throws(DeviceRefusal) -> (ItemRecord, LedgerPosition)? {
        let body = Array(block.dropLast(SHA256.byteCount))
        guard SHA256.digest(body).elementsEqual(block.suffix(SHA256.byteCount)) else { return nil }
        do throws(CryptoError) {
            var reader = ByteReader(body)
            let record = try ItemRecord(head: &reader, named: name)
            guard record.kind == .anchor else { throw .authenticationFailed }
            return (record, try LedgerPosition(from: &reader))
        } catch {
            throw ItemRecord.refusal(of: error)
        }
    }

    /// What is noted of a slot: where the anchor stood when it was last written, and whether the disk has that.
    private struct Note: Equatable {
        let position: LedgerPosition
        let isOnDisk: Bool

        init(position: LedgerPosition, isOnDisk: Bool) {
            (self.position, self.isOnDisk) = (position, isOnDisk)
        }

        /// Writes a note: on the disk `flag` · position · SHA-256 of both.
        var bytes: [UInt8] {
            var writer = ByteWriter()
            writer.writeUInt8(isOnDisk ? 1 : 0)
            writer.writeFixed(position.bytes)
            return writer.bytes + SHA256.digest(writer.bytes)
        }

        /// Reads what a block begins with; nil for what is not whole.
        init?(_ block: [UInt8]) {
            var reader = ByteReader(block)
            guard let flag = try? reader.readUInt8(), let position = try? LedgerPosition(from: &reader), flag <= 1
            else { return nil }
            (self.position, isOnDisk) = (position, flag == 1)
            guard block.starts(with: bytes) else { return nil }
        }
    }
}
