import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnLinux

/// A TPM has three places for objects and three for sessions, and without a resource manager it shares them out to all.
@Suite("A TPM without room", .serialized, .enabled(if: SoftwareTPM.isThere))
struct TPMRoomTests {
    private let secret = ItemName.sample(9, .deviceSecret)
    private let slot = Identifier(high: 3, low: 4)

    enum Room: CaseIterable {
        case objects, sessions
    }

    private func bench() async throws -> TPMBench {
        let bench = try await TPMBench()
        try await bench.store.save(.sample(), as: .sample(1), access: .deviceOnly)
        try await bench.saveGuarded(2)
        try await bench.store.makeDeviceSecret(secret)
        try await bench.store.guardDeviceSecret(secret, for: slot, with: .sample(7))
        try await bench.anchor.rise(to: 3, for: secret)
        return bench
    }

    /// What each use is refused with.
    private func uses(of bench: TPMBench) async throws -> [DeviceRefusal?] {
        [
            await bench.store.refusalOfRead(.sample(1)),
            try await bench.refusalOfMatch(2),
            await refusal { () async throws(DeviceRefusal) in _ = try await bench.store.evaluate(secret, input: [1]) },
            await refusal { () async throws(DeviceRefusal) in
                _ = try await bench.store.evaluate(secret, for: slot, with: .sample(7), input: [1])
            },
        ]
    }

    @Test(arguments: Room.allCases, 1...3)
    func `what others leave too little room for is unavailable, frees what it took, and works when there is room`(
        room: Room,
        taken: Int
    ) async throws {
        let bench = try await bench()
        let others = try (0..<taken).map { _ in
            try room == .objects ? bench.tpm.createPrimary() : bench.tpm.startSession()
        }
        let refusals = try await uses(of: bench)
        // Two objects, a parent and its child, are in use at once; and one session.
        switch (room, taken) {
        case (_, 1), (.sessions, 2): #expect(refusals == [nil, nil, nil, nil])
        default: #expect(refusals == [.unavailable, .unavailable, .unavailable, .unavailable])
        }
        #expect(try Set(bench.leftHandles()) == Set(others))

        for other in others { try bench.tpm.flush(other) }
        #expect(try await uses(of: bench) == [nil, nil, nil, nil])
        #expect(try await bench.anchor.sequence(for: secret) == 3)
        #expect(try bench.leftHandles() == [])
    }

    @Test func `without room for an anchor there is none, and the former one stays`() async throws {
        let bench = try await bench()
        _ = try bench.tpm.fillMemory()
        let next = ItemName.sample(10, .deviceSecret)
        try await bench.store.makeDeviceSecret(next)
        let refused = await refusal { () async throws(DeviceRefusal) in
            let first = LedgerPosition(sequence: 1, mark: Identifier(high: 1, low: 2))
            _ = try await bench.anchor.move(from: nil, to: first, for: next)
        }
        #expect(refused == .unavailable)
        #expect(try await bench.anchor.position(for: next) == nil)
        #expect(try await bench.anchor.sequence(for: secret) == 3)
    }

    // Before Load, which uses the parent, and before Unseal, which uses the session.
    @Test(arguments: [(0x8000_0000, 0x157), (0x0200_0000, 0x15E)] as [(UInt32, Int)])
    func `a handle that somebody else flushes is made anew, once`(handle: UInt32, before user: Int) async throws {
        let bench = try await bench()
        let flushed = Shared(0)
        func lose(times: Int) {
            flushed.change { $0 = 0 }
            bench.proxy.intrude { _, command in
                let code = command[8...9].reduce(0) { $0 << 8 | Int($1) }
                guard code == user, flushed.value < times else { return nil }
                flushed.change { $0 += 1 }
                return SoftwareTPM.flushing(handle)
            }
        }
        lose(times: 1)
        #expect(await bench.store.refusalOfRead(.sample(1)) == nil)
        #expect(flushed.value == 1)
        lose(times: 2)
        #expect(await bench.store.refusalOfRead(.sample(1)) == .unavailable)
        #expect(flushed.value == 2)
        bench.proxy.intrude(nil)
        #expect(try await uses(of: bench) == [nil, nil, nil, nil])
        #expect(try bench.leftHandles() == [])
    }
}
