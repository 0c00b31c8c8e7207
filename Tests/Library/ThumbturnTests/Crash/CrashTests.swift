import CrashExplorer
import Foundation
import Testing
import ThumbturnTestKit

/// Every transition, cut off at operations of disk and device and taken up again: a sample that is always the same.
///
/// All of them are explored by `make crash`.
@Suite struct CrashTests {
    /// Situations of each transition, so that there are 3,000 in all.
    private static let sample = (3_000 + CrashTransition.all.count - 1) / CrashTransition.all.count

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
    }

    @Test(
        .holds("K-08", "K-09", "K-10", "S-04", "V-05", "A10", "A19", "A21", "A22", "A24", "A25", "A40", "A61"),
        arguments: CrashTransition.all
    )
    func `a stop anywhere leaves the old state or the new`(
        transition: CrashTransition
    ) async throws {
        let explorer = try await CutExplorer(transition, in: folder.path)
        let report = try await explorer.explore(limit: Self.sample)
        print("crash: \(report.row)")
        #expect(report.losses == [])
        #expect(report.situations >= Self.sample && report.steps >= 3)
    }

    @Test func `each transition has a name of its own`() {
        #expect(Set(CrashTransition.all.map(\.name)).count == CrashTransition.all.count)
    }

    @Test(arguments: ["create", "changePIN", "recoverElsewhere"])
    func `a drive that lies about syncs loses something, so the judge can see it`(name: String) async throws {
        let transition = try #require(CrashTransition.all.first { $0.name == name })
        let explorer = try await CutExplorer(transition, in: folder.path)
        explorer.disk.ignoresSync = true
        let report = try await explorer.explore([.losePower], limit: 200)
        #expect(!report.losses.isEmpty)
    }
}
