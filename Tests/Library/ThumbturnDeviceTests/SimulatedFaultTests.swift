import Testing
import ThumbturnSimulator
import ThumbturnTestKit
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

@Suite("SimulatedFault")
struct SimulatedFaultTests {
    let device = SimulatedDevice()
    let secret = ItemName.sample(9, .deviceSecret)

    private func save(_ access: AccessControl = .deviceOnly) async throws(DeviceRefusal) {
        try await device.save(.sample(), as: .sample(), access: access)
    }

    /// Runs `body` twice after the fault: refused once, and then not.
    private func once<Answer>(_ fault: SimulatedFault, _ body: () async throws -> Answer) async throws -> Answer {
        try device.simulate(.fault(fault))
        await #expect(throws: DeviceRefusal.unavailable) { _ = try await body() }
        return try await body()
    }

    @Test(.holds("A19")) func `a fault before its effect is unavailable, once, and changes nothing`() async throws {
        try await once(.saveFails) { try await save() }
        try await once(.saveFails) { try await device.makeDeviceSecret(secret) }
        let read = try await once(.readFails) { try await device.read(.sample(), prompt: sampleText).byteCount }
        let described = try await once(.describeFails) { try await device.describe(.sample()) }
        let evaluated = try await once(.evaluateFails) { try await device.evaluate(secret, input: []).byteCount }
        #expect(read == 32 && described != nil && evaluated == 32)
        let key = try await once(.saveFails) { try await device.makeDeviceKey(.sample(8, .deviceKey)) }
        let told = try await once(.signFails) { try await device.devicePublicKey(.sample(8, .deviceKey)) }
        let signature = try await once(.signFails) { try await device.sign([1], with: .sample(8, .deviceKey)) }
        try P256.verify(signature: signature, of: [1], publicKey: key)
        #expect(told == key && device.counts.signatures == 2)
        let stillThere = try await once(.deleteFails) {
            let description = try await device.describe(.sample())
            try await device.delete(.sample())
            return description
        }
        #expect(stillThere != nil)

        let before = try await once(.anchorMoveFails) {
            let value = try await device.sequence(for: secret)
            try await device.rise(to: 1, for: secret)
            return value
        }
        let raised = try await once(.anchorReadFails) { try await device.sequence(for: secret) }
        let kept = try await once(.anchorRemoveFails) {
            let value = try await device.sequence(for: secret)
            try await device.remove(for: secret)
            return value
        }
        #expect([before, raised, kept] == [nil, 1, 1])
        _ = try await once(.installationFails) { try await device.device.installation() }
    }

    @Test(.holds("A19")) func `a fault after its effect is unavailable, and the effect is there`() async throws {
        for fault: SimulatedFault in [.saveFailsAfterStoring, .anchorMoveFailsAfterEffect] {
            try device.simulate(.fault(fault))
        }
        await #expect(throws: DeviceRefusal.unavailable) { try await save() }
        #expect(try await device.refusalOfRead() == nil)
        await #expect(throws: DeviceRefusal.unavailable) { try await device.rise(to: 3, for: secret) }
        #expect(try await device.sequence(for: secret) == 3)
    }

    @Test(.holds("A25")) func `in a prewarmed launch nothing is absent`() async throws {
        let description = try await once(.prewarm) { try await device.describe(.sample()) }
        let value = try await once(.prewarm) { try await device.sequence(for: secret) }
        #expect(description == nil && value == nil)
        for fault in [SimulatedFault.prewarm, .prewarm] { try device.simulate(.fault(fault)) }
        #expect(try await device.refusalOfRead() == .unavailable)
        await #expect(throws: DeviceRefusal.unavailable) { _ = try await device.evaluate(secret, input: []) }
        #expect(try await device.refusalOfRead() == .absent)
    }

    @Test(.holds("A32")) func `dropped attributes read back as dropped, and act as dropped`() async throws {
        try device.simulate("fault dropped-access")
        try device.simulate("fault dropped-device-only")
        try await save(.currentBiometrySet)
        #expect(try await device.describe(.sample()) == ItemDescription(access: .deviceOnly, staysOnDevice: false))
        try device.simulate("restore-elsewhere")
        #expect(try await device.refusalOfRead() == nil)
    }

    @Test(.holds("A29", "A30")) func `an empty success hands back bytes that are not the secret`() async throws {
        try await save(.currentBiometrySet)
        try device.simulate("fault empty-success")
        let answer = try await device.read(.sample(), prompt: sampleText)
        let byteCount = answer.byteCount
        #expect(byteCount == 32)
        let isSecret = SecretBytes.constantTimeEqual(answer, .sample())
        #expect(!isSecret)
        try device.simulate("fault empty-success")
        try await device.prompt(sampleText)
        await #expect(throws: DeviceRefusal.cancelledBySystem) { try await device.prompt(sampleText) }
    }

    @Test func `an unknown code and a busy sensor end one prompt, and cost no item`() async throws {
        try await save(.currentBiometrySet)
        for event in ["fault unclassified", "fault sensor-busy", "finger match"] { try device.simulate(event) }
        #expect(try await device.refusalOfRead() == .readerFailed(afterMismatch: false))
        #expect(try await device.refusalOfRead() == .unclassified)
        #expect(try await device.refusalOfRead() == nil)
        #expect(device.promptsShown == 2)
    }

    @Test(
        .holds("C7"),
        arguments: zip([SimulatedFault.readerBusy, .readerBroken, .readerSilent], [(0, 0), (1, 0), (0, 2)])
    )
    func `a reader that fails ends one prompt, unseen by a look, and takes no touch`(
        fault: SimulatedFault,
        cost: (prompts: Int, seconds: Int64)
    ) async throws {
        try await save(.currentBiometrySet)
        try device.simulate(.fault(fault))
        try device.simulate("finger match")
        #expect(await device.capability().available)
        let before = device.device.clock()
        #expect(try await device.refusalOfRead() == .readerFailed(afterMismatch: false))
        #expect(device.promptsShown == cost.prompts)
        #expect(device.device.clock().boottime - before.boottime == .seconds(cost.seconds))
        #expect(try await device.refusalOfRead() == nil)
    }

    @Test(.holds("C7"), arguments: [SimulatedTouch.mismatch, .mismatchThenCancel])
    func `a reader that breaks behind a stranger's finger says so, and the fifth locks out all the same`(
        touch: SimulatedTouch
    ) async throws {
        try await save(.currentBiometrySet)
        for _ in 1...4 {
            try device.simulate(.fault(.readerBroken))
            try device.simulate(.finger(touch))
            #expect(try await device.refusalOfRead() == .readerFailed(afterMismatch: true))
        }
        try device.simulate(.fault(.readerBroken))
        try device.simulate("finger mismatch")
        #expect(try await device.refusalOfRead() == .lockedOut)
    }

    @Test func `a busy sensor shows in the capability, once`() async throws {
        try device.simulate("fault sensor-busy")
        #expect(await device.capability().reasonIfUnavailable == .temporarilyUnavailable)
        #expect(await device.capability().available)
    }
}
