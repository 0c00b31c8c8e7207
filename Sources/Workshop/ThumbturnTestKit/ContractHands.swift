import Dispatch
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator

/// The helpers that the clauses of `DeviceContract` use to check a device.
struct ContractHands: Sendable {
    let clause: DeviceContract.Clause
    let subject: ContractDevice
    /// How long a device may take to answer a touch, or to tell an event.
    let patience: Milliseconds

    /// This event can't be simulated on the device.
    struct CannotSimulate: Error {
        let event: SimulatedEvent
    }

    var store: any SecureStore { subject.device.store }
    var anchor: any Anchor { subject.device.anchor }
    let text = PromptText(reason: "Open the vault")

    /// Returns a name that is unique for the number.
    func name(_ number: UInt64, _ purpose: ItemName.Purpose = .biometric) -> ItemName {
        let vault = Identifier(high: 0x7468_756D_6274_7572, low: 1)
        return ItemName(vault: vault, purpose: purpose, unique: Identifier(high: 0, low: number))
    }

    /// Returns a secret of 32 bytes that is unique for the number.
    func secret(_ number: UInt8) -> SecretBytes {
        unsafe SecretBytes(byteCount: 32) { buffer in
            for index in buffer.indices { unsafe buffer[index] = number &+ UInt8(truncatingIfNeeded: index) }
        }
    }

    func happen(_ events: SimulatedEvent...) async throws {
        for event in events {
            guard try await subject.simulate(event) else { throw CannotSimulate(event: event) }
        }
    }

    /// Waits until something is so, but not longer than a device may take.
    func eventually(_ fact: () async -> Bool) async -> Bool {
        let end = DispatchTime.now().uptimeNanoseconds + UInt64(patience.count) * 1_000_000
        while await !fact() {
            guard DispatchTime.now().uptimeNanoseconds < end else { return false }
            await Task.yield()
        }
        return true
    }

    func save(_ number: UInt8, _ access: AccessControl) async throws(DeviceRefusal) {
        try await store.save(secret(number), as: name(UInt64(number)), access: access)
    }

    /// Reads an item and returns whether it is the numbered secret.
    func reads(_ number: UInt8) async throws(DeviceRefusal) -> Bool {
        let answer = try await store.read(name(UInt64(number)), prompt: text)
        return SecretBytes.constantTimeEqual(answer, secret(number))
    }

    func isDescribed(_ number: UInt8) async throws(DeviceRefusal) -> Bool {
        try await store.describe(name(UInt64(number))) != nil
    }

    func expect(_ promise: Bool, _ breach: String) throws {
        guard promise else {
            throw DeviceContract.Breach(clause: clause, description: "\(clause.rawValue): \(breach)")
        }
    }

    /// Checks that `body` is refused, with one of `refusals` if any are given.
    func expectRefusal(
        _ refusals: DeviceRefusal...,
        by call: String,
        _ body: () async throws(DeviceRefusal) -> Void
    ) async throws {
        do {
            try await body()
        } catch {
            return try expect(refusals.isEmpty || refusals.contains(error), "\(call) answered \(error)")
        }
        try expect(false, "\(call) was not refused")
    }

    func expectPrompts(_ count: Int) async throws {
        let shown = await subject.promptsShown()
        try expect(shown == count, "\(shown) prompts shown, not \(count)")
    }
}
