package import ThumbturnAudit
import ThumbturnRules

/// Why an export ended before its end.
package enum LogExportError: Error, Equatable, Sendable {
    case store(StoreError)
    /// What is stored would not verify.
    case wrong(LedgerFinding)
    /// There is no such log, or no signed head yet.
    case absent
}

/// Writes a log's export from the store, some lines at a time, up to the head that is the newest when it begins.
///
/// Whatever the log's length, it takes the memory of 256 leaves and of a small state for each chain.
package struct LogExport {
    private let walk: LogWalk
    /// The number of leaves.
    private let size: UInt64
    private var export: LedgerExport
    private var next: UInt64 = 0
    /// The upload whose records come now.
    private var upload: StoredUpload?
    private var hasSection = false
    private var isBegun = false
    private var isEnded = false

    /// Begins an export.
    package init(of log: Int64, in store: any Store) throws(LogExportError) {
        let begun = try Self.stored { () throws(StoreError) in
            try LedgerReader(store).read(log) { log throws(StoreError) in (log.size, try log.keys()) }
        }
        guard let (size, keys) = begun else { throw .absent }
        (walk, self.size) = (LogWalk(log: log, store: store), size)
        do throws(LedgerFinding) {
            export = try LedgerExport(origin: keys.origin, count: size, keys: keys.keys)
        } catch { throw .wrong(error) }
    }

    /// Returns the next lines, each with its newline; `nil` behind the last.
    package mutating func lines() throws(LogExportError) -> [UInt8]? {
        guard !isEnded else { return nil }
        guard isBegun else {
            isBegun = true
            return export.beginning
        }
        let (walk, next, size) = (walk, next, size)
        let batch = try Self.stored { () throws(StoreError) in try walk.section(from: next, to: size) }
        do throws(LedgerFinding) { return try lines(of: batch) } catch { throw .wrong(error) }
    }

    private mutating func lines(of batch: LogSection) throws(LedgerFinding) -> [UInt8] {
        var (lines, notes, uploads): ([UInt8], _, _) = ([], batch.notes[...], batch.uploads[...])
        if size == 0, let note = notes.first {
            try export.begin(note)
            lines += try export.checkpoint()
        }
        for leaf in batch.leaves {
            if !hasSection, let note = notes.first {
                try export.begin(note)
                hasSection = true
            }
            if let begun = uploads.first, begun.firstIndex == next {
                upload = uploads.removeFirst()
                if begun.firstSeq == 0, let key = batch.keys[begun.firstIndex] {
                    lines += try export.device(begun.device, epoch: begun.epoch, publicKey: key)
                }
            }
            lines += try export.leaf(leaf)
            next += 1
            if let ended = upload, next == ended.firstIndex + ended.count {
                guard let signed = try? AuditUpload(reading: ended.header) else {
                    throw .uploadMalformed(ended.firstIndex)
                }
                lines += try export.upload(signed, signature: ended.signature)
                upload = nil
            }
            if let note = notes.first, note.checkpoint.size == next {
                lines += try export.checkpoint()
                notes.removeFirst()
                hasSection = false
            }
        }
        if next == size {
            isEnded = true
            _ = try export.finish()
        }
        return lines
    }

    private static func stored<R>(_ call: () throws(StoreError) -> R) throws(LogExportError) -> R {
        do throws(StoreError) { return try call() } catch { throw .store(error) }
    }
}

/// Leaves of a log with what an export has beside them.
private struct LogSection {
    let leaves: [[UInt8]]
    let uploads: [StoredUpload]
    /// The signed heads from the first that covers the first leaf to the first that covers the last.
    let notes: [AuditNote]
    /// The device's key of each chain that begins, by the place of its first record.
    let keys: [UInt64: [UInt8]]
}

extension LogWalk {
    fileprivate func section(from index: UInt64, to end: UInt64) throws(StoreError) -> LogSection {
        let end = min(end, index + Self.width)
        return try store.reading { transaction throws(StoreError) in
            let uploads = try uploads(from: index, to: end, transaction)
            var keys: [UInt64: [UInt8]] = [:]
            for upload in uploads where upload.firstSeq == 0 {
                let name = Chain.Name(device: upload.device, epoch: upload.epoch)
                keys[upload.firstIndex] = try Chain(log, name, transaction)?.publicKey
            }
            let rows = try transaction.rows(
                "SELECT note FROM notes WHERE log = $1 AND size >= $2 ORDER BY size LIMIT $3",
                .integer(log),
                .count(end == 0 ? 0 : index + 1),
                .integer(Int64(Self.width))
            )
            return LogSection(
                leaves: try transaction.leaves(of: log, from: index, to: end),
                uploads: uploads,
                notes: try rows.map { row throws(StoreError) in
                    guard let note = try? AuditNote(reading: row.blob(0)) else { throw .damaged }
                    return note
                },
                keys: keys
            )
        }
    }
}
