import Foundation
import Testing
import ThumbturnTestKit

/// Every transition, cut off at every operation of disk and device.
///
/// With `THUMBTURN_CRASH=all` two things go wrong at every operation too, instead of at every eighth.
@Suite struct CrashTests {
    private static let exploresAll = ProcessInfo.processInfo.environment["THUMBTURN_CRASH"] == "all"

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
    }

    @Test(arguments: CrashTransition.allCases)
    func `K-09 K-10 B-07 A10 A19 A22 A40 A61: a stop at any operation leaves the old state or the new one`(
        transition: CrashTransition
    ) async throws {
        let explorer = try await CrashExplorer(transition, in: folder.path)
        let report = try await explorer.explore(CrashExplorer.Mode.single)
        print(report.row)
        #expect(report.losses == [])
        #expect(report.situations >= 6 * report.operations && report.operations >= 16)
    }

    @Test(arguments: CrashTransition.allCases)
    func `K-09: a second stop, while the first is cleared up, loses nothing either`(
        transition: CrashTransition
    ) async throws {
        let explorer = try await CrashExplorer(transition, in: folder.path)
        let report = try await explorer.explore(CrashExplorer.Mode.double, stride: Self.exploresAll ? 1 : 8)
        print(report.row)
        #expect(report.losses == [])
        #expect(report.situations > 0)
    }

    @Test(arguments: [CrashTransition.create, .changePIN, .recoverElsewhere])
    func `a drive that lies about syncs loses something, so the judge can see it`(
        transition: CrashTransition
    ) async throws {
        let explorer = try await CrashExplorer(transition, in: folder.path)
        explorer.disk.ignoresSync = true
        let report = try await explorer.explore([.losePower])
        #expect(!report.losses.isEmpty)
    }
}
