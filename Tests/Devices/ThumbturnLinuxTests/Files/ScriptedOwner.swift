import Foundation
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnLinux

/// A sensor whose touches are scripted, with the assurance of the store behind it, and what says who is enrolled.
final class ScriptedOwner: OwnerPrompt, Sendable {
    let simulated = SimulatedDevice()
    private let assurance: Assurance
    private let fingers = Shared([Identifier.make()])
    private let event = Shared<(@Sendable () async -> Void)?>(nil)
    private let silence = Shared<DeviceRefusal?>(nil)

    init(assurance: Assurance = .softwareFile) {
        self.assurance = assurance
    }

    var promptsShown: Int { simulated.promptsShown }

    func capability() async -> BiometricCapability {
        var capability = await simulated.capability()
        capability.assurance = assurance
        return capability
    }

    func prompt(_ text: PromptText, acceptingPasscode: Bool) async throws(DeviceRefusal) {
        let event = event.change { event in
            defer { event = nil }
            return event
        }
        await event?()
        try await simulated.prompt(text, acceptingPasscode: acceptingPasscode)
    }

    func enrolledSet() async throws(DeviceRefusal) -> [UInt8] {
        if let silence = silence.value { throw silence }
        let fingers = fingers.value
        guard !fingers.isEmpty else { throw .notEnrolled }
        return SHA256.digest(fingers.flatMap(\.bytes))
    }

    /// Lets a touch or a change of the set happen.
    func simulate(_ event: SimulatedEvent) throws {
        switch event {
        case .enroll: fingers.change { $0.append(.make()) }
        case .unenroll: fingers.change { $0 = [] }
        case .restoreElsewhere: fingers.change { $0 = [.make()] }
        default: break
        }
        try simulated.simulate(event)
    }

    /// Who is enrolled can't be said any more, or can again.
    func fallSilent(_ refusal: DeviceRefusal?) { silence.change { $0 = refusal } }

    /// Lets something happen just before the next prompt has the reader.
    func beforePrompt(_ event: @escaping @Sendable () async -> Void) { self.event.change { $0 = event } }

    /// One finger more or less, and back.
    func enrol(_ finger: Identifier) { fingers.change { $0.append(finger) } }
    func remove(_ finger: Identifier) { fingers.change { $0.removeAll { $0 == finger } } }
}

extension OwnerGate {
    init(_ owner: ScriptedOwner) {
        self.init(owner: owner) { () async throws(DeviceRefusal) in try await owner.enrolledSet() }
    }
}

let sampleText = PromptText(reason: "Open the vault")

extension ItemName {
    static func sample(_ number: UInt64 = 1, _ purpose: Purpose = .biometric, vault: UInt64 = 1) -> ItemName {
        ItemName(
            vault: Identifier(high: 0x7474, low: vault),
            purpose: purpose,
            unique: Identifier(high: 0, low: number)
        )
    }
}

extension SecretBytes {
    /// 32 bytes of one value.
    static func sample(_ byte: UInt8 = 0xA5) -> SecretBytes {
        unsafe SecretBytes(byteCount: 32) { buffer in
            for index in buffer.indices { unsafe buffer[index] = byte }
        }
    }

    func isSample(_ byte: UInt8 = 0xA5) -> Bool { SecretBytes.constantTimeEqual(self, .sample(byte)) }
}

/// What a call was refused with; nil when it was not.
func refusal(of body: () async throws(DeviceRefusal) -> Void) async -> DeviceRefusal? {
    do {
        try await body()
        return nil
    } catch {
        return error
    }
}

extension ItemStore {
    /// What a read of a sample is refused with; nil when it came back whole.
    func refusalOfRead(_ name: ItemName = .sample(), _ byte: UInt8 = 0xA5) async -> DeviceRefusal? {
        await refusal { () async throws(DeviceRefusal) in
            guard try await read(name, prompt: sampleText).isSample(byte) else { throw .weakerThanAsked }
        }
    }
}
