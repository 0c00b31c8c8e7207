import Testing
import ThumbturnDevice
import ThumbturnRules

@testable import ThumbturnLinux

@Suite("Counters in a TPM", .serialized, .enabled(if: SoftwareTPM.isThere))
struct TPMAnchorTests {
    private let secret = ItemName.sample(9, .deviceSecret)

    @Test func `A8: a counter begins where it is asked to, however far the TPM's others are`() async throws {
        let bench = try await TPMBench()
        for number: UInt64 in 1...3 {
            let name = ItemName.sample(number, .deviceSecret)
            #expect(try await bench.anchor.raise(to: number * 100_000, for: name) == nil)
            #expect(try await bench.anchor.value(for: name) == number * 100_000)
            #expect(try await bench.anchor.raise(to: number * 100_000 + 2, for: name) == number * 100_000)
            #expect(try await bench.anchor.value(for: name) == number * 100_000 + 2)
        }
    }

    @Test func `a counter outlives boots and files`() async throws {
        let bench = try await TPMBench()
        try await bench.anchor.raise(to: 5, for: secret)
        try bench.tpm.restart()
        #expect(try await bench.anchor.value(for: secret) == 5)
        #expect(try await bench.anchor.raise(to: 6, for: secret) == 5)
    }

    @Test func `a counter that was defined and never begun is not there, and can be made`() async throws {
        let bench = try await TPMBench()
        let key = TPMAnchor.key(secret)
        _ = try bench.store.tpm.talk { context throws(TPMFailure) in try context.define(key, base: 77).base }
        #expect(try await bench.anchor.value(for: secret) == nil)
        #expect(try await bench.anchor.raise(to: 4, for: secret) == nil)
        #expect(try await bench.anchor.value(for: secret) == 4)
    }

    @Test func `what others keep in the same places is left alone`() async throws {
        let bench = try await TPMBench()
        let key = TPMAnchor.key(secret)
        let taken = try (0..<3).map { number in
            // Counters of our form with another mark.
            try bench.store.tpm.talk { context throws(TPMFailure) in
                try context.define(TPMCounterKey(first: key.firstIndex, mark: UInt8(number))).base
            }
        }
        #expect(taken.count == 3)
        try await bench.anchor.raise(to: 2, for: secret)
        #expect(try await bench.anchor.value(for: secret) == 2)
        try await bench.anchor.remove(for: secret)
        #expect(try await bench.anchor.value(for: secret) == nil)
        let left = try bench.store.tpm.talk { context throws(TPMFailure) in
            try context.handles(from: key.firstIndex, count: 3)
        }
        #expect(left == (0..<3).map { key.firstIndex + $0 })
    }

    @Test func `a rise beyond what one call does is refused, and raises nothing`() async throws {
        let bench = try await TPMBench()
        try await bench.anchor.raise(to: 1, for: secret)
        #expect(
            await refusal { () async throws(DeviceRefusal) in
                _ = try await bench.anchor.raise(to: 2 + TPMAnchor.maximumRise, for: secret)
            } == .unavailable
        )
        #expect(try await bench.anchor.value(for: secret) == 1)
    }

    @Test func `A12: of two stores on one TPM only one finds the counter one lower`() async throws {
        let bench = try await TPMBench()
        let anchors = [bench.anchor, try await bench.anotherStore().anchor]
        try await bench.anchor.raise(to: 1, for: secret)
        for target: UInt64 in 2...9 {
            let movers = try await withThrowingTaskGroup(of: Bool.self) { group in
                for anchor in anchors {
                    group.addTask { try await anchor.raise(to: target, for: secret) == target - 1 }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(movers == 1)
            #expect(try await bench.anchor.value(for: secret) == target)
        }
    }

    @Test func `with an owner's password counters are unavailable, and an item on the old key opens no more`()
        async throws
    {
        let bench = try await TPMBench()
        try await bench.store.save(.sample(), as: .sample(1), access: .deviceOnly)
        try bench.tpm.setOwnerPassword("owner")
        #expect(await bench.store.refusalOfRead(.sample(1)) == .unavailable)
        let raise = await refusal { () async throws(DeviceRefusal) in
            _ = try await bench.anchor.raise(to: 1, for: secret)
        }
        #expect(raise == .unavailable)
        let save = await refusal { () async throws(DeviceRefusal) in
            try await bench.store.save(.sample(), as: .sample(2), access: .currentBiometrySet)
        }
        #expect(save == .unavailable)
    }
}

extension TPMCounterKey {
    /// A key of somebody else, in the same places.
    init(first: UInt32, mark: UInt8) {
        self.init(firstIndex: first, mark: [UInt8](repeating: mark, count: Self.markByteCount))
    }
}
