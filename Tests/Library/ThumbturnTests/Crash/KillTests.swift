import CrashExplorer
import Foundation
import Testing
import Thumbturn
import ThumbturnSimulator
import ThumbturnTestKit

/// The same stops with a real `kill -9`, in a process of its own on a device of its own: a sample, every third operation.
@Suite struct KillTests {
    @Test(
        .holds("K-09", "A10", "A22", "A40", "A61"),
        arguments: ["create", "changePIN", "importWallet", "deleteWallet", "reset", "backUp", "restore"]
    )
    func `a process killed at any third operation leaves the old state or the new one`(
        name: String
    ) async throws {
        let transition = try #require(CrashTransition.all.first { $0.name == name })
        let folder = try TemporaryFolder(inMemory: true)
        let (root, device) = (folder.path + "/scene", folder.path + "/device")
        try FolderImage(of: folder.path).restore(to: root)
        try await transition.prepare(CrashScene(root: root, device: SimulatedDevice(folder: device)))
        let start = try FolderImage(of: folder.path)

        let old = try await Self.portrait(root, device)
        try start.restore(to: folder.path)
        #expect(try Self.run(transition, root, device, stoppingAt: 0).end == .exited(0))
        let new = try await Self.portrait(root, device)
        #expect(old != new)

        var stops = 0
        while true {
            try start.restore(to: folder.path)
            let stop = 1 + 3 * stops
            let (end, operations) = try Self.run(transition, root, device, stoppingAt: stop)
            if end == .exited(0) {
                // It came to its end because it has no operation of that number, and not because nobody counts.
                #expect(operations >= 4 && operations < stop, "\(operations) operations, not killed at \(stop)")
                break
            }
            try #require(end == .killed(by: SIGKILL))
            stops += 1
            let found = try await Self.portrait(root, device)
            #expect(found == old || found == new, "\(transition) at \(stop)")
        }
        print("kill -9: \(transition): \(stops) processes killed")
    }

    private static func portrait(_ root: String, _ device: String) async throws -> [String] {
        try await Portrait.take(of: CrashScene(root: root, device: SimulatedDevice(folder: device))).facts
    }

    /// - Returns: how it ended, and how many operations it counted where it came to its end.
    private static func run(
        _ transition: CrashTransition,
        _ root: String,
        _ device: String,
        stoppingAt stop: Int
    ) throws -> (end: TestChild.End, operations: Int) {
        let (lines, end) = try TestChild(["transition", root, device, transition.name, "\(stop)"]).finish()
        return (end, lines.last.flatMap { Int($0) } ?? 0)
    }
}
