import Testing
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSQLite
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// Where a trail can't go on, another chain begins and says why; nothing that opens the vault waits for it.
@Suite struct TrailBreakTests {
    /// What was done to the trail behind the vault's back.
    enum Break: String, CaseIterable {
        case rowGone, rowChanged, secretGone, lastCut, lastChanged, allCut, putBack

        var reason: String {
            switch self {
            case .rowGone, .secretGone: "lost"
            case .rowChanged, .lastChanged: "damaged"
            case .lastCut, .allCut: "cut"
            case .putBack: "putBack"
            }
        }

        /// Whether the former chain is named.
        var namesFormer: Bool {
            switch self {
            case .lastCut, .allCut, .lastChanged, .putBack: true
            case .rowGone, .rowChanged, .secretGone: false
            }
        }
    }

    @Test(.holds("A43", "INV-107-10"), arguments: Break.allCases)
    func `a trail that was meddled with opens as before, and the next chain says what happened`(meddling: Break)
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        for number in 0..<3 { _ = await refusal { try await made.guess(number) } }
        let early = try made.tamper { store in (try store.trail(), try store.events()) }
        try made.advance(.hours(1))
        try await made.strong()
        await made.vault.close()
        let row = try made.trailRow()
        let last = row.epoch.number(of: row.epoch.next - 1)
        switch meddling {
        case .rowGone: try made.tamper { try $0.database.run("DELETE FROM trail") }
        case .rowChanged:
            try made.tamper { store in
                let stored = try #require(try store.trail())
                var body = stored.body
                body[body.count - 1] ^= 1
                try store.setTrail(VaultStore.TaggedRow(body: body, mac: stored.mac))
            }
        case .secretGone: try await made.simulated.delete(row.secret)
        case .lastCut: try made.tamper { try $0.database.run("DELETE FROM event WHERE number = ?", .integer(last)) }
        case .allCut: try made.tamper { try $0.removeEvents() }
        case .lastChanged:
            try made.tamper { store in
                var box = try #require(try store.event(last))
                box[box.count / 2] ^= 1
                try store.database.run("DELETE FROM event WHERE number = ?", .integer(last))
                try store.addEvent(last, box)
            }
        case .putBack:
            try made.tamper { store in
                try store.setTrail(try #require(early.0))
                try store.database.run("DELETE FROM event WHERE number >= ?", .integer(early.1))
            }
        }
        let again = try await made.reopened()
        #expect(try await again.beginning() == meddling.reason)
        try await again.touch()
        await again.vault.lock()
        try await again.strong()
        #expect(await again.isOpen)
        #expect(try await again.events().map(\.kind) == again.log.kinds)
        #expect(again.log.alarms.isEmpty)
        let former = try again.trailRow().former
        #expect((former != nil) == meddling.namesFormer)
        if let former {
            #expect(former.id == row.epoch.id)
            let stands: UInt64 =
                switch meddling {
                case .allCut: 0
                case .lastCut, .lastChanged: row.epoch.next - 1
                default: UInt64(early.1)
                }
            #expect(former.next == stands)
        }
        #expect(try await again.export().summary.count == UInt64(try await again.told().count))
    }

    @Test(.holds("A43")) func `of a chain with a broken record the export holds what stands before it`() async throws {
        let made = try await TestVault.make()
        for _ in 0..<4 { try await made.strong() }
        let row = try made.trailRow()
        try made.tamper { store in
            let number = row.epoch.number(of: 3)
            try store.database.run("DELETE FROM event WHERE number = ?", .integer(number))
        }
        let file = Collected()
        let export = try await made.vault.exportTrail(try await made.strong()) { file.append($0) }
        #expect(export == TrailExport(count: 3, isWhole: false))
        #expect(try TestVault.verified(file.bytes).count == 3)
        #expect(try await made.beginning() == "damaged")
        #expect(try made.trailRow().former?.next == 3)
    }

