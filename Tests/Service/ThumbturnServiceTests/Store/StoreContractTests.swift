import Testing
import ThumbturnTestKit

@testable import ThumbturnService

/// What both stores promise, on the table of networks: an account, a network, and a number.
@Suite("The contract of a store") struct StoreContractTests {
    static let account: [UInt8] = Array(repeating: 7, count: 16)

    @Test(arguments: Backing.allCases)
    func `values come back as they went in`(backing: Backing) throws {
        let store = try StoreRoom(backing).open()
        let blobs: [[UInt8]] = [[], [0], [0, 255, 0], Array(repeating: 0xC3, count: 5_000)]
        for (number, blob) in zip([0, -1, Int64.max, Int64.min], blobs) {
            let rows = try store.transaction { transaction throws(StoreError) in
                try transaction.run("DELETE FROM proven")
                try transaction.put(blob, number)
                return try transaction.rows("SELECT network, expires_at FROM proven")
            }
            #expect(try rows.map { try $0.blob(0) } == [blob])
            #expect(try rows.map { try $0.integer(1) } == [number])
        }
        for text in ["", "rfc5054-3072", "'; DROP TABLE accounts; --", "naïve 🔑 \\x00 $1 ?1"] {
            let row = try store.transaction { transaction throws(StoreError) in
                try transaction.run("INSERT INTO keys (purpose, value) VALUES ($1, $2)", .text(text), .blob([1]))
                return try transaction.row("SELECT purpose FROM keys WHERE purpose = $1", .text(text))
            }
            #expect(try row?.text(0) == text)
        }
    }

    @Test(arguments: Backing.allCases)
    func `a null is neither empty nor zero`(backing: Backing) throws {
        let store = try StoreRoom(backing).open()
        let row = try store.transaction { transaction throws(StoreError) in
            try transaction.addDevice(revokedAt: .null)
            return try transaction.row("SELECT revoked_at, created_at FROM devices WHERE revoked_at IS NULL")
        }
        #expect(try row?.optionalInteger(0) == nil)
        #expect(throws: StoreError.damaged) { try row?.integer(0) }
        #expect(try row?.optionalInteger(1) == 5)
    }

