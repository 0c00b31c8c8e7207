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

    @available(macOS 15, iOS 18, *)
    @Test(arguments: CrashTransition.all)
    func `A36 A23: a lock wins at every wait, and like any other event leaves the old state or the new one`(
        transition: CrashTransition
    ) async throws {
        let explorer = try await InterleavingExplorer(transition, in: folder.path)
        for event in InterleavingExplorer.Other.events {
            let report = try await explorer.explore(event, waits: 16)
            #expect((report == nil) == (transition.start == .nothing))
            guard let report else { continue }
            print("crash: \(report.row)")
            #expect(report.losses == [])
            #expect(report.situations > 4)
        }
    }

    @available(macOS 15, iOS 18, *)
    @Test(arguments: CrashTransition.all.indices)
    func `A23 A38: of two transitions at once, in one process or two, each is done or leaves nothing`(
        index: Int
    ) async throws {
        let all = CrashTransition.all
        let explorer = try await InterleavingExplorer(all[index], in: folder.path)
        // Each one with two others, and each other with two.
        var situations = 0
        for distance in [7, 12] {
            let other = all[(index + distance) % all.count]
            for other in [InterleavingExplorer.Other.task(other), .process(other)] {
                guard let report = try await explorer.explore(other, waits: 4) else { continue }
                print("crash: \(report.row)")
                #expect(report.losses == [])
                situations += report.situations
            }
        }
        #expect(situations > 0 || all[index].start == .nothing)
    }
}
