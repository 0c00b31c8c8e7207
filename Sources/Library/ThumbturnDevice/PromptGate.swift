import ThumbturnCrypto
package import ThumbturnRules

/// Shows one prompt at a time, in the order of the requests: a second one would dismiss the first.
package actor PromptGate {
    /// The prompts of this process.
    package static let shared = PromptGate()

    /// Whether a prompt is up; also for who can't wait, such as the thread of a script.
    package nonisolated var isTaken: Bool { lock.withLock { unsafe isUp } }
    private nonisolated let lock = Lock()
    // Safe: read and written under the lock, and written in the gate's turn alone.
    private nonisolated(unsafe) var isUp = false

    private var waiting: [(number: UInt64, turn: CheckedContinuation<Bool, Never>)] = []
    private var lastNumber: UInt64 = 0

    /// Runs `body` once no other prompt is up.
    ///
    /// - Throws: `.cancelledBySystem` when the task ends before its turn, or what `body` throws.
    package nonisolated func pass<R: ~Copyable>(
        _ body: () async throws(DeviceRefusal) -> R
    ) async throws(DeviceRefusal) -> R {
        try await enter()
        do {
            let result = try await body()
            await leave()
            return result
        } catch {
            await leave()
            throw error
        }
    }

    private func enter() async throws(DeviceRefusal) {
        guard isTaken else { return set(isUp: true) }
        lastNumber += 1
        let number = lastNumber
        let hasTurn = await withTaskCancellationHandler {
            await withCheckedContinuation { waiting.append((number, $0)) }
        } onCancel: {
            Task { await giveUp(number) }
        }
        guard hasTurn else { throw .cancelledBySystem }
    }

    private func leave() {
        if waiting.isEmpty { set(isUp: false) } else { waiting.removeFirst().turn.resume(returning: true) }
    }

    private func set(isUp: Bool) { lock.withLock { unsafe self.isUp = isUp } }

    private func giveUp(_ number: UInt64) {
        guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
        waiting.remove(at: index).turn.resume(returning: false)
    }
}