    @Test(arguments: Backing.allCases)
    func `a value of another type, and a column that is not there, are damage`(backing: Backing) throws {
        let store = try StoreRoom(backing).open()
        let row = try #require(
            try store.transaction { transaction throws(StoreError) in
                try transaction.put([1], 2)
                return try transaction.row("SELECT network, expires_at, 1 = 1 FROM proven")
            }
        )
        #expect(throws: StoreError.damaged) { try row.integer(0) }
        #expect(throws: StoreError.damaged) { try row.text(0) }
        #expect(throws: StoreError.damaged) { try row.blob(1) }
        #expect(throws: StoreError.damaged) { try row.blob(3) }
        #expect(try row.integer(2) == 1)
    }

    @Test(arguments: Backing.allCases)
    func `a statement tells how many rows it changed, and returns them where asked`(backing: Backing) throws {
        let store = try StoreRoom(backing).open()
        try store.transaction { transaction throws(StoreError) in
            for number in 1...3 as ClosedRange<Int64> { try transaction.put([UInt8(number)], number) }
        }
        let changed = try store.transaction { transaction throws(StoreError) in
            try transaction.run(
                "UPDATE proven SET expires_at = expires_at + $1 WHERE expires_at > $2",
                .integer(10),
                .integer(1)
            )
        }
        #expect(changed == 2)
        let taken = try store.transaction { transaction throws(StoreError) in
            try transaction.rows("DELETE FROM proven WHERE expires_at > $1 RETURNING expires_at", .integer(10))
        }
        #expect(try Set(taken.map { try $0.integer(0) }) == [12, 13])
        #expect(try store.count() == 1)
        #expect(
            try store.transaction { transaction throws(StoreError) in try transaction.run("DELETE FROM tokens") } == 0
        )
    }

    @Test(arguments: Backing.allCases)
    func `a row that is there is taken for an update, or left alone`(backing: Backing) throws {
        let store = try StoreRoom(backing).open()
        for (number, expected) in [(1, 1), (2, 3)] as [(Int64, Int64)] {
            let row = try store.transaction { transaction throws(StoreError) in
                try transaction.row(
                    """
                    INSERT INTO proven (user_id, network, expires_at) VALUES ($1, $2, $3)
                    ON CONFLICT (user_id, network) DO UPDATE SET expires_at = proven.expires_at + excluded.expires_at
                    RETURNING expires_at
                    """,
                    .blob(Self.account),
                    .blob([1]),
                    .integer(number)
                )
            }
            #expect(try row?.integer(0) == expected)
        }
        let added = try store.transaction { transaction throws(StoreError) in
            let insertion: StaticString =
                "INSERT INTO proven (user_id, network, expires_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
            return try transaction.run(insertion, .blob(Self.account), .blob([1]), .integer(9))
        }
        #expect(added == 0)
    }

    @Test(arguments: Backing.allCases)
    func `what a transaction wrote is gone when it throws, and when it was undone`(backing: Backing) throws {
        let store = try StoreRoom(backing).open()
        #expect(throws: StoreError.tampered) {
            try store.transaction { transaction throws(StoreError) in
                try transaction.put([1], 1)
                throw StoreError.tampered
            }
        }
        let seen = try store.transaction { transaction throws(StoreError) in
            try transaction.put([2], 2)
            transaction.undo()
            return try transaction.count()
        }
        #expect(seen == 1)
        #expect(try store.count() == 0)
    }

    @Test(arguments: Backing.allCases)
    func `a row that breaks a constraint is a conflict, and ends the transaction though it is caught`(
        backing: Backing
    ) throws {
        let store = try StoreRoom(backing).open()
        try store.transaction { transaction throws(StoreError) in try transaction.put([1], 1) }
        #expect(throws: StoreError.conflict) {
            try store.transaction { transaction throws(StoreError) in
                try transaction.put([2], 2)
                do { try transaction.put([1], 1) } catch {}
            }
        }
        #expect(throws: StoreError.conflict) {
            try store.transaction { transaction throws(StoreError) in
                let insertion: StaticString = "INSERT INTO proven (user_id, network, expires_at) VALUES ($1, $2, $3)"
                try transaction.run(insertion, .blob(Self.account), .null, .integer(1))
            }
        }
        #expect(try store.count() == 1)
    }

    @Test(arguments: Backing.allCases)
    func `what a statement that waits for the next fails of is thrown by that one, or by the commit`(
        backing: Backing
    ) throws {
        let store = try StoreRoom(backing).open()
        let insertion: StaticString = "INSERT INTO proven (user_id, network, expires_at) VALUES ($1, $2, $3)"
        func values(_ network: UInt8) -> [StoreValue] { [.blob(Self.account), .blob([network]), .integer(1)] }
        try store.transaction { transaction throws(StoreError) in try transaction.put(insertion, with: values(1)) }
        #expect(throws: StoreError.conflict, "by the commit") {
            try store.transaction { transaction throws(StoreError) in
                for network: UInt8 in [2, 1, 3] { try transaction.put(insertion, with: values(network)) }
            }
        }
        #expect(try store.count() == 1)
        var isFollowed = false
        #expect(throws: StoreError.conflict, "by the next") {
            try store.transaction { transaction throws(StoreError) in
                for network: UInt8 in [2, 1] { try transaction.put(insertion, with: values(network)) }
                _ = try transaction.count()
                isFollowed = true
            }
        }
        #expect(!isFollowed)
        // Where nothing is to be stored nobody need hear of it, but the next transaction must not be in this one's ruins.
        _ = try? store.transaction { transaction throws(StoreError) in
            for network: UInt8 in [2, 1] { try transaction.put(insertion, with: values(network)) }
            transaction.undo()
        }
        #expect(try store.count() == 1)
        try store.transaction { transaction throws(StoreError) in
            for network: UInt8 in 2...200 { try transaction.put(insertion, with: values(network)) }
        }
        #expect(try store.count() == 200)
    }

    @Test(arguments: Backing.allCases)
    func `many megabytes may wait for the next statement`(backing: Backing) throws {
        let store = try StoreRoom(backing).open()
        let blob = [UInt8](repeating: 7, count: 100_000)
        let count = try store.transaction { transaction throws(StoreError) in
            for number in 0..<100 {
                try transaction.put(
                    "INSERT INTO keys (purpose, value) VALUES ($1, $2)",
                    with: [.text("\(number)"), .blob(blob)]
                )
            }
            return try transaction.row("SELECT COUNT(*) FROM keys")?.integer(0)
        }
        #expect(count == 100)
    }

    @Test(arguments: Backing.allCases)
    func `a store that was closed is not available`(backing: Backing) throws {
        let store = try StoreRoom(backing).open()
        try store.check()
        store.close()
        #expect(throws: StoreError.unavailable) { try store.check() }
        #expect(throws: StoreError.unavailable) { try store.transaction { _ throws(StoreError) in } }
    }

    @Test(arguments: ["", "sqlite:", "postgres:", "mysql://x", "file.db", "sqlite", "POSTGRES:x"])
    func `a location that names no store is none`(text: String) {
        #expect(StoreLocation(text) == nil)
    }

    @Test func `a location shows no password`() throws {
        let location = try #require(StoreLocation("postgres://thumbturn:hunter2@db/accounts"))
        var dumped = ""
        dump(location, to: &dumped)
        for text in ["\(location)", String(reflecting: location), dumped] { #expect(!text.contains("hunter2")) }
    }

    @Test func `a location is a file, or a server by its URI`() throws {
        guard case .sqlite(let file) = StoreLocation("sqlite:/var/a:b.db") else { throw StoreError.unavailable }
        #expect(file.path == "/var/a:b.db")
        let uris = [
            "postgres://u@h/d": "postgres://u@h/d", "postgresql://h/d": "postgresql://h/d",
            "postgres:postgresql://h/d": "postgresql://h/d", "postgres:host=h": "host=h",
        ]
        for (text, uri) in uris {
            guard case .postgres(let server) = StoreLocation(text) else { throw StoreError.unavailable }
            #expect(server.uri == uri)
        }
    }
}

extension StoreTransaction {
    /// Adds a row to the table that the contract is tried on.
    func put(_ network: [UInt8], _ number: Int64) throws(StoreError) {
        let insertion: StaticString = "INSERT INTO proven (user_id, network, expires_at) VALUES ($1, $2, $3)"
        try run(insertion, .blob(StoreContractTests.account), .blob(network), .integer(number))
    }

    func count() throws(StoreError) -> Int64 { try row("SELECT COUNT(*) FROM proven")?.integer(0) ?? -1 }

    func addDevice(revokedAt: StoreValue) throws(StoreError) {
        try run(
            """
            INSERT INTO devices (device_id, user_id, public_key, algorithm, created_at, revoked_at, contact_key)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            .blob([1]),
            .blob([2]),
            .blob([3]),
            .text("ecdsa-p256-sha256"),
            .integer(5),
            revokedAt,
            .blob([4])
        )
    }
}

extension Store {
    func count() throws(StoreError) -> Int64 {
        try reading { transaction throws(StoreError) in try transaction.count() }
    }
}
