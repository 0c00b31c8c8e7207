import Dispatch
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

extension TemporaryFolder {
    /// Where a device of this folder keeps its state.
    var devicePath: String { file("device") }
    var statePath: String { devicePath + "/device.state" }

    func readState() throws -> [UInt8] { try read("device/device.state") }

    func writeState(_ bytes: [UInt8]) throws { try write(bytes, to: "device/device.state") }
}

extension ContractDevice {
    /// A simulated device under the contract; `device` may put a faulty part into the place of a good one.
    init(_ simulated: SimulatedDevice, device: Device? = nil) {
        self.init(
            device: device ?? simulated.device,
            tells: [.biometryChanged, .protectedDataLeaving, .becameActive],
            simulate: { event in
                try simulated.simulate(event)
                return true
            },
            promptsShown: { simulated.promptsShown }
        )
    }
}

extension ItemName {
    static func sample(_ number: UInt64 = 1, _ purpose: Purpose = .biometric) -> ItemName {
        ItemName(vault: Identifier(high: 1, low: 1), purpose: purpose, unique: Identifier(high: 0, low: number))
    }
}

extension SecretBytes {
    /// 32 bytes of one value.
    static func sample(_ byte: UInt8 = 0xA5) -> SecretBytes {
        unsafe SecretBytes(byteCount: 32) { buffer in
            for index in buffer.indices { unsafe buffer[index] = byte }
        }
    }
}

/// Waits until something is so; the test's own end if it never is.
func until(_ fact: () async throws -> Bool) async rethrows {
    let end = DispatchTime.now().uptimeNanoseconds + 30_000_000_000
    while try await !fact(), DispatchTime.now().uptimeNanoseconds < end { await Task.yield() }
}

let sampleText = PromptText(reason: "Open the vault")

extension SimulatedDevice {
    /// Simulates the words of one event, and fails the test on anything else.
    func simulate(_ words: String) throws {
        let words = words.split(separator: " ").map(String.init)
        guard let (event, consumed) = SimulatedEvent.parse(words[...]), consumed == words.count else {
            throw NoSuchEvent(words: words)
        }
        try simulate(event)
    }

    struct NoSuchEvent: Error {
        let words: [String]
    }

    /// Reads the sample item: the refusal, or nil when it came back whole.
    func refusalOfRead(_ number: UInt64 = 1) async throws -> DeviceRefusal? {
        do {
            let answer = try await read(.sample(number), prompt: sampleText)
            guard SecretBytes.constantTimeEqual(answer, .sample()) else { throw WrongSecret() }
            return nil
        } catch let refusal as DeviceRefusal {
            return refusal
        }
    }

    struct WrongSecret: Error {}

    /// Reads the sample item in a task of its own, and returns it once its prompt is up and waits.
    func waitingRead(_ number: UInt64 = 1) async throws -> Task<DeviceRefusal?, any Error> {
        let reading = Task { try await refusalOfRead(number) }
        await until { snapshot.prompt != nil }
        return reading
    }
}
