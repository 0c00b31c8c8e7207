import ThumbturnAudit
import ThumbturnConsole
import ThumbturnRules
import ThumbturnService

/// A service's export, verified as `audit verify` does, and read by the bare parts of that.
final class BenchExport {
    private struct Signature {
        let bytes: [UInt8]
        let message: [UInt8]
        /// The place of its key.
        let key: Int
    }

    private let pieces: [[UInt8]]
    private let lines: [[UInt8]]
    private let size: UInt64
    private var signatures: [Signature] = []
    private let bare: BareCheck

    /// Exports the log of a service.
    init(of ledger: BenchLedger) throws {
        let store = try StoreLocation.sqlite(SQLiteFile(ledger.service.file)).open()
        defer { store.close() }
        var (export, pieces) = (try LogExport(of: 0, in: store), [[UInt8]]())
        while let piece = try export.lines() { pieces.append(piece) }
        self.pieces = pieces
        lines = pieces.flatMap { piece in piece.split(separator: UInt8(ascii: "\n")).map { Array($0) } }
        let (notes, uploads, key) = try store.reading { transaction throws(StoreError) in
            (
                try transaction.rows("SELECT note FROM notes WHERE log = 0 ORDER BY size"),
                try transaction.rows("SELECT header, signature FROM uploads WHERE log = 0"),
                try transaction.rows("SELECT public_key FROM log_keys WHERE log = 0")[0].blob(0)
            )
        }
        let places = Dictionary(uniqueKeysWithValues: ledger.devices.enumerated().map { ($1.id, $0) })
        bare = BareCheck(ledger.devices.map(\.publicKey) + [key])
        for row in uploads {
            let upload = try AuditUpload(reading: row.blob(0))
            let message = upload.message(origin: BenchLedger.origin)
            guard let place = places[upload.deviceId] else { throw BenchError(what: "another device's upload") }
            signatures.append(Signature(bytes: try row.blob(1), message: message, key: place))
        }
        var size: UInt64 = 0
        for row in notes {
            let note = try AuditNote(reading: row.blob(0))
            size = note.checkpoint.size
            let bytes = note.signatures[0].bytes
            signatures.append(Signature(bytes: bytes, message: note.checkpoint.text, key: ledger.devices.count))
        }
        self.size = size
    }

    func verify() throws {
        var rest = pieces[...]
        let result = try ExportVerifier.verify { () throws -> [UInt8]? in rest.popFirst() }
        guard case .success(.ledger(let summary)) = result, summary.size == size else {
            throw BenchError(what: "the export does not hold")
        }
    }

    /// Reads and hashes each line, and checks each signature.
    func readBarely() throws {
        for line in lines { try bare.read(line) }
        for signature in signatures { try bare.verify(signature.bytes, of: signature.message, key: signature.key) }
    }
}
