import ThumbturnCrypto
import ThumbturnRules
import ThumbturnSQLite

/// Finds rows in a vault's file or a backup by their form alone, regardless of the rest of the file.
///
/// SQLite reads nothing from a file whose header, tables or pages are damaged, although the owner's rows may be intact.
/// No row found here is trusted: what opens under the recovery key is authentic, and the rest is dropped. If a file was
/// not closed, its newest rows may be in its log: `DatabaseImage` puts them in their place.
final class RowScan {
    /// The position of a wallet's row: its page, counted from 0, and the offset of the record header in it.
    struct Place: Hashable {
        let page: Int
        let offset: Int
    }

    /// An SQLite record that has a wallet's columns.
    struct WalletCell {
        let row: StoredWallet
        /// The secret's offset in its page.
        let secretStart: Int
        /// Whether the secret continues in other pages.
        let spills: Bool
    }

    private static let blobOf16: UInt8 = 44
    private static let blobOf32: UInt8 = 76
    private let read: PlainFile.Reading
    private let pageSize = Int(Database.pageByteCount)
    let pageCount: Int

    /// Creates a scan of `byteCount` bytes.
    ///
    /// - Throws: `.backupTooLarge`.
    init(byteCount: Int, read: @escaping PlainFile.Reading) throws(VaultError) {
        guard byteCount <= PlainFile.mostBytes else { throw VaultError(.backupTooLarge) }
        pageCount = (byteCount + pageSize - 1) / pageSize
        self.read = read
    }

    /// Creates a scan of a file in any folder that this process does not have open as a vault.
    ///
    /// - Throws: `.vaultMissing`, `.vaultUnsafe` when it is no plain file, `.backupTooLarge`, `.storageUnavailable`.
    convenience init(_ path: String) throws(VaultError) {
        let file = try PlainFile(path)
        try self.init(byteCount: file.byteCount, read: file.read)
    }

    /// Returns the bytes of a page; fewer at the end of the file.
    func page(_ number: Int) throws(VaultError) -> [UInt8] { try read(number * pageSize, pageSize) }

    /// Returns the slots in a page that the recovery key may open.
    func recoverySlots(in page: [UInt8]) -> [SlotRecord] {
        // A record is `bytes(1024)` of header and `bytes(128)` of box; the purpose follows format and suite.
        Self.positions(of: Array("rec-slot".utf8), in: page).compactMap { position in
            let start = position - 10
            guard start >= 0, let header = Self.number(in: page, at: start), header <= 1_024,
                let box = Self.number(in: page, at: start + 4 + header), box <= 128
            else { return nil }
            let end = start + 8 + header + box
            return end <= page.count ? try? SlotRecord(parsing: Array(page[start..<end])) : nil
        }
    }

    /// Returns the rows in a page that may be a head of `vault`.
    func heads(in page: [UInt8], of vault: Identifier) -> [VaultStore.TaggedRow] {
        Self.positions(of: vault.bytes, in: page).compactMap { position in
            // The body starts with the format, then the vault; the record header before it is: its length, NULL, the
            // body, 32 bytes.
            let start = position - 1
            for length in 4...5 where start >= length && page[start - length] == length && page[start - length + 1] == 0
            {
                var next = start - length + 2
                guard let body = Self.blobSize(in: page, at: &next), next == start - 1, page[next] == Self.blobOf32,
                    start + body + 32 <= page.count
                else { continue }
                return VaultStore.TaggedRow(
                    body: Array(page[start..<start + body]),
                    mac: Array(page[start + body..<start + body + 32])
                )
            }
            return nil
        }
    }

    /// Returns the offsets of the records in a page that have a wallet's columns.
    func wallets(in page: [UInt8]) -> [Int] {
        Self.positions(of: [Self.blobOf16, Self.blobOf16], in: page).compactMap { position in
            position > 0 && shape(in: page, at: position - 1) != nil ? position - 1 : nil
        }
    }

    /// Returns the offsets in a page at which a sealed secret may start.
    ///
    /// - Parameter prefix: the bytes that all of the vault's secrets start with.
    func secrets(in page: [UInt8], prefix: [UInt8]) -> [Int] { Self.positions(of: prefix, in: page) }

    func wallet(at place: Place) throws(VaultError) -> WalletCell? {
        wallet(in: try page(place.page), at: place.offset)
    }

