import ThumbturnAudit
import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// The keys of a trail, from its own device secret: one authenticates the row, one seals the records.
final class TrailKeys {
    let secret: ItemName
    private let row: SecretBytes
    private let box: SecretBytes

    /// - Parameter root: what the device computed under the secret, 32 bytes.
    init(of secret: ItemName, from root: consuming SecretBytes) throws(CryptoError) {
        let root = try RandomSecret(loading: root)
        self.secret = secret
        row = root.derive("trail-row")
        box = root.derive("trail-event")
    }

    /// The rows that the trail authenticates; the labels are of one length, so no row stands for another.
    enum Row: String {
        case trail = "thumbturn.v1.trail-row"
        case log = "thumbturn.v1.trail-log"

        fileprivate func input(_ body: [UInt8]) -> [UInt8] { Array(rawValue.utf8) + body }
    }

    func tagged(_ trail: TrailRow) throws(VaultError) -> VaultStore.TaggedRow {
        do throws(CryptoError) { return tagged(try trail.bytes, as: .trail) } catch { throw VaultError(error) }
    }

    func tagged(_ log: TrailLog) throws(VaultError) -> VaultStore.TaggedRow {
        do throws(CryptoError) { return tagged(try log.bytes, as: .log) } catch { throw VaultError(error) }
    }

    private func tagged(_ body: [UInt8], as kind: Row) -> VaultStore.TaggedRow {
        VaultStore.TaggedRow(body: body, mac: HMACSHA256.tag(kind.input(body), key: row))
    }

    /// Whether this trail wrote a row.
    func vouch(for stored: VaultStore.TaggedRow, as kind: Row = .trail) -> Bool {
        (try? HMACSHA256.verify(stored.mac, of: kind.input(stored.body), key: row)) != nil
    }

    func seal(_ record: AuditRecord, of epoch: TrailRow.Epoch) throws(CryptoError) -> [UInt8] {
        unsafe try AES256GCM.seal(
            ContiguousArray(record.line).span.bytes,
            key: box,
            associatedData: epoch.associatedData(of: record.seq)
        )
    }

    /// Opens a record.
    ///
    /// - Throws: `.vaultDamaged` for a box of another place, or a changed one.
    func open(_ sealed: [UInt8], _ epoch: TrailRow.Epoch, _ seq: UInt64) throws(VaultError) -> AuditRecord {
        do {
            let opening = try AES256GCM.TextOpening(key: box)
            let line = unsafe try opening.open(
                ContiguousArray(sealed).span.bytes,
                associatedData: epoch.associatedData(of: seq)
            )
            return try AuditRecord(reading: line)
        } catch {
            throw VaultError(.vaultDamaged, "a record of the trail")
        }
    }
}

extension TrailRow.Epoch {
    init(_ beginning: TrailEntry.Beginning, from start: Int64) {
        let (id, writer) = (Identifier.make(), beginning.writer)
        self.init(
            vault: beginning.vault,
            writer: writer,
            id: id,
            start: start,
            head: AuditChain.genesis(device: writer.device, epoch: id, publicKey: writer.publicKey)
        )
    }

    /// The number of a record's row.
    func number(of seq: UInt64) -> Int64 { start + Int64(seq) }

    /// The number behind its last record.
    var end: Int64 { number(of: next) }

    fileprivate func associatedData(of seq: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        writer.writeFixed(Array("thumbturn.v1.event".utf8))
        writer.writeFixed(vault.bytes)
        writer.writeFixed(id.bytes)
        writer.writeUInt64(seq)
        return writer.bytes
    }

    /// Passes records on from one on, as long as each opens and follows the one before it.
    ///
    /// - Parameter body: returns false to stop.
    /// - Returns: whether every record that the row counts was there, or `body` stopped.
    func forEachRecord(
        in store: VaultStore,
        from first: UInt64 = 0,
        _ keys: TrailKeys,
        _ body: (AuditRecord) throws(VaultError) -> Bool
    ) throws(VaultError) -> Bool {
        var chain = first == 0 ? beginning : nil
        var seq = first
        while seq < next {
            let record: AuditRecord
            do throws(VaultError) {
                guard let box = try store.event(number(of: seq)) else { return false }
                record = try keys.open(box, self, seq)
            } catch  where error.code == .vaultDamaged {
                return false
            }
            var known = chain ?? AuditChain(deviceId: writer.device, epoch: id, next: seq, head: record.previous)
            do throws(AuditFinding) { try known.take(record) } catch { return false }
            guard try body(record) else { return true }
            chain = known
            seq += 1
        }
        return chain.map { $0.head == head } ?? true
    }

    /// The chain before its first record.
    private var beginning: AuditChain {
        AuditChain(deviceId: writer.device, epoch: id, publicKey: writer.publicKey)
    }

    /// The chain up to where it breaks.
    func asItStands(in store: VaultStore, _ keys: TrailKeys) throws(VaultError) -> TrailRow.Epoch {
        var (epoch, count, head) = (self, UInt64(0), beginning.head)
        _ = try forEachRecord(in: store, keys) { (record) throws(VaultError) in
            (count, head) = (record.seq + 1, record.hash)
            return true
        }
        (epoch.next, epoch.head, epoch.delivered) = (count, head, min(delivered, count))
        return epoch
    }
}
