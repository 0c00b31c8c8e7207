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

    @Test(.holds("A25")) func `a flipped or cut file says damaged, and nothing is lost`() async throws {
        let bench = try await TPMBench()
        try await bench.store.makeDeviceSecret(secret)
        let file = "items/" + secret.text
        let good = try bench.folder.read(file)
        for index in stride(from: 0, to: good.count, by: 5) {
            var bytes = good
            bytes[index] ^= 1 << UInt8(index % 8)
            for damaged in [bytes, Array(good[..<index])] {
                try bench.folder.write(damaged, to: file)
                #expect(await evaluation(of: bench) == .damaged, "at \(index)")
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
        #expect(await bench.store.refusalOfRead(.sample(2)) == .damaged)
        #expect(await evaluation(of: bench) == .damaged)
        for name in [.sample(2), secret] {
            #expect(
                await refusal { () async throws(DeviceRefusal) in _ = try await bench.store.describe(name) }
                    == .damaged
            )
        }
    }

    /// Reads a guarded sample with a finger that is asked for, so that what refuses it is the TPM and not the look before.
    private func refusalByTPM(of number: UInt64, in bench: TPMBench) async throws -> DeviceRefusal? {
        let shown = bench.owner.promptsShown
        try bench.touch()
        let refusal = await bench.store.refusalOfRead(.sample(number))
        try #require(bench.owner.promptsShown == shown + 1, "nobody was asked for a finger")
        return refusal
    }

    @Test func `no forged record opens a guarded item without its policy`() async throws {
        let bench = try await TPMBench()
        try await bench.saveGuarded(1, ItemLease(thisBootOnly: false, duration: .hours(1)))
        try await bench.saveGuarded(2, ItemLease(thisBootOnly: false, duration: .zero))
        try await bench.saveGuarded(3, ItemLease(thisBootOnly: true))
        try bench.tpm.restart()
        #expect(try await bench.refusalOfMatch(1) == nil)
        for number: UInt64 in [2, 3] { #expect(try await bench.refusalOfMatch(number) == .lockedOut) }
        let boot = try bench.store.tpm.talk { context throws(TPMFailure) in try context.clock().resetCount }

        let forgeries: [(item: UInt64, change: (inout ItemPolicy) -> Void)] = [
            (1, { $0.deadline = .max }), (1, { $0.deadline = nil }), (1, { $0.resetCount = boot }),
            (2, { $0.deadline = .max }), (2, { $0.deadline = nil }),
            (3, { $0.resetCount = boot }), (3, { $0.resetCount = nil }),
        ]
        for (index, forgery) in forgeries.enumerated() {
            let file = "items/" + ItemName.sample(forgery.item).text
            let good = try bench.folder.read(file)
            try forge(.sample(forgery.item), in: bench) { record in
                if var policy = record.sealed?.policy {
                    forgery.change(&policy)
                    record.sealed?.policy = policy
                }
            }
            #expect(try await refusalByTPM(of: forgery.item, in: bench) == .revoked, "\(index)")
            try bench.folder.write(good, to: file)
        }
        #expect(try await bench.refusalOfMatch(1) == nil)

        try forge(.sample(1), in: bench) { record in
            record.access = .deviceOnly
            record.enrolledSet = nil
            record.sealed?.policy = nil
        }
        #expect(await bench.store.refusalOfRead(.sample(1)) == .unclassified)
    }

    @Test(.holds("A28")) func `a record of a set that is over opens nothing where it is made to name the new one`()
        async throws
    {
        let bench = try await TPMBench()
        try await bench.saveGuarded(1)
        #expect(try await bench.refusalOfMatch(1) == nil)
        bench.owner.enrol(.make())
        try await bench.saveGuarded(2)
        let new = try #require(try bench.store.record(of: .sample(2), .item))
        let epoch = try #require(new.sealed?.policy?.epoch)
        try forge(.sample(1), in: bench) { record in
            record.enrolledSet = new.enrolledSet
            #expect(record.sealed?.policy?.epoch != epoch)
            record.sealed?.policy?.epoch = epoch
        }
        #expect(try await refusalByTPM(of: 1, in: bench) == .revoked)
        #expect(try await bench.refusalOfMatch(2) == nil)
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

    @Test(.holds("A25"))
    func `a folder that others may write says unavailable, a file damaged, and one that they may read is closed`()
        async throws
    {
        let bench = try await TPMBench()
        try await bench.store.save(.sample(), as: .sample(1), access: .deviceOnly)
        try bench.setMode(0o770)
        #expect(await bench.store.refusalOfRead(.sample(1)) == .unavailable)
        #expect(await bench.store.refusalOfRead(.sample(2)) == .unavailable)
        try bench.setMode(0o700)
        unsafe chmod(bench.path + "/" + ItemName.sample(1).text, 0o664)
        #expect(await bench.store.refusalOfRead(.sample(1)) == .damaged)
        unsafe chmod(bench.path + "/" + ItemName.sample(1).text, 0o644)
        #expect(await bench.store.refusalOfRead(.sample(1)) == nil)
        #expect(await bench.store.refusalOfRead(.sample(2)) == .absent)
    }

    @Test func `a store of files and one of a TPM never take each other's items`() async throws {
        let bench = try await TPMBench()
        let gate = OwnerGate(bench.owner)
        let files = try FileStore(folder: bench.path, machineID: "/proc/sys/kernel/ostype", gate: gate)
        try await bench.store.save(.sample(), as: .sample(1), access: .deviceOnly)
        try await files.save(.sample(), as: .sample(2), access: .deviceOnly)
        #expect(await files.refusalOfRead(.sample(1)) == .unavailable)
        #expect(await bench.store.refusalOfRead(.sample(2)) == .unavailable)
    }
}
