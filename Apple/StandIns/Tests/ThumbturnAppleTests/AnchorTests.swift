import Foundation
import Security
import StandIn
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnApple

@Suite("Anchors in the keychain", .serialized)
struct AnchorTests {
    /// Each has a queue of its own, as processes do.
    private let anchors = (0..<4).map { _ in AppleAnchor(keychain: Keychain(accessGroup: App.group)) }

    /// Lets everybody move an anchor from one place to a place of his own at once.
    private func race(from former: LedgerPosition?, for secret: ItemName) async throws -> [LedgerPosition] {
        try await withThrowingTaskGroup(of: LedgerPosition?.self) { group in
            for anchor in anchors {
                let mine = LedgerPosition(sequence: (former?.sequence ?? 0) + 1, mark: .make())
                group.addTask { try await anchor.move(from: former, to: mine, for: secret) ? mine : nil }
            }
            return try await group.reduce(into: []) { winners, mine in winners += mine.map { [$0] } ?? [] }
        }
    }

    @Test("whoever shares the keychain shares the anchor, and one moves it from where they all saw it", .holds("A12"))
    func shared() async throws {
        let app = try await App.installed()
        let secret = app.name(1, .deviceSecret)
        var present: LedgerPosition?
        for _ in 1...20 {
            let winners = try await race(from: present, for: secret)
            #expect(winners.count == 1)
            present = try await app.device.anchor.position(for: secret)
            #expect(present == winners.first)
        }
        #expect(present?.sequence == 20 && app.phone.itemRows.count == 1)
    }

    @Test(
        "who comes second, at the very last moment, changes nothing",
        .holds("A12"),
        arguments: [nil, LedgerPosition.sample(1)]
    )
    func overtaken(former: LedgerPosition?) async throws {
        let app = try await App.installed()
        let secret = app.name(1, .deviceSecret)
        if former != nil { try await app.device.anchor.rise(to: 1, for: secret) }
        let theirs = LedgerPosition(sequence: 2, mark: .make())
        app.phone.before(former == nil ? .itemAdd : .itemUpdate) {
            do throws(KeychainFailure) {
                try Keychain(accessGroup: App.group).change(former, to: theirs, for: secret)
            } catch {
                Issue.record("the other one failed: \(error)")
            }
        }
        let ours = LedgerPosition(sequence: 2, mark: .make())
        #expect(try await !app.device.anchor.move(from: former, to: ours, for: secret))
        #expect(try await app.device.anchor.position(for: secret) == theirs)
    }

    @Test("a row that was moved stays on this device, and out of sync, as it was made", .holds("A62"))
    func attributes() async throws {
        let app = try await App.installed()
        let secret = app.name(1, .deviceSecret)
        for sequence: UInt64 in 1...3 { try await app.device.anchor.rise(to: sequence, for: secret) }
        let row = try #require(app.phone.itemRows.first)
        #expect(app.phone.itemRows.count == 1 && row.service == "thumbturn.anchor")
        #expect(row.control.protection == .whenUnlockedThisDeviceOnly && row.attributes["sync"] == .flag(false))
        #expect(Array(row.value) == LedgerPosition.sample(3).bytes)
        #expect(app.phone.restoredOnNewDevice().rows.isEmpty)
    }

    @Test("a change is one step of the keychain, which asks for what the row bore before", .holds("A8"))
    func oneStep() async throws {
        let app = try await App.installed()
        let secret = app.name(1, .deviceSecret)
        for (former, call) in [(nil, Call.itemAdd), (LedgerPosition.sample(1), .itemUpdate)] {
            app.phone.forgetCalls()
            let next = LedgerPosition.sample((former?.sequence ?? 0) + 1)
            #expect(try await app.device.anchor.move(from: former, to: next, for: secret))
            #expect(app.phone.calls.filter { [.itemAdd, .itemUpdate, .itemDelete].contains($0) } == [call])
        }
    }

