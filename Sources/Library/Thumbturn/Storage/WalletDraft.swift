import ThumbturnBase
import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnRules

/// Sealed wallets on their way into the store: a few in memory, many in an unlinked file.
///
/// A change of 100,000 wallets therefore takes hardly more memory than one of ten. The file disappears with the
/// process.
final class WalletDraft {
    private static let mostInMemory = 1 << 18
    private let folder: String
    private var file: Descriptor?
    /// The end offsets of the file's parts; each part has whole rows.
    private var ends: [Int] = []
    private var tail = ByteWriter()
    private(set) var entries: [WalletIndex.Entry] = []

    /// Creates an empty draft.
    ///
    /// - Parameter folder: the vault's folder.
    init(in folder: String) { self.folder = folder }

    /// Creates a draft of some rows.
    convenience init(_ records: [WalletRecord], in folder: String) throws(VaultError) {
        self.init(in: folder)
        for record in records { try append(record) }
    }

    /// Adds a row.
    ///
    /// - Throws: why it can't be stored.
    func append(_ record: WalletRecord) throws(VaultError) {
        if tail.bytes.count >= Self.mostInMemory { try spill() }
        entries.append(WalletIndex.Entry(record))
        try translating { () throws(CryptoError) in
            tail.writeFixed(record.id.bytes)
            tail.writeFixed(record.tag.bytes)
            try tail.writeBytes(record.label, maximum: WalletRecord.maximumSealedName)
            try tail.writeBytes(record.secret, maximum: WalletRecord.maximumSealedSecret)
        }
    }

    /// Calls `body` with the rows one by one; can be called repeatedly.
    func forEach(_ body: (WalletRecord) throws(VaultError) -> Void) throws(VaultError) {
        var start = 0
        for end in ends {
            try Self.forEach(in: read(start..<end), body)
            start = end
        }
        try Self.forEach(in: tail.bytes, body)
    }

    private static func forEach(
        in bytes: [UInt8],
        _ body: (WalletRecord) throws(VaultError) -> Void
    ) throws(VaultError) {
        var reader = ByteReader(bytes)
        while reader.remaining > 0 {
            let record = try translating { () throws(CryptoError) in
                WalletRecord(
                    id: try reader.readIdentifier(),
                    tag: try reader.readIdentifier(),
                    label: try reader.readBytes(maximum: WalletRecord.maximumSealedName),
                    secret: try reader.readBytes(maximum: WalletRecord.maximumSealedSecret)
                )
            }
            try body(record)
        }
    }

    private func spill() throws(VaultError) {
        let start = ends.last ?? 0
        do throws(FileError) {
            if file == nil { file = try Self.make(in: folder) }
            try file?.write(tail.bytes, at: start)
        } catch {
            throw VaultError("draft", error)
        }
        ends.append(start + tail.bytes.count)
        tail = ByteWriter()
    }

    private func read(_ range: Range<Int>) throws(VaultError) -> [UInt8] {
        do throws(FileError) {
            return try file?.bytes(at: range.lowerBound, count: range.count) ?? []
        } catch {
            throw VaultError("draft", error)
        }
    }

    /// Creates a file, and unlinks it at once.
    private static func make(in folder: String) throws(FileError) -> Descriptor {
        let path = folder + "/wallets.partial"
        // Remove a file that a crash left between the two steps.
        PlainFile.remove(path)
        let file = try Descriptor(making: path)
        PlainFile.remove(path)
        return file
    }
}