    /// Returns the row at an offset in a page.
    ///
    /// - Parameter follows: decides, from the part in the page itself, whether to read the chain of pages with the
    ///   rest: an attacker can write many rows that lead to one long chain.
    func wallet(in page: [UInt8], at offset: Int, where follows: (StoredWallet) -> Bool = { _ in true }) -> WalletCell?
    {
        guard let shape = shape(in: page, at: offset) else { return nil }
        var secret = Array(page[shape.secret])
        let (id, tag, label) = (Array(page[shape.id]), Array(page[shape.tag]), Array(page[shape.label]))
        let local = StoredWallet(id: id, tag: tag, label: label, secret: secret)
        guard shape.spills else {
            return WalletCell(row: local, secretStart: shape.secret.lowerBound, spills: false)
        }
        if follows(local), var next = Self.number(in: page, at: shape.secret.upperBound) {
            while secret.count < shape.secretSize, next > 0, next <= pageCount {
                // A page without a byte of the secret could make the loop endless.
                guard let rest = try? self.page(next - 1), rest.count > 4, let following = Self.number(in: rest, at: 0)
                else { break }
                secret += rest.dropFirst(4).prefix(shape.secretSize - secret.count)
                next = following
            }
        }
        let row = StoredWallet(id: id, tag: tag, label: label, secret: secret)
        return WalletCell(row: row, secretStart: shape.secret.lowerBound, spills: true)
    }

    private struct Shape {
        let id: Range<Int>
        let tag: Range<Int>
        let label: Range<Int>
        /// The part of the secret in the page itself.
        let secret: Range<Int>
        let secretSize: Int
        let spills: Bool
    }

    /// A record header is its own length, then a number for each column: 12 plus twice the size, for bytes.
    private func shape(in page: [UInt8], at offset: Int) -> Shape? {
        let length = Int(page[offset])
        guard 6...9 ~= length, offset + length + WalletRecord.headerByteCount < page.count,
            page[offset + 1] == Self.blobOf16, page[offset + 2] == Self.blobOf16
        else { return nil }
        var next = offset + 3
        guard let label = Self.blobSize(in: page, at: &next), label <= WalletRecord.maximumSealedName,
            let secret = Self.blobSize(in: page, at: &next), secret > WalletRecord.headerByteCount,
            secret <= WalletRecord.maximumSealedSecret, next == offset + length
        else { return nil }
        let id = next..<next + 16
        let tag = id.upperBound..<id.upperBound + 16
        let start = tag.upperBound + label
        let size = length + 32 + label + secret
        let local = Self.localSize(of: size, pageSize: pageSize)
        guard start < offset + local, offset + local + (local < size ? 4 : 0) <= page.count else { return nil }
        return Shape(
            id: id,
            tag: tag,
            label: tag.upperBound..<start,
            secret: start..<offset + local,
            secretSize: secret,
            spills: local < size
        )
    }

    /// Returns how much of a record SQLite keeps in its page; the rest is in a chain of overflow pages.
    private static func localSize(of size: Int, pageSize: Int) -> Int {
        guard size > pageSize - 35 else { return size }
        let least = (pageSize - 12) * 32 / 255 - 23
        let most = least + (size - least) % (pageSize - 4)
        return most <= pageSize - 35 ? most : least
    }

    /// Returns the size of a blob column, from its number in the record header.
    private static func blobSize(in page: [UInt8], at position: inout Int) -> Int? {
        var value = 0
        for _ in 0..<4 where position < page.count {
            let byte = page[position]
            position += 1
            value = value << 7 | Int(byte & 0x7F)
            guard byte & 0x80 != 0 else { return value >= 12 && value % 2 == 0 ? (value - 12) / 2 : nil }
        }
        return nil
    }

    /// Reads a `u32`.
    private static func number(in page: [UInt8], at position: Int) -> Int? {
        guard position >= 0, position + 4 <= page.count else { return nil }
        return page[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Returns whether a page contains these bytes.
    static func holds(_ run: [UInt8], in page: [UInt8]) -> Bool { !positions(of: run, in: page).isEmpty }

    private static func positions(of run: [UInt8], in page: [UInt8]) -> [Int] {
        var positions: [Int] = []
        // Work on the buffer: every byte of every file is compared.
        unsafe page.withUnsafeBufferPointer { page in
            for position in page.indices.dropLast(run.count - 1) where unsafe page[position] == run[0] {
                if unsafe page[position...].starts(with: run) { positions.append(position) }
            }
        }
        return positions
    }
}
