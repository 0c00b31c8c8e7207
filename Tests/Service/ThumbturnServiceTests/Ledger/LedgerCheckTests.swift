import Testing
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules

@testable import ThumbturnService

@Suite("The check of a ledger", .timeLimit(.minutes(10))) struct LedgerCheckTests {
    @Test(.holds("F-107-10"), arguments: Backing.allCases)
    func `finds nothing wrong with what the service wrote`(backing: Backing) throws {
        let room = try CheckedLog(backing)
        let report = try room.report()
        #expect(report.faults == [] && report.faultCount == 0 && report.remarks == [])
        #expect((report.size, report.signed, report.isEnded) == (605, 603, false))
        #expect(try report.keys == [room.log.key.id])
        let empty = try StoreRoom(backing)
        #expect(try LedgerCheck.run(in: empty.open()) == nil)
        _ = try TestLog.all(3, in: empty.open())
        let logs = try #require(try LedgerCheck.run(in: empty.open()))
        #expect(logs.isRight && logs.logs.map(\.origin) == (0..<3).map { ServiceRoom.origin + "/\($0)" })
    }

    @Test func `says how much is older than a date`() throws {
        let room = try CheckedLog(.sqlite)
        let day = room.log.time.count
        for (time, older) in [(day, 300), (day + 1, 605), (day - 86_400_000, 0), (day - 86_399_999, 300)]
            as [(Int64, UInt64)]
        {
            #expect(try room.report(before: Milliseconds(time)).older == older)
        }
    }

    @Test(.holds("F-107-10"), arguments: Backing.allCases)
    func `finds leaves that were changed, moved or taken away`(backing: Backing) throws {
        for index in [0, 199, 200, 255, 256, 299, 300, 329, 579, 583, 602, 603, 604] as [Int64] {
            let room = try CheckedLog(backing)
            let other = room.log.leaves[Int(index) == 7 ? 8 : 7]
            let faults = try room.faults { transaction throws(StoreError) in
                try transaction.run("UPDATE leaves SET leaf = $1 WHERE idx = $2", .blob(other), .integer(index))
            }
            #expect(faults == [.leafChanged(UInt64(index))])
        }
        for index in [0, 220, 582, 602, 604] as [Int64] {
            let room = try CheckedLog(backing)
            let faults = try room.faults { transaction throws(StoreError) in
                try transaction.run("DELETE FROM leaves WHERE idx = $1", .integer(index))
            }
            #expect(faults == [.leafMissing(UInt64(index))])
        }
        let room = try CheckedLog(backing)
        let faults = try room.faults { transaction throws(StoreError) in
            for (from, to) in [(210, 9_999), (401, 210), (9_999, 401)] as [(Int64, Int64)] {
                try transaction.run("UPDATE leaves SET idx = $1 WHERE idx = $2", .integer(to), .integer(from))
            }
        }
        #expect(faults == [.leafChanged(210), .leafChanged(401)])
        let surplus = try CheckedLog(backing).faults { transaction throws(StoreError) in
            try transaction.run("INSERT INTO leaves (log, idx, leaf) VALUES (0, 700, $1)", .blob([0x7B, 0x7D]))
        }
        #expect(surplus == [.leafUncounted(700)])
    }

    @Test(arguments: Backing.allCases)
    func `finds tiles that were changed, and says that it is they`(backing: Backing) throws {
        for (level, number, place, index) in [
            (0, 0, 0, 0), (0, 1, 44, 300), (0, 2, 90, 602), (0, 2, 92, 604), (1, 0, 1, 256),
        ] as [(Int64, Int64, Int, UInt64)] {
            let room = try CheckedLog(backing)
            let faults = try room.faults { transaction throws(StoreError) in
                var hashes = try transaction.tile(MerkleTile(level: UInt8(level), number: UInt64(number)), of: 0)
                hashes[32 * place + 31] ^= 1
                try transaction.run(
                    "UPDATE tiles SET hashes = $1 WHERE level = $2 AND number = $3",
                    .blob(hashes),
                    .integer(level),
                    .integer(number)
                )
            }
            #expect(
                faults == [.tileChanged(MerkleTile(level: UInt8(level), number: UInt64(number)), index)],
                "\(level) \(number)"
            )
        }
        let cut = try CheckedLog(backing).faults { transaction throws(StoreError) in
            try transaction.run("DELETE FROM tiles WHERE level = 0 AND number = 1")
        }
        #expect(cut == [.tileChanged(MerkleTile(level: 0, number: 1), 256)])
    }

    @Test(.holds("F-107-10"), arguments: Backing.allCases)
    func `finds a leaf that was changed together with every tile above it`(backing: Backing) throws {
        let room = try CheckedLog(backing)
        let leaf = room.log.leaves[7]
        let faults = try room.faults { transaction throws(StoreError) in
            try transaction.run("UPDATE leaves SET leaf = $1 WHERE idx = 8", .blob(leaf))
            var hashes = try transaction.tile(MerkleTile(level: 0, number: 0), of: 0)
            hashes.replaceSubrange(256..<288, with: MerkleTree.leaf(leaf))
            try transaction.run("UPDATE tiles SET hashes = $1 WHERE level = 0 AND number = 0", .blob(hashes))
        }
        #expect(faults.contains(.rootWrong(from: 0, to: 300)))
    }

    @Test(arguments: Backing.allCases)
    func `finds heads that were changed, exchanged or taken away`(backing: Backing) throws {
        let room = try CheckedLog(backing)
        let (old, new) = (room.log.notes[1].text, room.log.notes[2].text)
        for size in [0, 300, 580] as [Int64] {
            let faults = try CheckedLog(backing).faults { transaction throws(StoreError) in
                try transaction.run("UPDATE notes SET note = $1 WHERE size = $2", .blob(new), .integer(size))
            }
            #expect(faults.contains(.noteWrong(size: UInt64(size))), "\(size)")
        }
        let other = try CheckedLog(backing).faults { transaction throws(StoreError) in
            try transaction.run("UPDATE notes SET note = $1 WHERE size = 603", .blob(old))
        }
        #expect(other == [.noteWrong(size: 603)])
        let gone = try CheckedLog(backing).faults { transaction throws(StoreError) in
            try transaction.run("DELETE FROM notes WHERE size = 603")
        }
        #expect(gone == [.noteMissing(size: 603)])
        let first = try CheckedLog(backing).faults { transaction throws(StoreError) in
            try transaction.run("DELETE FROM notes WHERE size = 300")
        }
        #expect(first.map(\.code) == ["keyWrong"])
        let key = try P256PrivateKey.make().publicKey
        let signed = try CheckedLog(backing).faults { transaction throws(StoreError) in
            try transaction.run("UPDATE log_keys SET public_key = $1", .blob(key))
        }
        #expect([0, 300, 580, 603].allSatisfy { signed.contains(.noteWrong(size: $0)) })
    }

    @Test(arguments: Backing.allCases)
    func `finds a log's row that does not fit`(backing: Backing) throws {
        let root = try CheckedLog(backing).faults { transaction throws(StoreError) in
            try transaction.run("UPDATE logs SET root = $1", .blob(MerkleTree.emptyRoot))
        }
        #expect(root == [.headWrong(size: 605)])
        let time = try CheckedLog(backing).faults { transaction throws(StoreError) in
            try transaction.run("UPDATE logs SET ts = ts + 1")
        }
        #expect(time == [.headWrong(size: 605)])
        let cut = try CheckedLog(backing).faults { transaction throws(StoreError) in
            try transaction.run("UPDATE logs SET size = 580, signed = 580")
        }
        #expect(cut.contains(.leafUncounted(580)) && cut.contains(.headWrong(size: 580)))
        let gone = try CheckedLog(backing).faults { transaction throws(StoreError) in
            try transaction.run("DELETE FROM logs")
        }
        #expect(gone == [.logMissing])
        let name = try CheckedLog(backing).faults { transaction throws(StoreError) in
            try transaction.run("UPDATE logs SET origin = 'https://other.example.org'")
        }
        #expect(name == [.originWrong])
    }
}