    @Test(
        "a change whose answer is lost, or that does nothing, may have moved it or not",
        .holds("A19"),
        arguments: [
            Effect.happensButReports(-25291), .happensButReports(-25300), .happensButReports(-4_711), .refuses(-25291),
            .refuses(-25300), .refuses(-25299), .refuses(-25308), .refuses(-4_711), .drops(["v_Data", "gena"]),
            .drops(["gena"]),
        ]
    )
    func fault(effect: Effect) async throws {
        let app = try await App.installed()
        let secret = app.name(1, .deviceSecret)
        let anchor = app.device.anchor
        try await anchor.rise(to: 1, for: secret)
        app.phone.fail(.itemUpdate, effect)
        await #expect(throws: DeviceRefusal.unavailable) {
            try await anchor.move(from: .sample(1), to: .sample(2), for: secret)
        }
        let happened: Bool
        if case .happensButReports = effect { happened = true } else { happened = false }
        #expect(try await anchor.position(for: secret) == .sample(happened ? 2 : 1))
        // Whoever looks where it stands goes on from there.
        #expect(try await anchor.move(from: .sample(happened ? 2 : 1), to: .sample(3), for: secret))
    }

    @Test(
        "so does the first one",
        .holds("A19"),
        arguments: [
            Effect.happensButReports(-25291), .happensButReports(-25299), .refuses(-25299), .refuses(-25308),
        ]
    )
    func firstFault(effect: Effect) async throws {
        let app = try await App.installed()
        let secret = app.name(1, .deviceSecret)
        app.phone.fail(.itemAdd, effect, skipping: 0)
        await #expect(throws: DeviceRefusal.unavailable) {
            try await app.device.anchor.move(from: nil, to: .sample(1), for: secret)
        }
        let present = try await app.device.anchor.position(for: secret)
        if case .happensButReports = effect { #expect(present == .sample(1)) } else { #expect(present == nil) }
        #expect(try await app.device.anchor.move(from: present, to: .sample(2), for: secret))
    }

    @Test(
        "on a locked phone an anchor neither stands nor moves, and is none the worse",
        .holds("A25"),
        arguments: [-25308, -25291]
    )
    func locked(status: Int32) async throws {
        let app = try await App.installed()
        let secret = app.name(1, .deviceSecret)
        try await app.device.anchor.rise(to: 1, for: secret)
        app.phone.quirks.classLockedStatus = status
        app.phone.lockScreen()
        await #expect(throws: DeviceRefusal.unavailable) { try await app.device.anchor.position(for: secret) }
        for former in [nil, LedgerPosition.sample(1)] {
            await #expect(throws: DeviceRefusal.unavailable) {
                try await app.device.anchor.move(from: former, to: .sample(2), for: secret)
            }
        }
        app.phone.unlockScreen()
        #expect(try await app.device.anchor.position(for: secret) == .sample(1))
    }

    @Test(
        "of a row that is none of ours nothing is known, and it stays",
        .holds("A8"),
        arguments: [0, 8, 16, 23, 25]
    )
    func foreign(byteCount: Int) async throws {
        let app = try await App.installed()
        let secret = app.name(1, .deviceSecret)
        try app.addAnchor(bytes: Array(repeating: 1, count: byteCount), for: secret)
        await #expect(throws: DeviceRefusal.unavailable) { try await app.device.anchor.position(for: secret) }
        for former in [nil, LedgerPosition.sample(1)] {
            await #expect(throws: DeviceRefusal.unavailable) {
                try await app.device.anchor.move(from: former, to: .sample(2), for: secret)
            }
        }
        #expect(app.phone.itemRows.count == 1)
        try await app.device.anchor.remove(for: secret)
        #expect(try await app.device.anchor.position(for: secret) == nil)
    }
}

extension Keychain {
    /// Changes an anchor's row as another process does.
    fileprivate func change(
        _ former: LedgerPosition?,
        to next: LedgerPosition,
        for secret: ItemName
    ) throws(KeychainFailure) {
        let row = Row(kind: .anchor, name: secret.text)
        let bytes = next.bytes
        if let former { return try replace(Data(former.bytes), by: Data(bytes), in: row) }
        let value = unsafe SecretBytes(byteCount: bytes.count) { buffer in unsafe buffer.copyBytes(from: bytes) }
        try add(value, as: row, mark: Data(bytes))
    }
}

extension App {
    /// Puts an anchor's row into the keychain, as another release would.
    fileprivate func addAnchor(bytes: [UInt8], for secret: ItemName) throws {
        let row = Keychain.Row(kind: .anchor, name: secret.text)
        let value = unsafe SecretBytes(byteCount: bytes.count) { buffer in unsafe buffer.copyBytes(from: bytes) }
        try Keychain(accessGroup: Self.group).add(value, as: row, mark: Data(bytes))
    }
}