    @Test(.holds("F-107-10")) func `a ledger that was put back begins another chain`() async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.close()
        let copy = try made.folder.read("vault/vault.sqlite")
        let changed = try await made.reopened()
        _ = await refusal { try await changed.guess() }
        await changed.vault.close()
        try made.folder.write(copy, to: "vault/vault.sqlite")
        let again = try await made.reopened()
        #expect(try await again.told() == [.trailBegun, .ledgerUnreliable])
        #expect(try await again.beginning() == "putBack")
    }

    @Test(.holds("V-05", "A43")) func `a record with the last number there is stops nothing`() async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.close()
        let row = try made.trailRow()
        let last = row.epoch.number(of: row.epoch.next - 1)
        try made.tamper { store in
            try store.addEvent(.max - 1, [0])
            try store.database.run("DELETE FROM event WHERE number = ?", .integer(last))
        }
        let again = try await made.reopened()
        #expect(try await again.beginning() == "cut")
        try await again.strong()
        try await again.touch()
        #expect(try await again.told() == [.trailBegun, .passwordFallback, .biometricSuccess])
        #expect(try await again.export().summary.count == 4)
    }

    @Test(.holds("A25", "A43")) func `another vault's trail put in its place is not gone on with`() async throws {
        let made = try await TestVault.make()
        let other = try await TestVault.make(on: made.simulated)
        let foreign = try other.tamper { store in (try store.trail(), try store.event(0)) }
        await made.vault.close()
        try made.tamper { store in
            try store.setTrail(try #require(foreign.0))
            try store.addEvent(0, try #require(foreign.1))
        }
        let again = try await made.reopened()
        #expect(try await again.beginning() == "damaged")
        let (row, theirs) = (try again.trailRow(), try other.trailRow())
        #expect(row.secret != theirs.secret && row.epoch.writer != theirs.epoch.writer && row.former == nil)
        try await again.strong()
        try await other.strong()
        #expect(other.log.tolerated.isEmpty)
        #expect(try await other.beginning() == "created")
    }

    @Test(.holds("F-107-10")) func `a full chain is closed, and the one before it goes`() async throws {
        let made = try await TestVault.make()
        let first = try made.trailRow().epoch.id
        try await made.fill(to: TrailRow.maximumCount - 1)
        try await made.strong()
        #expect(try made.trailRow().epoch.id == first && made.trailRow().epoch.next == TrailRow.maximumCount)
        try await made.strong()
        var row = try made.trailRow()
        #expect(row.former?.id == first && row.former?.next == TrailRow.maximumCount && row.epoch.next == 2)
        #expect(try await made.beginning() == "full")
        #expect(try await made.export(former: true).summary.count == TrailRow.maximumCount)
        let second = row.epoch.id
        try await made.fill(to: TrailRow.maximumCount)
        try await made.strong()
        row = try made.trailRow()
        #expect(row.former?.id == second)
        // The one before goes, a few records with each event.
        let kept = try made.tamper { try $0.events() }
        try await made.strong()
        #expect(try made.tamper { try $0.events() } == kept - 15)
    }

    @Test(.holds("A47")) func `a clock that is set back leaves the order`() async throws {
        let made = try await TestVault.make()
        try await made.strong()
        try made.simulated.simulate(.clock(.hours(-24 * 365)))
        try await made.strong()
        let entries = try await made.vault.trail(limit: .max)
        #expect(entries.compactMap(\.seq) == Array(0..<UInt64(entries.count)))
        #expect(try #require(entries.last).at < entries[0].at)
        #expect(try await made.export().summary.count == UInt64(entries.count) + 1)
    }
}

extension TestVault {
    /// Writes records until the chain has so many.
    fileprivate func fill(to count: UInt64) async throws {
        let next = try trailRow().epoch.next
        try await vault.tellForTest(Int(count - next))
    }
}

extension Vault {
    fileprivate func tellForTest(_ count: Int) async throws(VaultError) {
        try await turn { (turn) async throws(VaultError) in
            let events = (0..<count).map { _ in self.event(.policyChanged) }
            try await self.tell(events, in: turn)
        }
    }
}
