import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnLinux

@Suite("Guesses at a device secret in a TPM", .serialized, .enabled(if: SoftwareTPM.isThere))
struct TPMGuessTests {
    private let secret = ItemName.sample(9, .deviceSecret)
    private let slot = Identifier(high: 3, low: 4)

    private func bench() async throws -> TPMBench {
        let bench = try await TPMBench()
        try await bench.store.makeDeviceSecret(secret)
        try await bench.store.guardDeviceSecret(secret, for: slot, with: .sample(7))
        return bench
    }

    private func guess(_ byte: UInt8, at bench: TPMBench, _ slot: Identifier? = nil) async -> DeviceRefusal? {
        await refusal { () async throws(DeviceRefusal) in
            let slot = slot ?? self.slot
            _ = try await bench.store.evaluate(secret, for: slot, with: .sample(byte), input: [1])
        }
    }

    @Test(.holds("A56")) func `wrong guesses lock the TPM, and a finger and the device secret still open`() async throws
    {
        let bench = try await bench()
        try await bench.saveGuarded(1)
        let before = try #require(await bench.store.lockout())
        #expect(before.failures == 0 && !before.isLockedOut && before.limit > 0)
        for failures in 1...before.limit {
            #expect(await guess(8, at: bench) == .wrongAuthorisation)
            #expect(await bench.store.lockout()?.failures == failures)
        }
        #expect(await bench.store.lockout()?.isLockedOut == true)
        #expect(await guess(7, at: bench) == .lockedOut, "the right one is refused too")
        #expect(await guess(8, at: bench) == .lockedOut)

        #expect(try await bench.refusalOfMatch(1) == nil)
        try await bench.saveGuarded(2)
        #expect(try await bench.refusalOfMatch(2) == nil)
        let answer = try await bench.store.evaluate(secret, input: [1])
        #expect(answer.byteCount == 32)
        try await bench.anchor.rise(to: 3, for: secret)
        #expect(try await bench.anchor.sequence(for: secret) == 3)
    }

    @Test func `each slot has a part of its own, keyed by the input`() async throws {
        let bench = try await bench()
        let other = Identifier(high: 3, low: 5)
        try await bench.store.guardDeviceSecret(secret, for: other, with: .sample(6))
        let answer = try await bench.store.evaluate(secret, for: slot, with: .sample(7), input: [1])
        let again = try await bench.store.evaluate(secret, for: slot, with: .sample(7), input: [1])
        let otherInput = try await bench.store.evaluate(secret, for: slot, with: .sample(7), input: [2])
        let otherSlot = try await bench.store.evaluate(secret, for: other, with: .sample(6), input: [1])
        #expect(answer.byteCount == 32)
        #expect(SecretBytes.constantTimeEqual(answer, again) == true)
        #expect(SecretBytes.constantTimeEqual(answer, otherInput) == false)
        #expect(SecretBytes.constantTimeEqual(answer, otherSlot) == false)
        #expect(await guess(6, at: bench) == .wrongAuthorisation)
    }

    @Test func `a part is made once, of a device secret that is there, and goes with it`() async throws {
        let bench = try await bench()
        func adding(_ name: ItemName, _ slot: Identifier, byteCount: Int = 32) async -> DeviceRefusal? {
            await refusal { () async throws(DeviceRefusal) in
                let authorisation = SecretBytes(record: [UInt8](repeating: 5, count: byteCount))
                try await bench.store.guardDeviceSecret(name, for: slot, with: authorisation)
            }
        }
        #expect(await adding(secret, slot) == .unclassified)
        #expect(await adding(.sample(10, .deviceSecret), slot) == .absent)
        for count in [0, 33] {
            #expect(await adding(secret, Identifier(high: 0, low: 1), byteCount: count) == .unclassified)
        }
        #expect(await guess(7, at: bench) == nil, "the first part is as it was")
        #expect(await guess(7, at: bench, Identifier(high: 0, low: 1)) == .absent)

        try await bench.store.delete(secret)
        #expect(try bench.folder.files().isEmpty)
        #expect(await guess(7, at: bench) == .absent)
    }

    @Test func `authorisations that end in zeros are told apart from shorter ones only by their digits`() async throws {
        let bench = try await bench()
        let other = Identifier(high: 3, low: 5)
        let padded = SecretBytes(record: [1, 2, 3] + [UInt8](repeating: 0, count: 29))
        try await bench.store.guardDeviceSecret(secret, for: other, with: padded)
        let answer = try await bench.store.evaluate(secret, for: other, with: padded, input: [1])
        #expect(answer.byteCount == 32)
    }

    @Test func `without a TPM nothing is known of its lockout`() async throws {
        let bench = try await bench()
        bench.tpm.kill()
        #expect(await bench.store.lockout() == nil)
    }
}
