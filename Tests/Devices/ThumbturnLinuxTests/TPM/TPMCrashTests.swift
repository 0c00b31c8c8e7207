import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnLinux

/// A power cut of the TPM before each command of each call.
@Suite("A TPM that dies between two commands", .serialized, .enabled(if: SoftwareTPM.isThere))
struct TPMCrashTests {
    enum Call: CaseIterable {
        case savePlain, saveGuarded, saveLeased, readPlain, readGuarded, describe, delete, makeSecret, evaluate,
            guardSlot
        case makeKey, publicKey, sign
        case evaluateSlot, anchorMake, anchorMove, anchorPosition, anchorRemove
    }

    private static let secret = ItemName.sample(9, .deviceSecret)
    private static let slot = Identifier(high: 3, low: 4)
    private static let signer = ItemName.sample(8, .deviceKey)

    @Test(arguments: Call.allCases)
    func `every call is refused by name, loses nothing, and passes afterwards`(call: Call) async throws {
        let bench = try await TPMBench()
        // What is there before, and must be there after.
        try await bench.store.save(.sample(1), as: .sample(1), access: .deviceOnly)
        try await bench.store.save(.sample(2), as: .sample(2), access: .currentBiometrySet)
        try await bench.store.makeDeviceSecret(Self.secret)
        try await bench.store.guardDeviceSecret(Self.secret, for: Self.slot, with: .sample(7))
        try await bench.anchor.rise(to: 5, for: Self.secret)
        let publicKey = try await bench.store.makeDeviceKey(Self.signer)

        // Until a call comes to its end before the cut. How many commands that takes can't be counted beforehand: it is fewer
        // where an earlier cut left something behind, such as a counter.
        var (stop, isCut) = (0, true)
        while isCut {
            let (cut, tpm) = (stop, bench.tpm)
            bench.proxy.beforeEach { number in
                if number == cut { tpm.kill() }
            }
            try bench.touch()
            let number = UInt64(1 + stop)
            let refusal = await refusal { () async throws(DeviceRefusal) in try await run(call, number, bench) }
            isCut = bench.proxy.commands.count > stop
            // The last commands only tidy up: a call may end well without them.
            #expect(
                isCut ? refusal == .unavailable || refusal == nil && stop > 1 : refusal == nil,
                "\(call) at \(stop): \(String(describing: refusal))"
            )
            bench.proxy.beforeEach(nil)
            if isCut { try bench.tpm.start() }
            if refusal != nil {
                try bench.touch()
                try await retry(call, number, bench)
            }
            try await requireIntact(bench, besides: call)
            #expect(try await bench.store.devicePublicKey(Self.signer) == publicKey)
            stop += 1
        }
        #expect(stop > 3)
    }

    /// The first device secret of a vault.
    private static func first(_ number: UInt64) -> ItemName { .sample(1, .deviceSecret, vault: 1_000 + number) }

    private func name(_ number: UInt64, _ purpose: ItemName.Purpose = .biometric) -> ItemName {
        .sample(100 + number, purpose)
    }

    /// A call whose names were not used before.
    private func run(_ call: Call, _ number: UInt64, _ bench: TPMBench) async throws(DeviceRefusal) {
        let (store, anchor) = (bench.store, bench.anchor)
        let (item, key) = (name(number), name(number, .deviceSecret))
        switch call {
        case .savePlain: try await store.save(.sample(), as: item, access: .deviceOnly)
        case .saveGuarded: try await store.save(.sample(), as: item, access: .currentBiometrySet)
        case .saveLeased:
            let lease = ItemLease(thisBootOnly: true, duration: .hours(1))
            try await store.save(.sample(), as: item, access: .currentBiometrySet, lease: lease)
        case .readPlain: _ = try await store.read(.sample(1), prompt: sampleText)
        case .readGuarded: _ = try await store.read(.sample(2), prompt: sampleText)
        case .describe: _ = try await store.describe(.sample(2))
        case .delete:
            // Another vault's only guarded item, so that the epoch is raised.
            let other = ItemName.sample(number, vault: 77)
            if try await store.describe(other) == nil {
                try await store.save(.sample(), as: other, access: .currentBiometrySet)
            }
            try await store.delete(other)
        case .makeSecret: try await store.makeDeviceSecret(Self.first(number))
        case .evaluate: _ = try await store.evaluate(Self.secret, input: [1])
        case .guardSlot:
            let slot = Identifier(high: 1, low: number)
            try await store.guardDeviceSecret(Self.secret, for: slot, with: .sample(7))
        case .evaluateSlot: _ = try await store.evaluate(Self.secret, for: Self.slot, with: .sample(7), input: [1])
        case .makeKey: _ = try await store.makeDeviceKey(name(number, .deviceKey))
        case .publicKey: _ = try await store.devicePublicKey(Self.signer)
        case .sign: _ = try await store.sign([1], with: Self.signer)
        case .anchorMake: try await anchor.rise(to: 3, for: key)
        case .anchorMove:
            let value = try await anchor.sequence(for: Self.secret) ?? 0
            try await anchor.rise(to: value + 2, for: Self.secret)
        case .anchorPosition: _ = try await anchor.sequence(for: Self.secret)
        case .anchorRemove:
            try await anchor.rise(to: 1, for: key)
            try await anchor.remove(for: key)
        }
    }

    /// The same call again, as a vault makes it: one that stored before it failed refuses its name, and is deleted first.
    private func retry(_ call: Call, _ number: UInt64, _ bench: TPMBench) async throws {
        switch call {
        case .savePlain, .saveGuarded, .saveLeased: try await bench.store.delete(name(number))
        case .makeSecret:
            try await bench.store.delete(Self.first(number))
            try await bench.anchor.remove(for: Self.first(number))
            #expect(try bench.proxy.counterCount() == 3, "one of the finger's epoch, two of the first secret")
        case .makeKey: try await bench.store.delete(name(number, .deviceKey))
        case .evaluateSlot:
            // A power cut after a counted object was used costs a try; the fixture's TPM has few.
            try bench.tpm.forgiveGuesses()
        default: break
        }
        try await run(call, number, bench)
    }

    private func requireIntact(_ bench: TPMBench, besides call: Call) async throws {
        #expect(await bench.store.refusalOfRead(.sample(1), 1) == nil)
        #expect(try await bench.refusalOfMatch(2, 2) == nil)
        try bench.tpm.forgiveGuesses()
        let answer = try await bench.store.evaluate(Self.secret, for: Self.slot, with: .sample(7), input: [1])
        #expect(answer.byteCount == 32)
        let position = try #require(try await bench.anchor.position(for: Self.secret))
        #expect(position == .sample(position.sequence))
        #expect(call == .anchorMove ? position.sequence >= 5 : position.sequence == 5)
    }
}

extension SoftwareTPM {
    /// `TPM2_DictionaryAttackLockReset` under the empty lockout password, as the owner of the machine does it.
    func forgiveGuesses() throws {
        let session: [UInt8] = [0, 0, 0, 9, 0x40, 0, 0, 0x09, 0, 0, 0, 0, 0]
        let body: [UInt8] = [0, 0, 0x01, 0x39, 0x40, 0, 0, 0x0A] + session
        let code = try command([0x80, 0x02, 0, 0, 0, UInt8(6 + body.count)] + body)
        guard code == 0 else { throw Failure(description: "not forgiven: \(code)") }
    }
}
