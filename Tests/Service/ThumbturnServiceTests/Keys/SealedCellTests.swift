import Testing
import ThumbturnCrypto

@testable import ThumbturnService

@Suite("A sealed value") struct SealedCellTests {
    private let key: ServiceKey
    private static let account = [UInt8](repeating: 1, count: 16)
    private static let other = [UInt8](repeating: 2, count: 16)

    init() throws { key = try ServiceKey.make() }

    private func seal(_ text: String, _ cell: SealedCell) throws -> [UInt8] {
        try Sealer(key: key).seal(Array(text.utf8), cell)
    }

    private func open(_ box: [UInt8], _ cell: SealedCell) throws(StoreError) -> [UInt8] {
        try SealedBox(box).open(cell, with: key).withBytes { Array(copying: $0) }
    }

    /// Cells that differ from each other; of each column some that differ in one thing alone.
    private static let cells: [SealedCell] = [
        .verifier(account: account, epoch: 1), .verifier(account: other, epoch: 1),
        .verifier(account: account, epoch: 2),
        .verifier(account: account, epoch: 0),
        .envelope(account: account, epoch: 1), .envelope(account: other, epoch: 1),
        .envelope(account: account, epoch: 2),
        .name(account: account), .name(account: other), .nameKey,
        .contactKey(device: account, account: account), .contactKey(device: other, account: account),
        .contactKey(device: account, account: other),
        .handshakeSecret(handshake: account, account: account, epoch: 1),
        .handshakeSecret(handshake: other, account: account, epoch: 1),
        .handshakeSecret(handshake: account, account: other, epoch: 1),
        .handshakeSecret(handshake: account, account: account, epoch: 2),
        .sessionKey(token: account, account: account, epoch: 1, loginAt: 1, expiresAt: 2),
        .sessionKey(token: other, account: account, epoch: 1, loginAt: 1, expiresAt: 2),
        .sessionKey(token: account, account: other, epoch: 1, loginAt: 1, expiresAt: 2),
        .sessionKey(token: account, account: account, epoch: 2, loginAt: 1, expiresAt: 2),
        .sessionKey(token: account, account: account, epoch: 1, loginAt: 2, expiresAt: 2),
        .sessionKey(token: account, account: account, epoch: 1, loginAt: 1, expiresAt: 3),
    ]

    @Test(.holds("SVC-32"), arguments: cells.indices)
    func `opens in its own cell, and in no other account, column, row or epoch`(index: Int) throws {
        let box = try seal("secret", Self.cells[index])
        #expect(box.count == 6 + SealedBox.overhead)
        for (other, cell) in Self.cells.enumerated() {
            if other == index {
                #expect(try open(box, cell) == Array("secret".utf8))
            } else {
                #expect(throws: StoreError.tampered) { try open(box, cell) }
            }
        }
    }

    @Test func `opens neither changed, nor cut, nor under another key`() throws {
        let cell = SealedCell.verifier(account: Self.account, epoch: 1)
        let box = try seal("secret", cell)
        for bit in 8 * ServiceKeyIdentifier.byteCount..<8 * box.count {
            var changed = box
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: StoreError.tampered, "bit \(bit)") { try open(changed, cell) }
        }
        for count in 0..<box.count {
            #expect(throws: StoreError.tampered) { _ = try open(Array(box.prefix(count)), cell) }
        }
        let other = try ServiceKey.make()
        #expect(throws: StoreError.tampered) { _ = try SealedBox(box).open(cell, with: other) }
    }

    @Test(.holds("SVC-30")) func `shows the length of what it holds, and nothing else`() throws {
        let cell = SealedCell.verifier(account: Self.account, epoch: 1)
        let boxes = try (1...50).map { _ in try seal("the same value", cell) }
        #expect(Set(boxes).count == 50)
        // Neither a salt nor a nonce comes twice, and all name their key.
        #expect(Set(boxes.map { Array($0[8..<24]) }).count == 50)
        #expect(Set(boxes.map { Array($0[24..<36]) }).count == 50)
        #expect(boxes.allSatisfy { $0.starts(with: key.identifier.bytes) && $0.count == 14 + SealedBox.overhead })
    }

    @Test func `that was sealed by an earlier release opens`() throws {
        let bytes = unsafe SecretBytes(byteCount: 32) { unsafe $0.copyBytes(from: 0..<32) }
        let key = try ServiceKey(loading: bytes)
        #expect(key.identifier.text == Frozen.identifier)
        let box = try #require(TextCode.hexadecimal.decode(Array(Frozen.box.utf8)))
        let cell = SealedCell.sessionKey(token: [1, 2], account: [3], epoch: 4, loginAt: 5, expiresAt: -6)
        #expect(try SealedBox(box).open(cell, with: key).withBytes { Array(copying: $0) } == Array("frozen".utf8))
    }

    /// Written by another implementation: key 00…1f, salt 10…1f, nonce 00…0b.
    private enum Frozen {
        static let identifier = "143cbfcaf37bdea0"
        static let box =
            "143cbfcaf37bdea0101112131415161718191a1b1c1d1e1f0001020304"
            + "05060708090a0b10b9d3969160fbec78d08c4e8c5ed7ecbc83e9f3ef8f"
    }
}
