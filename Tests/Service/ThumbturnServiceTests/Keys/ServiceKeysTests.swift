import Synchronization
import Testing
import ThumbturnCrypto
import ThumbturnTestKit

@testable import ThumbturnService

@Suite("The service keys and the name key", .timeLimit(.minutes(10))) struct ServiceKeysTests {
    @Test(arguments: Backing.allCases)
    func `all instances make one name key between them`(backing: Backing) throws {
        let room = try KeyRoom(backing)
        let tags = Mutex<Set<[UInt8]>>([])
        try onThreads(6) { _ in
            let name = try NameKey.establish(in: try room.store.open(), try ServiceKeys(room.file))
            _ = tags.withLock { $0.insert(name.tag("account", [1])) }
        }
        #expect(tags.withLock { $0.count } == 1)
    }

    @Test(arguments: Backing.allCases)
    func `all instances have one name of the service between them, which stays`(backing: Backing) throws {
        let room = try StoreRoom(backing)
        let names = Mutex<Set<String>>([])
        try onThreads(6) { number in
            let name = try ServiceName.establish("https://\(number).example.com", in: try room.open())
            _ = names.withLock { $0.insert(name) }
        }
        let all = names.withLock { $0 }
        #expect(all.count == 1)
        #expect(try ServiceName.establish("https://later.example.com", in: room.open()) == all.first)
    }

    @Test func `what comes from the name key differs by purpose and by message`() throws {
        let room = try KeyRoom(.sqlite)
        let name = try NameKey.establish(in: try room.store.open(), try ServiceKeys(room.file))
        let tags = [name.tag("a", [1]), name.tag("a", [2]), name.tag("b", [1]), name.tag("a", []), name.tag("ab", [])]
        #expect(Set(tags).count == tags.count)
        #expect(tags.allSatisfy { $0.count == 32 })
        #expect(name.secret("a", [1]).withBytes { Array(copying: $0) } == tags[0])
    }

    @Test(.holds("SVC-30"), arguments: Backing.allCases)
    func `a database without its key's file opens nothing, and another key's file takes nothing over`(
        backing: Backing
    ) throws {
        let room = try KeyRoom(backing)
        let (store, keys) = try room.open()
        try KeyRoom.fill(1...3, store, keys)
        let other = try KeyRoom(.sqlite)
        let foreign = try ServiceKeys(other.file)
        #expect(throws: StoreError.keyMissing) { try NameKey.establish(in: store, foreign) }
        #expect(throws: StoreError.keyMissing) {
            try store.transaction { transaction throws(StoreError) in _ = try foreign.sealer(in: transaction) }
        }
        for (cell, box) in try store.reading({ transaction throws(StoreError) in try transaction.sealedValues() }) {
            #expect(throws: StoreError.keyMissing) { _ = try foreign.open(box, cell) }
        }
        try KeyRoom.check(3, store, keys)
    }

    @Test(.holds("SVC-32", "SVC-33"), arguments: Backing.allCases)
    func `a value that somebody moved in the database is refused where it lies`(backing: Backing) throws {
        let room = try KeyRoom(backing)
        let (store, keys) = try room.open()
        try KeyRoom.fill(1...4, store, keys)
        let account = [UInt8](repeating: 2, count: 16)
        let moves: [(statement: StaticString, from: UInt8, cells: [SealedCell])] = [
            (
                "UPDATE accounts SET verifier = (SELECT verifier FROM accounts WHERE name_hash = $1) WHERE name_hash = $2",
                1, [.verifier(account: account, epoch: 3)]
            ),
            (
                "UPDATE accounts SET envelope = (SELECT envelope FROM accounts WHERE name_hash = $1) WHERE name_hash = $2",
                4, [.envelope(account: account, epoch: 3)]
            ),
            (
                "UPDATE accounts SET envelope = (SELECT verifier FROM accounts WHERE name_hash = $1) WHERE name_hash = $2",
                2, [.envelope(account: account, epoch: 3)]
            ),
            (
                "UPDATE accounts SET name = (SELECT name FROM accounts WHERE name_hash = $1) WHERE name_hash = $2",
                1, [.name(account: account)]
            ),
            (
                "UPDATE accounts SET epoch = epoch + 1 WHERE name_hash <> $1 AND name_hash = $2",
                1, [.verifier(account: account, epoch: 4), .envelope(account: account, epoch: 4)]
            ),
        ]
        for move in moves {
            let values = try store.transaction { transaction throws(StoreError) in
                try transaction.run(move.statement, .blob([move.from]), .blob([2]))
                let values = try transaction.sealedValues()
                transaction.undo()
                return values
            }
            #expect(Self.refusals(values, keys) == Self.refusals(of: move.cells), "\(move.statement)")
        }
        let tokens = try store.transaction { transaction throws(StoreError) in
            // A token that is given to another account, or more time.
            try transaction.run(
                "UPDATE tokens SET user_id = $1 WHERE user_id = $2",
                .blob([9]),
                .blob([UInt8](repeating: 1, count: 16))
            )
            try transaction.run(
                "UPDATE tokens SET expires_at = $1 WHERE user_id = $2",
                .integer(1 << 50),
                .blob([UInt8](repeating: 2, count: 16))
            )
            let values = try transaction.sealedValues()
            transaction.undo()
            return values
        }
        let moved: [SealedCell] = [
            (UInt8(1), [UInt8(9)], Int64(9)), (2, account, 1 << 50),
        ].map { number, account, end in
            let token = [UInt8](repeating: number, count: 32)
            return .sessionKey(token: token, account: account, epoch: 3, loginAt: 5, expiresAt: end)
        }
        #expect(Self.refusals(tokens, keys) == Self.refusals(of: moved))
        try KeyRoom.check(4, store, keys)
    }

    /// The cells whose values do not open, each with its reason.
    private static func refusals(_ values: [(cell: SealedCell, box: [UInt8])], _ keys: ServiceKeys) -> Set<String> {
        Set(
            values.compactMap { cell, box in
                do throws(StoreError) {
                    _ = try keys.open(box, cell)
                    return nil
                } catch {
                    return "\(error): \(cell)"
                }
            }
        )
    }

    /// What is to be seen where the values of these cells are another's.
    private static func refusals(of cells: [SealedCell]) -> Set<String> {
        Set(cells.map { "\(StoreError.tampered): \($0)" })
    }
}
