import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// An anchor's file: two slots, each in its own block, and for each slot a note in another block, which records the
/// anchor's position when that slot last reached the disk.
///
/// A move writes one slot in place and flushes it. Power loss can tear only that slot. A torn slot does not count, so
/// the anchor keeps its position, and the row that was to move it is pending.
///
/// Between a write and its flush the process may be killed, or the flush may fail. Other processes then read what the
/// disk may not have, and a move from there would be lost with it at power loss. So each slot is noted once it has
/// reached the disk; the note needs no flush of its own. A slot without its note is believed only after a new file has
/// replaced this one.
///
/// A slot that is damaged later differs from a torn one: its note records the anchor's position, so damage gives back
/// no attempt. If the note is gone too, the position is unknown. The digests detect damage, not forgery: an attacker
/// who can write the file could also restore an older one. For the bytes see "The Linux device" in `docs/formats.md`.
struct AnchorSlots {
    /// What to do with the file, in order.
    enum Step: Hashable, Sendable {
        case write([UInt8], at: Int)
        /// Waits until the disk has everything that was written.
        case flush
    }

    private static let blockByteCount = 4_096
    static let byteCount = 4 * blockByteCount

    /// The anchor's position: the highest of both slots and their notes.
    let position: LedgerPosition
    let record: ItemRecord
    /// Whether the disk certainly has a slot with this position.
    let isOnDisk: Bool
    private let slot: Int

    /// Reads a file.
    ///
    /// - Throws: `.damaged` if neither slot is intact, or one of them and its note are not; `.unavailable` for a later
    ///   version.
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

    /// Creates a new file with two equal slots, and the step that notes one of them once file and folder are on the
    /// disk.
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

    /// Returns the steps that move the anchor; nil if a new file has to replace this one.
    ///
    /// - The slot is not noted: if the other were torn now, nothing might be left.
    /// - No commit has used the anchor yet: a damaged slot must not make a used anchor look like an unused one (A25).
    /// - At the end of the range the number does not tell which slot is the later one.
    func steps(to next: LedgerPosition, _ record: ItemRecord, named name: String) -> [Step]? {
        guard isOnDisk, position.isUsed, position.sequence < next.sequence else { return nil }
        let (block, other) = (Self.block(next, record, name), 1 - slot)
        return [.write(block, at: other * Self.blockByteCount), .flush, Self.noting(next, in: other)]
    }

    private static func noting(_ position: LedgerPosition, in slot: Int) -> Step {
        .write(Note(position: position, isOnDisk: true).bytes, at: (2 + slot) * blockByteCount)
    }

    /// Encodes a slot: head · position · zeros · SHA-256 of all before.
    private static func block(_ position: LedgerPosition, _ record: ItemRecord, _ name: String) -> [UInt8] {
        var writer = ByteWriter()
        writer.writeFixed(record.head(named: name))
        writer.writeFixed(position.bytes)
        writer.writeFixed([UInt8](repeating: 0, count: blockByteCount - SHA256.byteCount - writer.bytes.count))
        return writer.bytes + SHA256.digest(writer.bytes)
    }

    /// Decodes a slot; nil if it is not intact.
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

    /// The note of a slot: the anchor's position when the slot was last written, and whether the disk has it.
    private struct Note: Equatable {
        let position: LedgerPosition
        let isOnDisk: Bool

        init(position: LedgerPosition, isOnDisk: Bool) { (self.position, self.isOnDisk) = (position, isOnDisk) }

        /// The encoded note: on the disk `flag` · position · SHA-256 of both.
        var bytes: [UInt8] {
            var writer = ByteWriter()
            writer.writeUInt8(isOnDisk ? 1 : 0)
            writer.writeFixed(position.bytes)
            return writer.bytes + SHA256.digest(writer.bytes)
        }

        /// Decodes the note at the start of a block; nil if it is not intact.
        init?(_ block: [UInt8]) {
            var reader = ByteReader(block)
            guard let flag = try? reader.readUInt8(), let position = try? LedgerPosition(from: &reader), flag <= 1
            else { return nil }
            (self.position, isOnDisk) = (position, flag == 1)
            guard block.starts(with: bytes) else { return nil }
        }
    }
}
