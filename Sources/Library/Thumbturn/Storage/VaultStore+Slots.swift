import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// Each slot is stored in two rows, so that damage to one costs no way in.
extension VaultStore.Contents {
    /// Whether there are no slot rows at all.
    var hasNoSlots: Bool { slots.isEmpty && copies.isEmpty }

    /// Whether there is no vault (not yet, or erased): neither head nor slot.
    var holdsNothing: Bool { head == nil && hasNoSlots }

    /// The distinct ids of all rows, sorted.
    private var slotIDs: [[UInt8]] {
        Set(slots.map(\.id) + copies.map(\.id)).sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The number of slots that have a row, readable or not.
    var slotCount: Int { slotIDs.count }

    /// Whether both rows of every slot exist and are the same.
    var slotsAreWhole: Bool {
        lost.isDisjoint(with: [.slot, .slotCopy]) && slots.count == copies.count
            && zip(slots, copies).allSatisfy { row, copy in
                row.id == copy.id && row.record == copy.record && SHA256.digest(copy.record) == copy.digest
            }
    }

    /// Returns the slots that can be read: from each one's intact row.
    ///
    /// An id is never used for a second record, so if two rows differ, one was damaged or edited. The head knows which
    /// one it lists; if it lists neither, or can't be read, the digest beside the copy detects damage, not forgery. An
    /// attacker who edits a row gains no more than by editing the only row.
    ///
    /// - Parameter head: the stored head, unverified.
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

    /// The items that the trail's row names; unverified.
    var trailItems: [ItemName] { trail.flatMap { try? TrailRow(parsing: $0.body) }?.items ?? [] }

    /// Returns whether any row names an item, readable or not.
    func names(_ item: ItemName) -> Bool {
        let name = Array(item.text.utf8)
        let bodies = [head?.body].compactMap(\.self)  // The head names the device's signing key.
        return (bodies + slots.map(\.record) + copies.map(\.record)).contains { record in
            record.indices.contains { record[$0...].starts(with: name) }
        }
    }
}
