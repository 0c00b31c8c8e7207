import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// Each slot is kept in two rows, so that one that was damaged or lost costs no way in.
extension VaultStore.Contents {
    /// Whether there is no row of a slot at all.
    var hasNoSlots: Bool { slots.isEmpty && copies.isEmpty }

    /// Whether it is no vault yet, or none any more: neither head nor slot.
    var holdsNothing: Bool { head == nil && hasNoSlots }

    /// The ids of all rows, each once, in order.
    private var slotIDs: [[UInt8]] {
        Set(slots.map(\.id) + copies.map(\.id)).sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// How many slots have a row, readable or not.
    var slotCount: Int { slotIDs.count }

    /// Whether both rows of every slot stand, and say the same.
    var slotsAreWhole: Bool {
        lost.isDisjoint(with: [.slot, .slotCopy]) && slots.count == copies.count
            && zip(slots, copies).allSatisfy { row, copy in
                row.id == copy.id && row.record == copy.record && SHA256.digest(copy.record) == copy.digest
            }
    }

    /// The slots that can be read: of each the row that is whole.
    ///
    /// No id is ever used for another record, so of two rows that differ one was damaged or edited. The head knows which
    /// one it lists; where it lists neither, or can't be read, the digest beside the copy tells damage, not forgery. Whoever
    /// edits a row so gains what he would by editing the only one.
    ///
    /// - Parameter head: as it stands there; nobody has verified it.
    func slotRecords(listedBy head: Head?) -> [SlotRecord] {
        slotIDs.compactMap { id in
            let copy = copies.first { $0.id == id }
            let rows = [slots.first { $0.id == id }?.record, copy?.record].compactMap { $0 }
            let whole = rows.filter { row in (try? SlotRecord(parsing: row))?.id.bytes == id }
            let digests = [head?.slots.first { $0.id.bytes == id }?.digest, copy?.digest].compactMap { $0 }
            let chosen = digests.lazy.compactMap { digest in whole.first { SHA256.digest($0) == digest } }.first
            return (chosen ?? whole.first).flatMap { try? SlotRecord(parsing: $0) }
        }
    }

    /// Whether any row names an item, readable or not.
    func names(_ item: ItemName) -> Bool {
        let name = Array(item.text.utf8)
        let bodies = [head?.body].compactMap(\.self)  // It names the key by which a service knows the device.
        return (bodies + slots.map(\.record) + copies.map(\.record)).contains { record in
            record.indices.contains { record[$0...].starts(with: name) }
        }
    }
}
