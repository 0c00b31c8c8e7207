/// A journal as somebody may plant it beside a database: hot, and with the name of a super-journal at its end.
///
/// SQLite deletes the file of that name.
package enum PlantedJournal {
    /// - Parameters:
    ///   - victim: the file that it names.
    ///   - page: what it puts in the place of the second page; nil for none.
    package static func bytes(naming victim: String, page: [UInt8]? = nil) -> [UInt8] {
        // How many pages it has, a nonce, how many the database had, the sizes of a sector and of a page.
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
