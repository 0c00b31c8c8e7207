import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@Suite("The contract of a device")
struct SimulatedDeviceContractTests {
    @Test(arguments: DeviceContract.Clause.allCases)
    func `a simulated device in memory keeps`(clause: DeviceContract.Clause) async throws {
        let contract = DeviceContract { ContractDevice(SimulatedDevice()) }
        #expect(try await contract.check(clause) == .kept)
    }

    @Test(arguments: DeviceContract.Clause.allCases)
    func `a simulated device in a folder keeps`(clause: DeviceContract.Clause) async throws {
        let folder = try TemporaryFolder()
        let contract = DeviceContract { ContractDevice(try SimulatedDevice(folder: folder.devicePath)) }
        #expect(try await contract.check(clause) == .kept)
    }

    @Test func `a device that can't be made to suffer an event leaves its clause undecided`() async throws {
        let contract = DeviceContract {
            ContractDevice(device: SimulatedDevice().device, simulate: { _ in false }, promptsShown: { 0 })
        }
        #expect(try await contract.check(.lockoutRefuses) == .undecided(.lockout))
    }

    @Test(arguments: Sabotage.allCases)
    func `a device that breaks its word is found out`(sabotage: Sabotage) async throws {
        let contract = DeviceContract(patience: Milliseconds(100)) {
            let simulated = SimulatedDevice()
            return ContractDevice(simulated, device: simulated.device.with(sabotage))
        }
        await #expect(throws: DeviceContract.Breach.self) { try await contract.check(sabotage.clause) }
    }
}

/// One way to break the contract, and the clause that must notice.
enum Sabotage: CaseIterable, Sendable {
    case overwrites, forgetsAccess, promptsAtDescribe, saysAbsentWhenLocked, asksNobody, ignoresInput, movesBlindly
    case signsOneMessage, hasOneKey, readsKeys, keepsKeys, takesKeysAlong
    case ignoresTouches, tellsNothing, tellsAgain, slipsBack, stopsTime

    var clause: DeviceContract.Clause {
        switch self {
        case .overwrites: .namesAreUsedOnce
        case .forgetsAccess: .attributesReadBack
        case .promptsAtDescribe: .onlyReadingPrompts
        case .saysAbsentWhenLocked: .lockedIsNotAbsent
        case .asksNobody: .onePromptPerRead
        case .ignoresInput: .evaluationIsKeyed
        case .movesBlindly: .anchorMovesFromWhereItStands
        case .signsOneMessage, .hasOneKey: .deviceKeySigns
        case .readsKeys: .deviceKeyIsNotRead
        case .keepsKeys: .deviceKeyEndsOnce
        case .takesKeysAlong: .deviceKeyStaysHere
        case .ignoresTouches: .touchAnswersPrompt
        case .tellsNothing, .tellsAgain: .changesAreTold
        case .slipsBack, .stopsTime: .clocksMoveWhileRead
        }
    }
}

extension Device {
    fileprivate func with(_ sabotage: Sabotage) -> Device {
        let saboteur = Saboteur(good: self, sabotage: sabotage)
        return Device(
            kind: kind,
            store: saboteur,
            prompt: prompt,
            anchor: saboteur,
            clock: clock(under: sabotage),
            installation: installation,
            events: { events(under: sabotage) }
        )
    }

    private func clock(under sabotage: Sabotage) -> @Sendable () -> ClockReading {
        let (first, count) = (clock(), Shared(0))
        switch sabotage {
        case .stopsTime: return { first }
        case .slipsBack:
            return {
                var reading = clock()
                let number = count.change { count in
                    count += 1
                    return count
                }
                if number.isMultiple(of: 2) { reading.boottime = reading.boottime - .seconds(1) }
                return reading
            }
        default: return clock
        }
    }

