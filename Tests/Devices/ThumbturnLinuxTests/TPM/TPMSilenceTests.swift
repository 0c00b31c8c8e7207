import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnLinux

@Suite("A TPM that does not answer", .serialized, .timeLimit(.minutes(2)), .enabled(if: SoftwareTPM.isThere))
struct TPMSilenceTests {
    private let tpm: SoftwareTPM
    private let folder: TemporaryFolder
    private let owner = ScriptedOwner()
    private let secret = ItemName.sample(9, .deviceSecret)

    init() throws {
        tpm = try SoftwareTPM()
        folder = try TemporaryFolder()
    }

    /// A store of a process that waits for the TPM so long.
    private func store(_ limit: Milliseconds) async throws -> TPMStore {
        let chip = try TPM(transport: tpm.tcti, limit: limit)
        return try TPMStore(on: chip, folder: folder.file("items"), gate: OwnerGate(owner))
    }

    /// Waits until the TPM has done what it was asked for, and gives another answer.
    private func isBack(_ store: TPMStore) async -> Bool {
        while !Task.isCancelled {
            if await store.lockout() != nil { return true }
            await Task.yield()
        }
        return false
    }

    @Test(.holds("A25")) func `it is unavailable once its time is over, no call waits behind it, and it comes back`()
        async throws
    {
        let patient = try await store(.minutes(1))
        try await patient.makeDeviceSecret(secret)
        let store = try await store(Milliseconds(300))
        tpm.pause()
        for _ in 1...3 {
            let refused = await refusal { () async throws(DeviceRefusal) in
                _ = try await store.evaluate(secret, input: [1])
            }
            #expect(refused == .unavailable)
        }
        // A turn ends all the same.
        store.tpm.beginTurn()
        await store.tpm.endTurn()
        tpm.resume()
        #expect(await isBack(store))
        let share = try await store.evaluate(secret, input: [1])
        let same = try await patient.evaluate(secret, input: [1])
        let isSame = SecretBytes.constantTimeEqual(share, same)
        #expect(isSame)
    }

    @Test(.holds("A12", "A22")) func `what writes is not given up: its answer is lost, and what it wrote stands`()
        async throws
    {
        let patient = try await store(.minutes(1))
        try await patient.makeDeviceSecret(secret)
        let first = LedgerPosition(sequence: 0, mark: .make())
        #expect(try await patient.anchor.move(from: nil, to: first, for: secret))
        let store = try await store(Milliseconds(300))
        tpm.pause()
        let next = LedgerPosition(sequence: 1, mark: .make())
        let refused = await refusal { () async throws(DeviceRefusal) in
            _ = try await store.anchor.move(from: first, to: next, for: secret)
        }
        #expect(refused == .unavailable, "it may have been moved, or may not")
        tpm.resume()
        #expect(await isBack(store))
        #expect(try await store.anchor.position(for: secret) == next)
    }

    @Test(.holds("A22")) func `what waits behind such a call when its time is over is never begun`() async throws {
        let patient = try await store(.minutes(1))
        let store = try await store(Milliseconds(300))
        tpm.pause()
        let hasBegun = Shared(false)
        async let looked = refusal { () async throws(DeviceRefusal) in
            try await store.tpm.thread.run { () throws(DeviceRefusal) in
                hasBegun.change { $0 = true }
                _ = try store.tpm.talk { context throws(TPMFailure) in try context.clock() }
            }
        }
        while !hasBegun.value { await Task.yield() }
        let refused = await refusal { () async throws(DeviceRefusal) in try await store.makeDeviceSecret(secret) }
        #expect(refused == .unavailable)
        #expect(await looked == .unavailable)
        tpm.resume()
        #expect(await isBack(store))
        #expect(try await patient.describe(secret) == nil)
    }
}

@Suite("What stands against a TPM", .serialized, .enabled(if: SoftwareTPM.isThere))
struct TPMTroubleTests {
    private let secret = ItemName.sample(9, .deviceSecret)

    private func bench() async throws -> TPMBench {
        let bench = try await TPMBench()
        try await bench.store.makeDeviceSecret(secret)
        #expect(await bench.store.trouble(with: [secret]) == nil)
        return bench
    }

    @Test(.holds("A56")) func `a lockout is told with the longest time until it ends`() async throws {
        let bench = try await bench()
        try bench.tpm.setLimits(tries: 1, recovery: 7_200)
        let slot = Identifier(high: 3, low: 4)
        try await bench.store.guardDeviceSecret(secret, for: slot, with: .sample(7))
        let wrong = await refusal { () async throws(DeviceRefusal) in
            _ = try await bench.store.evaluate(secret, for: slot, with: .sample(8), input: [1])
        }
        #expect(wrong == .wrongAuthorisation)
        #expect(await bench.store.trouble(with: [secret]) == .lockedOut(atMost: .hours(2)))
        try bench.tpm.setLimits(tries: 0, recovery: 7_200)
        #expect(await bench.store.trouble(with: [secret]) == .lockedOut(atMost: nil), "no time ends it")
    }

    @Test(.holds("A26")) func `one that was cleared is told as that, and no file that is gone is`() async throws {
        let bench = try await bench()
        #expect(await bench.store.trouble(with: [.sample(10, .deviceSecret)]) == nil)
        try bench.tpm.replaceState(by: [:])
        #expect(await bench.store.trouble(with: [secret]) == .another)
    }

    @Test func `an owner hierarchy that is off, or has a password, is told, and makes nothing`() async throws {
        let bench = try await bench()
        try bench.tpm.setOwnerPassword("owner")
        #expect(await bench.store.trouble(with: [secret]) == .ownerHasPassword)
        try bench.tpm.setOwnerPassword("", insteadOf: "owner")
        try bench.tpm.turnOwnerOff()
        #expect(await bench.store.trouble(with: [secret]) == .ownerIsOff)
        #expect(await TPMPresence.look(tcti: bench.proxy.tcti) == .ownerIsOff)
        let refused = await refusal { () async throws(DeviceRefusal) in
            try await bench.store.makeDeviceSecret(.sample(10, .deviceSecret))
        }
        #expect(refused == .unavailable)
        try bench.tpm.restart()
        #expect(await bench.store.trouble(with: [secret]) == nil, "until the next boot")
    }

    @Test func `a full memory is told, and what lies there works`() async throws {
        let bench = try await bench()
        _ = try bench.tpm.fillMemory()
        #expect(await bench.store.trouble(with: [secret]) == .full)
        #expect(await TPMPresence.lookClosely(tcti: bench.proxy.tcti).isFull)
        _ = try await bench.store.evaluate(secret, input: [1])
    }

    @Test func `one that is gone does not answer`() async throws {
        let bench = try await bench()
        bench.tpm.kill()
        #expect(await bench.store.trouble(with: [secret]) == .silent)
    }
}
