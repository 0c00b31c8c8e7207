import Testing
import ThumbturnDevice
import ThumbturnRules

@testable import ThumbturnLinux

/// A prompt that is up, with what its reader has said.
struct PromptRun {
    private let task: Task<DeviceRefusal?, Never>
    private let progress: AsyncStream<FingerProgress>

    /// How a prompt ended.
    struct End {
        /// Nil for a match.
        let refusal: DeviceRefusal?
        let progress: [FingerProgress]
    }

    static let text = PromptText(reason: "Open the vault")

    /// Starts a prompt.
    init(
        bus: BusConnection = BusConnection(address: TestStack.address),
        acceptingPasscode: Bool = false,
        dismissal: @escaping @Sendable (PromptText) async -> PromptDismissal? = { _ in nil },
        limit: @escaping @Sendable () async -> Void = { try? await Task.sleep(nanoseconds: 600_000_000_000) }
    ) {
        let (progress, say) = AsyncStream.makeStream(of: FingerProgress.self)
        let prompt = FprintPrompt(
            bus: bus,
            assurance: .softwareFile,
            ownedBy: TestStack.owner,
            progress: { say.yield($0) },
            dismissal: dismissal,
            limit: limit
        )
        self.progress = progress
        task = Task {
            defer { say.finish() }
            do throws(DeviceRefusal) {
                try await prompt.prompt(Self.text, acceptingPasscode: acceptingPasscode)
                return nil
            } catch {
                return error
            }
        }
    }

    /// Waits until the reader waits for a finger; false when the prompt ended before.
    func isReady() async -> Bool {
        for await event in progress where event == .ready { return true }
        return false
    }

    func cancel() { task.cancel() }

    /// Waits for the end.
    func end() async -> End {
        let refusal = await task.value
        var events: [FingerProgress] = []
        for await event in progress { events.append(event) }
        return End(refusal: refusal, progress: events)
    }

    /// Waits until the reader is ready, lets something happen at it, and waits for the end.
    func end(after commands: String...) async throws -> End {
        try #require(await isReady())
        for command in commands { try TestStack.happen(command) }
        return await end()
    }
}