    private func events(under sabotage: Sabotage) -> AsyncStream<DeviceEvent> {
        let good = events()
        switch sabotage {
        case .tellsNothing: return AsyncStream { $0.finish() }
        case .tellsAgain:
            let (stream, line) = AsyncStream.makeStream(of: DeviceEvent.self)
            line.yield(.biometryChanged)
            let passing = Task { for await event in good { line.yield(event) } }
            line.onTermination = { _ in passing.cancel() }
            return stream
        default: return good
        }
    }
}

/// A store and anchor that do everything right but one thing.
private struct Saboteur: ForwardingStore, Anchor {
    let good: Device
    let sabotage: Sabotage

    var store: any SecureStore { good.store }

    func save(
        _ secret: borrowing SecretBytes,
        as name: ItemName,
        access: AccessControl,
        lease: ItemLease?
    ) async throws(DeviceRefusal) {
        if sabotage == .overwrites { try await good.store.delete(name) }
        let kept = sabotage == .forgetsAccess || sabotage == .asksNobody ? AccessControl.deviceOnly : access
        try await good.store.save(secret, as: name, access: kept, lease: lease)
    }

    func describe(_ name: ItemName) async throws(DeviceRefusal) -> ItemDescription? {
        if sabotage == .promptsAtDescribe { _ = try? await good.prompt.prompt(sampleText) }
        do {
            return try await good.store.describe(name)
        } catch {
            guard sabotage == .saysAbsentWhenLocked else { throw error }
            return nil
        }
    }

    func evaluate(_ name: ItemName, input: [UInt8]) async throws(DeviceRefusal) -> SecretBytes {
        try await good.store.evaluate(name, input: sabotage == .ignoresInput ? [] : input)
    }

    func evaluate(
        _ name: ItemName,
        for slot: Identifier,
        with authorisation: borrowing SecretBytes,
        input: [UInt8]
    ) async throws(DeviceRefusal) -> SecretBytes {
        try await good.store.evaluate(
            name,
            for: slot,
            with: authorisation,
            input: sabotage == .ignoresInput ? [] : input
        )
    }

    func read(_ name: ItemName, prompt: PromptText) async throws(DeviceRefusal) -> SecretBytes {
        if sabotage == .ignoresTouches {
            _ = try? await good.store.read(name, prompt: prompt)
            while !Task.isCancelled { await Task.yield() }
            throw .cancelledBySystem
        }
        guard sabotage == .readsKeys, name.purpose == .deviceKey else {
            return try await good.store.read(name, prompt: prompt)
        }
        return .random(byteCount: P256PrivateKey.byteCount)
    }

    func delete(_ name: ItemName) async throws(DeviceRefusal) {
        if sabotage != .keepsKeys || name.purpose != .deviceKey { try await good.store.delete(name) }
    }

    func makeDeviceKey(_ name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        let made = try await good.store.makeDeviceKey(name)
        return sabotage == .hasOneKey ? try anyKey().publicKey : made
    }

    func sign(_ message: [UInt8], with name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        if sabotage == .hasOneKey { return try anyKey().signature(forDevice: message) }
        do {
            return try await good.store.sign(sabotage == .signsOneMessage ? [] : message, with: name)
        } catch {
            guard sabotage == .takesKeysAlong else { throw error }
            return try anyKey().signature(forDevice: message)
        }
    }

    func position(for secret: ItemName) async throws(DeviceRefusal) -> LedgerPosition? {
        try await good.anchor.position(for: secret)
    }

    func move(
        from former: LedgerPosition?,
        to next: LedgerPosition,
        for secret: ItemName
    ) async throws(DeviceRefusal) -> Bool {
        guard sabotage == .movesBlindly else {
            return try await good.anchor.move(from: former, to: next, for: secret)
        }
        let present = try await good.anchor.position(for: secret)
        return try await good.anchor.move(from: present, to: next, for: secret)
    }

    func remove(for secret: ItemName) async throws(DeviceRefusal) { try await good.anchor.remove(for: secret) }
}

private func anyKey() throws(DeviceRefusal) -> P256PrivateKey {
    try P256PrivateKey(keptByDevice: SecretBytes.sample(1))
}
