import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnLinux

@Suite("Damage to what a TPM sealed", .serialized, .enabled(if: SoftwareTPM.isThere))
struct TPMDamageTests {
    private let secret = ItemName.sample(9, .deviceSecret)

    @Test(.holds("A25")) func `a flipped or cut file says unavailable, and nothing is lost`() async throws {
        let bench = try await TPMBench()
        try await bench.store.makeDeviceSecret(secret)
        let file = "items/" + secret.text
        let good = try bench.folder.read(file)
        for index in stride(from: 0, to: good.count, by: 5) {
            var bytes = good
            bytes[index] ^= 1 << UInt8(index % 8)
            for damaged in [bytes, Array(good[..<index])] {
                try bench.folder.write(damaged, to: file)
                #expect(await evaluation(of: bench) == .unavailable, "at \(index)")
            }
        }
        try bench.folder.write(good, to: file)
        #expect(await evaluation(of: bench) == nil)
    }

    private func evaluation(of bench: TPMBench) async -> DeviceRefusal? {
        await refusal { () async throws(DeviceRefusal) in _ = try await bench.store.evaluate(secret, input: []) }
    }

    /// Writes a record with a right digest, as somebody does who can write the folder.
    private func forge(_ name: ItemName, in bench: TPMBench, _ change: (inout ItemRecord) -> Void) throws {
        var record = try #require(try bench.store.record(of: name, nil))
        change(&record)
        let bytes = record.file(named: name.text, tail: .none()).withBytes { $0.exposed }
        try bench.folder.write(bytes, to: "items/" + name.text)
    }

    @Test(arguments: [3, 20, 60, 120])
    func `a blob that the TPM refuses is revoked where that costs no more than enrolling again`(index: Int) async throws
    {
        let bench = try await TPMBench()
        try await bench.saveGuarded(1)
        try await bench.store.save(.sample(), as: .sample(2), access: .deviceOnly)
        try await bench.store.makeDeviceSecret(secret)
        for name in [.sample(1), .sample(2), secret] {
            try forge(name, in: bench) { $0.sealed?.privateArea[index] ^= 1 }
        }
        #expect(try await bench.refusalOfMatch(1) == .revoked)
        #expect(try await bench.store.describe(.sample(1)) == nil)
        #expect(await bench.store.refusalOfRead(.sample(2)) == .unavailable)
        #expect(await evaluation(of: bench) == .unavailable)
        for name in [.sample(2), secret] {
            #expect(
                await refusal { () async throws(DeviceRefusal) in _ = try await bench.store.describe(name) }
                    == .unavailable
            )
        }
    }

    @Test func `no forged record opens a guarded item without its policy`() async throws {
        let bench = try await TPMBench()
        try await bench.saveGuarded(1, ItemLease(thisBootOnly: false, duration: .zero))
        let good = try bench.folder.read("items/" + ItemName.sample(1).text)
        let forgeries: [(inout ItemRecord) -> Void] = [
            { record in
                record.access = .deviceOnly
                record.enrolledSet = nil
                record.sealed?.policy = nil
            },
            { $0.sealed?.policy?.deadline = .max }, { $0.sealed?.policy?.deadline = nil },
            { $0.sealed?.policy?.resetCount = 0 }, { $0.sealed?.policy?.epoch += 1 },
        ]
        for forgery in forgeries {
            try forge(.sample(1), in: bench, forgery)
            #expect(try await bench.refusalOfMatch(1) != nil)
            try bench.folder.write(good, to: "items/" + ItemName.sample(1).text)
        }
    }

    @Test(.holds("A32")) func `what guards an item is what the TPM says, not what the file does`() async throws {
        let bench = try await TPMBench()
        try await bench.saveGuarded(1)
        try await bench.store.save(.sample(), as: .sample(2), access: .deviceOnly)
        let plain = try #require(try bench.store.record(of: .sample(2), .item)).sealed
        try forge(.sample(1), in: bench) { record in
            record.sealed?.publicArea = plain?.publicArea ?? []
            record.sealed?.privateArea = plain?.privateArea ?? []
        }
        #expect(try await bench.store.describe(.sample(1))?.access == .deviceOnly)
    }

    @Test(.holds("A25")) func `a folder or a file that others may write says unavailable`() async throws {
        let bench = try await TPMBench()
        try await bench.store.save(.sample(), as: .sample(1), access: .deviceOnly)
        try bench.setMode(0o770)
        #expect(await bench.store.refusalOfRead(.sample(1)) == .unavailable)
        #expect(await bench.store.refusalOfRead(.sample(2)) == .unavailable)
        try bench.setMode(0o700)
        unsafe chmod(bench.path + "/" + ItemName.sample(1).text, 0o644)
        #expect(await bench.store.refusalOfRead(.sample(1)) == .unavailable)
        #expect(await bench.store.refusalOfRead(.sample(2)) == .absent)
    }

    @Test func `a store of files and one of a TPM never take each other's items`() async throws {
        let bench = try await TPMBench()
        let files = try FileStore(folder: bench.path, machineID: "/proc/sys/kernel/ostype", prompt: bench.owner) {
            () async throws(DeviceRefusal) in []
        }
        try await bench.store.save(.sample(), as: .sample(1), access: .deviceOnly)
        try await files.save(.sample(), as: .sample(2), access: .deviceOnly)
        #expect(await files.refusalOfRead(.sample(1)) == .unavailable)
        #expect(await bench.store.refusalOfRead(.sample(2)) == .unavailable)
    }
}
