import CrashExplorer
import Foundation
import Testing
import Thumbturn
import ThumbturnSimulator
import ThumbturnTestKit

#if os(Linux)
extension DerivedSecrets {
    /// Takes the PIN, and the mnemonic that the scene's one wallet holds, if it has one.
    init(of scene: CrashScene, pin: [UInt8], mnemonic: [UInt8]? = nil) async throws {
        let (folder, device) = (scene.vaultFolder, scene.device)
        try await self.init(
            of: folder,
            on: device.device,
            limits: scene.configuration.argon2,
            pin: pin,
            mnemonic: mnemonic
        ) { try device.simulate(.finger(.match)) }
    }
}

/// The memory of a vault in another process, read from outside.
///
/// The child is built as these tests are; `make test-release-memory` runs them optimised, where the compiler keeps other
/// copies than in a debug build.
@Suite struct VaultMemoryTests {
    private let folder: TemporaryFolder
    private let scene: CrashScene

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        scene = try CrashScene(root: folder.path, device: SimulatedDevice(folder: folder.path + "/device"))
    }

    private func start(_ command: String, _ arguments: String...) throws -> TestChild {
        try TestChild([command, folder.path, folder.path + "/device"] + arguments)
    }

    @Test(.holds("A54", "K-02", "P-107-06")) func `the memory of a locked vault holds no window of any secret`()
        async throws
    {
        let pin = Array(String((0..<16).map { _ in "0123456789".randomElement() ?? "0" }).utf8)
        let child = try start("memory")
        defer {
            child.kill()
            _ = child.finish()
        }
        try #require(child.readLine() == "ready")
        // Two words may stand in a mnemonic as they do in the public list, which is no copy of the mnemonic.
        var mnemonic: [UInt8]
        repeat {
            mnemonic = try Mnemonic.text(of: Mnemonic.makeEntropy()).withBytes { $0.exposed }
        } while try !MemoryScan(of: child.id, for: ["mnemonic": mnemonic]).hits.isEmpty
        child.send(pin + [UInt8(mnemonic.count)] + mnemonic)

        try #require(child.readLine() == "unlocked")
        let secrets = try await DerivedSecrets(of: scene, pin: pin, mnemonic: mnemonic).all
        let unlocked = try MemoryScan(of: child.id, for: secrets)
        try Self.expectGuarded(unlocked, in: child.id)

        child.send([0])
        try #require(child.readLine() == "locked")
        let locked = try MemoryScan(of: child.id, for: secrets)
        #expect(locked.hits == [])

        // The control: whatever lies in an array that nobody wipes is found, in part too, and at any address.
        child.send([0])
        for secret in secrets.values { child.send(Array("x".utf8) + secret) }
        child.closeInput()
        try #require(child.readLine() == "left")
        let left = try MemoryScan(of: child.id, for: secrets)
        #expect(Set(left.hits.map(\.secret)) == Set(secrets.keys))
        print("memory: \(secrets.count) secrets, \(locked.byteCount >> 20) MiB, \(locked.hits.count) hits locked")
    }

    @Test(.holds("A53")) func `an open session is locked in memory, and left out of the dump of a process that aborts`()
        async throws
    {
        try await scene.create().close()
        let pin = Array(CrashScene.firstPIN.utf8)
        let secrets = try await DerivedSecrets(of: scene, pin: pin).all
        let child = try start("abort")
        try #require(child.readLine() == "unlocked")
        try Self.expectGuarded(MemoryScan(of: child.id, for: secrets), in: child.id)
        #expect(child.finish().end == .killed(by: SIGABRT))
        let dumps = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("core") }
        // Elsewhere a program gets the dump, or it lies in another folder, or there may be none.
        let pattern = try #require(MemoryScan.lines(of: "/proc/sys/kernel/core_pattern").first)
        if !pattern.hasPrefix("|"), !pattern.contains("/"), Self.mayDump { #expect(dumps.count == 1) }
        for dump in dumps {
            let path = Array(scene.vaultFolder.utf8)
            let hits = try MemoryScan(of: folder.path + "/" + dump, for: secrets.merging(["path": path]) { $1 }).hits
            #expect(Set(hits.map(\.secret)) == ["path"], "the dump holds a key, or nothing at all")
        }
        print("memory: \(dumps.count) dumps of an open session, none with a key")
    }

    /// Whether a process here may leave a dump.
    private static var mayDump: Bool {
        var limit = rlimit()
        return unsafe getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0 && limit.rlim_max > 0
    }

    /// Expects the master key in memory, in pages that are neither swapped nor dumped.
    private static func expectGuarded(_ scan: MemoryScan, in process: pid_t) throws {
        let masterKeys = scan.hits.filter { $0.secret == "master key" }
        #expect(!masterKeys.isEmpty)
        for hit in masterKeys {
            let flags = try flags(of: hit, in: process)
            #expect(flags.contains("dd"), "\(hit) would be in a core dump")
            #expect(flags.contains("lo"), "\(hit) could be swapped")
        }
    }

    /// The flags that the kernel keeps of the mapping in which `hit` lies.
    private static func flags(of hit: MemoryScan.Hit, in process: pid_t) throws -> [Substring] {
        let smaps = try MemoryScan.lines(of: "/proc/\(process)/smaps")
        let start = try #require(smaps.firstIndex { $0 == hit.mapping })
        let line = try #require(smaps[start...].first { $0.hasPrefix("VmFlags:") })
        return line.split(separator: " ")
    }
}
#endif
