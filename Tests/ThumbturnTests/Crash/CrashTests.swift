import Foundation
import Testing
import ThumbturnTestKit

@Suite struct CrashTests {
    private static let exploresAll = ProcessInfo.processInfo.environment["THUMBTURN_CRASH"] == "all"

    @Test(arguments: CrashTransition.allCases)
    func `K-09 K-10 B-07 A10 A22 A40 A61: a stop at any operation leaves the old state or the new one`(
        transition: CrashTransition
    ) async throws {
        let folder = try ScratchFolder()
        let explorer = try await CrashExplorer(transition, in: folder.path)
        let report = try await explorer.explore(stride: Self.exploresAll ? 1 : 1)
        print(report.row)
        #expect(report.losses.isEmpty)
        #expect(report.situations > 2 * report.operations / 3)
    }
}
