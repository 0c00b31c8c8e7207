import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnLinux

@Suite("A TPM whose owner hierarchy has a password", .serialized, .enabled(if: SoftwareTPM.isThere))
struct TPMOwnerTests {
    private let secret = ItemName.sample(9, .deviceSecret)
    private let slot = Identifier(high: 3, low: 4)

    private func counters(of bench: TPMBench) throws -> [UInt32] {
        try bench.store.tpm.talk { context throws(TPMFailure) in
            try context.handles(from: 0x0180_0000, count: 16).filter { $0 < 0x01C0_0000 }
        }
    }

    /// What is refused, and what it was refused with.
    private func newCounters(of bench: TPMBench) async -> [DeviceRefusal?] {
        [
            await refusal { () async throws(DeviceRefusal) in try await bench.saveGuarded(1) },
            await refusal { () async throws(DeviceRefusal) in
                try await bench.saveGuarded(2, ItemLease(thisBootOnly: true, duration: .hours(1)))
            },
            await refusal { () async throws(DeviceRefusal) in
                _ = try await bench.anchor.rise(to: 1, for: secret)
            },
            // It would go without its anchor.
            await refusal { () async throws(DeviceRefusal) in
                try await bench.store.makeDeviceSecret(.sample(8, .deviceSecret))
            },
        ]
    }

    @Test func `without a storage key in its place everything is unavailable, and nothing half-made is left`()
        async throws
    {
        let bench = try await TPMBench()
        try bench.tpm.setOwnerPassword("owner")
        #expect(await newCounters(of: bench) == [.unavailable, .unavailable, .unavailable, .unavailable])
        let plain = await refusal { () async throws(DeviceRefusal) in
            try await bench.store.save(.sample(), as: .sample(3), access: .deviceOnly)
        }
        #expect(plain == .unavailable)
        #expect(try bench.folder.files().keys.filter { $0.contains("thumbturn.") } == [])
        #expect(try counters(of: bench) == [])
        for number: UInt64 in 1...3 { #expect(try await bench.store.describe(.sample(number)) == nil) }
        #expect(try bench.leftHandles() == [])
    }

    @Test func `with one, what keeps no counter works, and what needs a new one leaves nothing half-made`() async throws
    {
        let bench = try await TPMBench()
        try bench.tpm.makePersistentKey()
        try await bench.store.makeDeviceSecret(secret)
        try bench.tpm.setOwnerPassword("owner")
        let made = [
            await refusal { () async throws(DeviceRefusal) in
                try await bench.store.save(.sample(), as: .sample(3), access: .deviceOnly)
            },
            await refusal { () async throws(DeviceRefusal) in
                try await bench.store.guardDeviceSecret(secret, for: slot, with: .sample(7))
            },
        ]
        // A PIN's part ends by a counter, as its anchor is one.
        #expect(made == [nil, .unavailable])
        let files = try bench.folder.files().count

        #expect(await newCounters(of: bench) == [.unavailable, .unavailable, .unavailable, .unavailable])
        #expect(try bench.folder.files().count == files)
        #expect(try counters(of: bench) == [])
        #expect(try await bench.anchor.sequence(for: secret) == nil)

        try bench.tpm.restart()
        #expect(await bench.store.refusalOfRead(.sample(3)) == nil)
        let used = [
            await refusal { () async throws(DeviceRefusal) in _ = try await bench.store.evaluate(secret, input: [1]) },
            await refusal { () async throws(DeviceRefusal) in
                _ = try await bench.store.evaluate(secret, for: slot, with: .sample(7), input: [1])
            },
        ]
        #expect(used == [nil, .absent])
        for name in [.sample(3), secret] { try await bench.store.delete(name) }
        #expect(try bench.folder.files().keys.filter { $0.contains("thumbturn.") } == [])
        #expect(try bench.leftHandles() == [])
    }

    @Test func `what was made before the password goes on by the storage key, counters too, which only rise`()
        async throws
    {
        let bench = try await TPMBench()
        try await bench.saveGuarded(1)
        try await bench.store.makeDeviceSecret(secret)
        try await bench.anchor.rise(to: 5, for: secret)
        let answer = try await bench.store.evaluate(secret, input: [1]).withBytes { $0.exposed }
        try bench.tpm.makePersistentKey()
        #expect(try await bench.refusalOfMatch(1) == nil)
        try bench.tpm.setOwnerPassword("owner")

        #expect(try await bench.refusalOfMatch(1) == nil)
        #expect(try await bench.store.evaluate(secret, input: [1]).withBytes { $0.exposed } == answer)
        #expect(try await bench.anchor.rise(to: 6, for: secret) == 5)
        try await bench.saveGuarded(2)
        #expect(try await bench.refusalOfMatch(2) == nil)
        let removal = await refusal { () async throws(DeviceRefusal) in try await bench.anchor.remove(for: secret) }
        #expect(removal == .unavailable)
        #expect(try await bench.anchor.sequence(for: secret) == 6)

        // The last guarded item ends its copies as ever, though its counter stays.
        let copy = try bench.folder.read("items/" + ItemName.sample(1).text)
        for number: UInt64 in [1, 2] { try await bench.store.delete(.sample(number)) }
        try bench.restore(copy, to: "items/" + ItemName.sample(1).text)
        #expect(try await bench.refusalOfMatch(1) == .revoked)
    }
}

extension TPMBench {
    /// The objects and sessions that a TPM still has, as another program sees it.
    func leftHandles() throws -> [UInt32] {
        try TPM(transport: tpm.tcti).talk { context throws(TPMFailure) in
            try context.handles(from: 0x8000_0000, count: 8) + context.handles(from: 0x0200_0000, count: 8)
                + context.handles(from: 0x0300_0000, count: 8)
        }
    }
}
