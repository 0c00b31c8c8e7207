import CrashExplorer
import Testing
import ThumbturnTestKit

/// Something else happens at the waits of every transition: a sample that is always the same.
///
/// All pairs and all orders are explored by `make crash`.
@Suite struct InterleavingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
    }

    @Test(.holds("A36", "A23"), arguments: CrashTransition.all)
    func `a lock wins at every wait, and like any other event leaves the old state or the new one`(
        transition: CrashTransition
    ) async throws {
        let explorer = try await InterleavingExplorer(transition, in: folder.path)
        var situations = 0
        for event in InterleavingExplorer.Other.events {
            guard let report = try await explorer.explore(event, waits: 3) else { continue }
            print("crash: \(report.row)")
            #expect(report.losses == [])
            situations += report.situations
        }
        #expect(situations > 5 || situations == 0 && transition.start == .nothing)
    }

    @Test(.holds("A23", "A38"), arguments: CrashTransition.all.indices)
    func `of two transitions at once, in one process or two, each is done or leaves nothing`(
        index: Int
    ) async throws {
        let transition = CrashTransition.all[index]
        let kin = CrashTransition.all.filter { $0.races && $0.isAkin(to: transition) }
        let place = kin.firstIndex { $0.name == transition.name } ?? 0
        let explorer = try await InterleavingExplorer(transition, in: folder.path)
        // Each one with another of its kind of vault, as a task and as a process.
        var situations = 0
        let other = kin[(place + (index.isMultiple(of: 2) ? 7 : 12)) % kin.count]
        for other in [InterleavingExplorer.Other.task(other), .process(other)] {
            guard let report = try await explorer.explore(other, waits: 2) else { continue }
            print("crash: \(report.row)")
            #expect(report.losses == [])
            situations += report.situations
        }
        #expect(situations > 0 || transition.start == .nothing || !transition.races)
    }
}
