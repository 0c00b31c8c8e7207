import CrashExplorer
import Foundation
import Testing
import Thumbturn
import ThumbturnCredentials
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

/// One vault and one device, several processes.
@Suite struct ProcessTests {
    private static let wallets = ProcessInfo.processInfo.environment["THUMBTURN_CRASH"] == "all" ? 500 : 50

    private let folder: TemporaryFolder
    private let device: String

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        device = folder.path + "/device"
    }

    private func scene() throws -> CrashScene {
        try CrashScene(root: folder.path, device: SimulatedDevice(folder: device))
    }

    private func start(_ command: String, _ arguments: String...) throws -> TestChild {
        try TestChild([command, folder.path, device] + arguments)
    }

    /// A process that guesses once, at the time of `reading`.
    private func guesser(at reading: ClockReading) throws -> TestChild {
        try start("guess", "\(reading.wall.count)", "\(reading.boottime.count)")
    }

    @Test(.holds("A11")) func `of twenty processes with a guess each, four run and the fifth waits`()
        async throws
    {
        let scene = try scene()
        try await scene.create().close()
        let now = scene.device.device.clock()
        var answers: [[String]] = []
        for _ in 0..<20 {
            let (lines, end) = try guesser(at: now).finish()
            #expect(end == .exited(0))
            answers.append(lines.last.map { $0.split(separator: " ").map(String.init) } ?? [])
        }
        #expect(answers.prefix(4).allSatisfy { $0.first == ErrorCode.strongFactorRefused.text })
        let wait = AttemptSchedule.delay(after: 4)
        #expect(answers.dropFirst(4).allSatisfy { $0 == [ErrorCode.attemptDelayed.text, "\(wait.count)"] })
        #expect(try await scene.open().snapshot.failedAttempts == 4)
    }

    @Test(.holds("A12")) func `of eight processes that guess at once, no more than four get through`() async throws {
        let scene = try scene()
        try await scene.create().close()
        let now = scene.device.device.clock()
        let processes = try (0..<8).map { _ in try guesser(at: now) }
        for process in processes { process.send([UInt8(ascii: "\n")]) }
        let answers = processes.map { $0.finish().lines.last?.split(separator: " ").first.map(String.init) }
        #expect(answers.count { $0 == ErrorCode.strongFactorRefused.text } == 4)
        #expect(answers.count { $0 == ErrorCode.attemptDelayed.text } == 4)
        #expect(try await scene.open().snapshot.failedAttempts == 4)
    }

    @Test(.holds("A38", "V-05"))
    func `of what four processes store in one place and a fifth is killed at, one stays, whole`()
        async throws
    {
        let vault = try await scene().openCredentials()
        let writers = try (0..<4).map { try start("credentials", "writer \($0)", "10") }
        let victim = try start("credentials", "victim", "1000000")
        for process in writers.prefix(2) + [victim] { process.send([UInt8(ascii: "\n")]) }
        #expect((0..<5).compactMap { _ in victim.readLine() }.count == 5)
        victim.kill()
        #expect(victim.finish().end == .killed(by: SIGKILL))
        // Two begin after its death, so that what it may have left half done is not the last.
        for process in writers.suffix(2) { process.send([UInt8(ascii: "\n")]) }
        for writer in writers {
            let (lines, end) = writer.finish()
            #expect(end == .exited(0) && lines.count == 10, "\(lines.last ?? "")")
        }
        try await vault.refresh()
        #expect(try await vault.credentials().hasSuffix(" 9"))
        #expect(try scene().device.itemNames().count == 1)
        await vault.close()
    }

    @Test(.holds("A38"))
    func `what four processes wrote at once is all there, and so is what a fifth wrote before it was killed`()
        async throws
    {
        try await scene().create().close()
        let writers = try (0..<4).map { try start("add", "writer \($0)", "\(Self.wallets)") }
        let victim = try start("add", "victim", "1000000")
        for process in writers + [victim] { process.send([UInt8(ascii: "\n")]) }
        var committed = Set((0..<Self.wallets / 5).compactMap { _ in victim.readLine() })
        victim.kill()
        let last = victim.finish()
        #expect(last.end == .killed(by: SIGKILL))
        committed.formUnion(last.lines)
        #expect(committed.count >= Self.wallets / 5)
        for writer in writers {
            let (lines, end) = writer.finish()
            #expect(end == .exited(0), "\(lines.last ?? "")")
            #expect(lines.count == Self.wallets)
            committed.formUnion(lines)
        }

        let vault = try await scene().open()
        try await vault.unlock(with: SecretBytes(text: CrashScene.firstPIN))
        // In a full session the list is held against the head's hash first.
        let wallets = try await vault.wallets()
        #expect(await vault.snapshot.isAuthentic == true)
        let names = Set(wallets.map(\.name.text))
        #expect(names.isSuperset(of: committed))
        // The victim may have committed one more that it did not come to say.
        #expect(names.subtracting(committed).count <= 1)
        for wallet in wallets {
            let expected = "secret of \(wallet.name.text)"
            let isWhole = try await vault.withSecret(of: wallet.id) { _, bytes in
                bytes.exposedText == expected
            }
            #expect(isWhole)
        }
        print("processes: \(wallets.count) wallets by five processes")
    }

    @Test(.holds("A38"))
    func `while the lock's files are deleted under them eight processes lose nothing that they wrote`()
        async throws
    {
        let scene = try scene()
        try await scene.create().close()
        var (writers, written) = ([TestChild](), Set<String>())
        // Each opens while the former ones write, and finds a lock that none of them has.
        for number in 0..<8 {
            for name in ["lock", "lock.next"] { _ = unsafe unlink(scene.vaultFolder + "/" + name) }
            let writer = try start("add", "writer \(number)", "\(Self.wallets)")
            writer.send([UInt8(ascii: "\n")])
            if let line = writer.readLine() { written.insert(line) }
            writers.append(writer)
        }
        for writer in writers { written.formUnion(writer.finish().lines) }
        written = written.filter { $0.hasPrefix("writer ") }

        // Who overtook whom may have cost a wait.
        try scene.device.simulate(.advance(.hours(25)))
        let vault = try await scene.open()
        try await vault.unlock(with: SecretBytes(text: CrashScene.firstPIN))
        #expect(await vault.snapshot.isAuthentic == true)
        let names = Set(try await vault.wallets().map(\.name.text))
        #expect(!written.isEmpty && names.isSuperset(of: written))
        print("processes: \(written.count) wallets while locks were deleted")
    }
}
