import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnLinux

@Suite("The wire to a TPM", .serialized, .enabled(if: SoftwareTPM.isThere))
struct TPMWireTests {
    private let secret = ItemName.sample(9, .deviceSecret)
    private let slot = Identifier(high: 3, low: 4)
    private let plain = Array("a secret of thirty-two bytes, #1".utf8)
    private let guarded = Array("a secret of thirty-two bytes, #2".utf8)
    private let authorisation = Array("an authorisation of 32 bytes, #3".utf8)

    @Test func `nothing secret crosses it, in either direction`() async throws {
        let bench = try await TPMBench()
        let store = bench.store
        bench.proxy.forget()
        try await store.save(SecretBytes(record: plain), as: .sample(1), access: .deviceOnly)
        try await store.save(SecretBytes(record: guarded), as: .sample(2), access: .currentBiometrySet)
        try await store.makeDeviceSecret(secret)
        try await store.guardDeviceSecret(secret, for: slot, with: SecretBytes(record: authorisation))
        try bench.touch()
        for number: UInt64 in [1, 2] { _ = try await store.read(.sample(number), prompt: sampleText) }
        let answer = try await store.evaluate(secret, input: [1])
        _ = try await store.evaluate(secret, for: slot, with: SecretBytes(record: authorisation), input: [1])

        let secrets = [
            "item": plain, "guarded item": guarded, "authorisation": authorisation,
            "answer": answer.withBytes { $0.exposed },
        ]
        #expect(bench.proxy.commands.count > 40)
        #expect(LeakScanner(secrets).leaks(in: bench.proxy.traffic) == [])
    }

    @Test func `under a plain password they would: the search finds them`() async throws {
        let bench = try await TPMBench()
        let password: UInt32 = 0xFF  // ESYS_TR_PASSWORD
        bench.proxy.forget()
        try bench.store.tpm.talk { context throws(TPMFailure) in
            let parent = try context.parent()
            let sealed = try context.seal(
                SecretBytes(record: plain),
                under: .counted,
                counted: SecretBytes(record: authorisation),
                in: parent,
                password
            )
            let object = try context.load(sealed, in: parent)
            try context.setAuthorisation(of: object, SecretBytes(record: authorisation))
            _ = try context.unseal(object, password)
        }
        let leaks = LeakScanner(["item": plain, "authorisation": authorisation]).leaks(in: bench.proxy.traffic)
        #expect(Set(leaks) == ["item as plain", "authorisation as plain"])
    }

    @Test(.holds("A53")) func `the Name that is pinned is that of the key which tpm2-tss encrypts to`() async throws {
        let bench = try await TPMBench()
        let (pinned, used) = try bench.store.tpm.talk { context throws(TPMFailure) in
            let parent = try context.parent()
            return (parent.name, try context.name(of: parent.handle))
        }
        #expect(pinned == used && pinned.count == 34)
    }

    @Test func `every handle is flushed: a TPM with three places serves any number of calls`() async throws {
        let bench = try await TPMBench()
        try await bench.store.save(.sample(), as: .sample(1), access: .deviceOnly)
        for _ in 0..<12 { #expect(await bench.store.refusalOfRead(.sample(1)) == nil) }
        let left = try bench.store.tpm.talk { context throws(TPMFailure) in
            try context.handles(from: 0x8000_0000, count: 8) + context.handles(from: 0x0200_0000, count: 8)
                + context.handles(from: 0x0300_0000, count: 8)
        }
        #expect(left == [])
    }

    @Test func `the TPM has no setting, password or persistent object that it had not before`() async throws {
        let bench = try await TPMBench()
        try await bench.saveGuarded(1)
        try await bench.store.makeDeviceSecret(secret)
        try await bench.store.guardDeviceSecret(secret, for: slot, with: .sample(7))
        try await bench.anchor.rise(to: 2, for: secret)
        // Clear, HierarchyControl, HierarchyChangeAuth, DictionaryAttackParameters and LockReset, EvictControl.
        #expect(Set(bench.proxy.codes).isDisjoint(with: [0x126, 0x121, 0x129, 0x13A, 0x139, 0x120]))
        #expect(bench.proxy.codes.contains(0x153))
        try await bench.anchor.remove(for: secret)
        for name in [.sample(1), secret] { try await bench.store.delete(name) }
        let left = try bench.store.tpm.talk { context throws(TPMFailure) in
            try context.handles(from: 0x0180_0000, count: 8) + context.handles(from: 0x8100_0000, count: 8)
        }
        #expect(left.filter { $0 < 0x01C0_0000 || $0 >= 0x8100_0000 } == [])
    }
}

@Suite("Many callers of a TPM", .serialized, .enabled(if: SoftwareTPM.isThere))
struct TPMConcurrencyTests {
    @Test func `tasks of two stores come one after the other, and none is refused`() async throws {
        let bench = try await TPMBench()
        let stores = [bench.store, try await bench.anotherStore()]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number: UInt64 in 1...8 {
                group.addTask {
                    let store = stores[Int(number % 2)]
                    try await store.save(.sample(UInt8(number)), as: .sample(number), access: .deviceOnly)
                    let refusal = await store.refusalOfRead(.sample(number), UInt8(number))
                    #expect(refusal == nil)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `the end of a task ends its prompt, and not the store's work`() async throws {
        let bench = try await TPMBench()
        try await bench.saveGuarded(1)
        try bench.touch(.wait)
        let reading = Task { await bench.store.refusalOfRead() }
        while bench.owner.promptsShown == 0 { await Task.yield() }
        reading.cancel()
        #expect(await reading.value == .cancelledBySystem)
        let saving = Task { () async -> DeviceRefusal? in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await refusal { () async throws(DeviceRefusal) in
                try await bench.store.save(.sample(), as: .sample(2), access: .deviceOnly)
            }
        }
        #expect(await saving.value == nil)
        #expect(await bench.store.refusalOfRead(.sample(2)) == nil)
    }

    @Test func `a match that comes after the end of the task opens nothing`() async throws {
        let bench = try await TPMBench()
        try await bench.saveGuarded(1)
        try bench.touch(.match)
        let reading = Task { () async -> DeviceRefusal? in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await bench.store.refusalOfRead()
        }
        #expect(await reading.value == .cancelledBySystem)
        #expect(try await bench.refusalOfMatch() == nil)
    }
}
