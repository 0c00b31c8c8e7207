import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnPreviews
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnUI

@MainActor @Suite("The trail in the model", .waitsEnd)
struct TrailModelTests {
    @Test(.holds("F-107-10")) func `the newest event comes first, and the trail's beginning last`() async throws {
        let made = try await TestVault.make()
        try await made.strong()
        let model = await screen(of: made)
        #expect(model.events.isEmpty && !model.hasEarlier)
        await model.load()
        #expect(model.events.first?.kind == .passwordFallback && model.events.last?.kind == .trailBegun)
        #expect(model.error == nil && !model.isIncomplete && model.brokenAt == nil && model.undelivered == nil)
    }

    @Test func `a long trail is read page by page, without a gap or a double`() async throws {
        let made = try await TestVault.make()
        try await made.vault.insecurelyTell(.biometricSuccess, times: 120, together: true)
        let model = await screen(of: made)
        await model.load()
        #expect(model.events.count >= TrailModel.pageCount && model.hasEarlier)
        var pages = 1
        while model.hasEarlier {
            await model.loadEarlier()
            pages += 1
        }
        let numbers = model.events.compactMap(\.seq)
        #expect(pages == 3 && numbers.last == 0 && numbers.count > 120)
        #expect(numbers == numbers.sorted(by: >) && Set(numbers).count == numbers.count)
        await model.loadEarlier()
        #expect(model.events.count == numbers.count)
        await model.load()
        #expect(model.hasEarlier, "only the newest again")
    }

    @Test func `failures that no record tells of yet are on the newest page alone`() async throws {
        let made = try await TestVault.make()
        try await made.vault.insecurelyTell(.biometricSuccess, times: 60, together: true)
        for number in 0..<3 { try? await made.guess(number) }
        let model = await screen(of: made)
        await model.load()
        let counted = model.events.filter { $0.seq == nil }
        await model.loadEarlier()
        #expect(model.events.filter { $0.seq == nil } == counted)
    }

    @Test func `what can't be read is said, and read at the next try`() async throws {
        var vault = StillVault(VaultSnapshot(state: .unlocked(.full)))
        vault.trail = TrailPage(events: [TrailEvent(.vaultCreated, at: .zero, seq: 1)], beganBecause: "created")
        let trail = FailingTrail(vault: vault)
        let model = TrailModel(trail)
        await until { !model.loading }
        await model.load()
        #expect(model.error?.errorCode == .storageUnavailable && model.events.isEmpty && !model.loading)
        await model.load()
        #expect(model.error == nil && model.events.count == 1)
    }

    @Test func `a hole and a lost beginning are said`() async {
        var vault = StillVault(VaultSnapshot(state: .unlocked(.full)))
        let event = TrailEvent(.vaultCreated, at: .zero, seq: 1)
        for (reason, isIncomplete) in [("created", false), ("cut", true), ("lost", true), (nil, true)] {
            vault.trail = TrailPage(events: [event], brokenAt: 2, undelivered: 3, beganBecause: reason)
            let model = TrailModel(vault)
            await until { !model.loading }
            await model.load()
            #expect(model.brokenAt == 2 && model.undelivered == 3 && model.isIncomplete == isIncomplete)
        }
    }

    private func screen(of made: TestVault) async -> TrailModel {
        let model = TrailModel(made.vault)
        await until { !model.loading }
        return model
    }
}

/// A trail that can't be read at first.
private struct FailingTrail: TrailVault {
    let vault: StillVault
    let tries = Counter()

    var now: ClockReading { vault.now }
    func snapshots() async -> AsyncStream<VaultSnapshot> { await vault.snapshots() }
    func unlock(with secret: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization {
        try await vault.unlock(with: secret)
    }
    func trailPage(before end: UInt64?, limit: Int) async throws(VaultError) -> TrailPage {
        guard tries.next() > 1 else { throw VaultError(.storageUnavailable) }
        return try await vault.trailPage(before: end, limit: limit)
    }
}
