import ThumbturnCrypto
import ThumbturnRules

/// The file of an anchor: two slots, each in a block of its own, and a third block that names the slot the disk has.
///
/// A move writes one slot in place, through to the disk. Power loss can tear that slot and no other. A torn or damaged slot
/// doesn't count, so the anchor stands where it stood, and the row that was to move it is pending.
///
/// Between a write and its flush a process may be killed, or the flush fail. Then others read what the disk does not have,
/// and a move from there would be lost with it when power fails. So a slot is named once the disk has it, which takes no
/// flush of its own. Where it is not named, a new file takes this one's place before the slot is believed.
///
/// The digests find damage, not forgery: whoever damages a slot on purpose could as well write a former one. The bytes stand
/// in `docs/formats.md`, "The Linux device".
struct AnchorSlots {
    /// What is done to the file, in order.
    enum Step: Hashable, Sendable {
        case write([UInt8], at: Int)
        /// Waits until the disk has what was written.
        case flush
    }

    private static let blockByteCount = 4_096
    static let byteCount = 3 * blockByteCount

    /// Where the anchor stands: of two whole slots that which is further up.
    let position: LedgerPosition
    let record: ItemRecord
    /// Whether the disk has that slot for certain.
    let isOnDisk: Bool
    private let slot: Int

    /// Reads a file; nil where both slots are damaged.
    init?(_ bytes: [UInt8], named name: String) {
        guard bytes.count == Self.byteCount else { return nil }
        let blocks = (0..<3).map { Array(bytes[$0 * Self.blockByteCount..<($0 + 1) * Self.blockByteCount]) }
        let whole = (0..<2).compactMap { slot in (try? Self.parsed(blocks[slot], name)).map { (slot, $0.0, $0.1) } }
        guard let last = whole.max(by: { $0.2.sequence < $1.2.sequence }) else { return nil }
        (slot, record, position) = last
        isOnDisk = blocks[2].starts(with: Self.digest(in: blocks[slot]))
    }

    /// Makes a new file, whose slots are the same, and what names them once file and folder are on the disk.
    static func make(
        _ position: LedgerPosition,
        _ record: ItemRecord,
        named name: String
    ) -> (bytes: [UInt8], naming: Step) {
        let block = block(position, record, name)
        return (block + block + [UInt8](repeating: 0, count: blockByteCount), naming(block))
    }

    /// What moves the anchor; nil where a new file has to take this one's place.
    ///
    /// - The slot is not named: if the other were torn now, nothing might be left.
    /// - The anchor was not used by a commit yet: a damaged slot must not make one that was used look like it (A25).
    /// - At the end of the range the number does not tell which slot is the later one.
    func steps(to next: LedgerPosition, _ record: ItemRecord, named name: String) -> [Step]? {
        guard isOnDisk, position.isUsed, position.sequence < next.sequence else { return nil }
        let block = Self.block(next, record, name)
        return [.write(block, at: (1 - slot) * Self.blockByteCount), .flush, Self.naming(block)]
    }

    private static func naming(_ block: [UInt8]) -> Step { .write(digest(in: block), at: 2 * blockByteCount) }

    /// Writes a slot: head · position · zeros · SHA-256 of all before.
    private static func block(_ position: LedgerPosition, _ record: ItemRecord, _ name: String) -> [UInt8] {
        var writer = ByteWriter()
        writer.writeFixed(record.head(named: name))
        writer.writeRun(position.bytes)
        writer.writeFixed([UInt8](repeating: 0, count: blockByteCount - SHA256.byteCount - writer.bytes.count))
        return writer.bytes + SHA256.digest(writer.bytes)
    }

    private static func parsed(
        _ block: [UInt8],
        _ name: String
    ) throws(CryptoError) -> (ItemRecord, LedgerPosition) {
        let body = Array(block.dropLast(SHA256.byteCount))
        guard SHA256.digest(body) == digest(in: block) else { throw .malformed }
        var reader = ByteReader(body)
        let record = try ItemRecord(head: &reader, named: name)
        guard record.kind == .anchor, let position = LedgerPosition(bytes: try reader.readBytes(maximum: 24)) else {
            throw .malformed
        }
        return (record, position)
    }

    private static func digest(in block: [UInt8]) -> [UInt8] { Array(block.suffix(SHA256.byteCount)) }
}
