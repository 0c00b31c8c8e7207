import ThumbturnFiles
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnJSON
import ThumbturnRules

/// The way to a host's device: calls that it answers later, by number, from any thread.
///
/// A call waits in a task and blocks no thread. One that may show a prompt ends with its task: the host is told, and has
/// two seconds to take the prompt away, so that it doesn't lie over the next one. One that shows none ends after thirty:
/// a key store that died is `unavailable`, and nothing waits for ever.
final class DeviceLine: Sendable {
    /// What waits for an answer.
    private struct Call: Sendable {
        let operation: DeviceOperation
        var waiting: CheckedContinuation<Result<DeviceAnswer, DeviceRefusal>, Never>?
        var isGivenUp = false
    }

    private struct State {
        var calls: [UInt64: Call] = [:]
        var listeners: [UInt64: AsyncStream<DeviceEvent>.Continuation] = [:]
        var lastListener: UInt64 = 0
        var vault: UInt64 = 0
        var isClosing = false
        var isOver = false
    }

    let tables: HostTables
    private let patience: Patience
    private let deadlines: Deadlines
    private let state = Monitor(State())
    private static let lastNumber = Monitor<UInt64>(0)

    /// How long a host may take.
    struct Patience: Sendable {
        /// To answer a call that shows no prompt.
        var answer = Milliseconds.seconds(30)
        /// To take a prompt away.
        var prompt = Milliseconds.seconds(2)
    }

    init(_ tables: HostTables, patience: Patience = Patience(), deadlines: Deadlines = .shared) {
        (self.tables, self.patience, self.deadlines) = (tables, patience, deadlines)
    }

    /// Begins to ask for a vault, by its handle.
    func begin(_ vault: UInt64) { state.change { $0.vault = vault } }

    /// The calls that wait for their answer.
    var waiting: [UInt64] { state.change { state in state.calls.filter { $0.value.waiting != nil }.map(\.key) } }

    /// Asks the device, and waits for its answer.
    ///
    /// - Parameters:
    ///   - members: what the operation needs, sorted by name.
    ///   - secret: what goes beside it; the host owns it from then on.
    func ask(
        _ operation: DeviceOperation,
        _ members: [(String, JSON)] = [],
        secret: HeldSecret? = nil
    ) async throws(DeviceRefusal) -> DeviceAnswer {
        if operation.prompts, Task.isCancelled { throw .cancelledBySystem }
        let number = Self.nextNumber()
        state.change { $0.calls[number] = Call(operation: operation) }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in begin(number, waiting, JSON.object(members).wireText, secret) }
        } onCancel: {
            if operation.prompts { giveUp(number) }
        }
        // A continuation that was resumed before its task came to wait for it says nothing to the thread sanitizer; a lock does.
        return try state.change { _ in result }.get()
    }

    /// Takes the answer to a call; its first one ends it.
    ///
    /// - Parameter given: what was given, or why not; nil for what can't be an answer.
    /// - Returns: `.call` when nobody waits for it, and `.answer` when it has not the form of its operation: the call is
    ///   then refused as unclassified.
    func answer(_ number: UInt64, _ given: Result<(json: [UInt8], secret: HeldSecret?), DeviceRefusal>?) -> FaceStatus {
        guard let operation = state.change({ $0.calls[number]?.operation }) else { return .call }
        let read: DeviceAnswer?
        switch given {
        case .failure(let refusal): return end(number, .failure(refusal)) ? .ok : .call
        case .success(let given): read = DeviceAnswer(to: operation, given.json, given.secret)
        case nil: read = nil
        }
        guard let read else { return end(number, .failure(.unclassified)) ? .answer : .call }
        return end(number, .success(read)) ? .ok : .call
    }

    /// Asks no more what the device is: a vault that is not there yet is not made any more.
    func beginToClose() {
        let asked = state.change { state in
            state.isClosing = true
            return state.calls.filter { $0.value.operation == .facts }.map(\.key)
        }
        for number in asked { _ = end(number, .failure(.unavailable)) }
    }

    /// Ends all that waits: the host is called no more.
    func hangUp() {
        tables.stopClock()
        let (numbers, listeners) = state.change { state in
            state.isOver = true
            return (Array(state.calls.keys), Array(state.listeners.values))
        }
        for number in numbers { _ = end(number, .failure(.unavailable)) }
        for listener in listeners { listener.finish() }
    }

    private static func nextNumber() -> UInt64 {
        lastNumber.change { last in
            last += 1
            // Of another kind than handles and secrets.
            return 3 << 56 | last
        }
    }

    private func begin(
        _ number: UInt64,
        _ waiting: CheckedContinuation<Result<DeviceAnswer, DeviceRefusal>, Never>,
        _ json: String,
        _ secret: HeldSecret?
    ) {
        // In one step: from then on whoever ends the call resumes the task.
        let begun: Result<DeviceOperation, DeviceRefusal> = state.change { state in
            guard let call = state.calls.removeValue(forKey: number) else { return .failure(.unavailable) }
            guard !call.isGivenUp else { return .failure(.cancelledBySystem) }
            guard !state.isOver, !state.isClosing || call.operation != .facts else { return .failure(.unavailable) }
            state.calls[number] = Call(operation: call.operation, waiting: waiting)
            return .success(call.operation)
        }
        let operation: DeviceOperation
        switch begun {
        case .success(let begun): operation = begun
        case .failure(let refusal): return waiting.resume(returning: .failure(refusal))
        }
        var lent: UInt64 = 0
        if let secret {
            guard let added = SecretTable.shared.add(secret) else { return _ = end(number, .failure(.unavailable)) }
            lent = added
        }
        if !operation.prompts { end(number, .unavailable, after: patience.answer) }
        CallbackThread.shared.call { [self, lent] in
            // It may have ended before its turn, with the vault too: the host then hears nothing of it.
            guard let vault = vault(waitingFor: number) else { return _ = SecretTable.shared.take(lent) }
            tables.ask(vault, number, operation, json, secret: lent)
        }
    }

    /// The vault whose call this is; nil when it has ended.
    private func vault(waitingFor number: UInt64) -> UInt64? {
        state.change { $0.calls[number] == nil ? nil : $0.vault }
    }

    /// Ends a call; false when it had ended.
    private func end(_ number: UInt64, _ result: Result<DeviceAnswer, DeviceRefusal>) -> Bool {
        guard let call = state.change({ $0.calls.removeValue(forKey: number) }) else { return false }
        deadlines.drop(number)
        call.waiting?.resume(returning: result)
        return true
    }

    private func end(_ number: UInt64, _ refusal: DeviceRefusal, after time: Milliseconds) {
        deadlines.set(number, after: time) { [weak self] in _ = self?.end(number, .failure(refusal)) }
        // It may have ended meanwhile.
        if state.change({ $0.calls[number] == nil }) { deadlines.drop(number) }
    }

    private func giveUp(_ number: UInt64) {
        let isAsked = state.change { state in
            guard let call = state.calls[number], !call.isGivenUp else { return false }
            state.calls[number]?.isGivenUp = true
            return call.waiting != nil
        }
        guard isAsked else { return }
        CallbackThread.shared.call { [self] in
            if let vault = vault(waitingFor: number) { tables.ask(vault, number, .cancel, "{}", secret: 0) }
        }
        end(number, .cancelledBySystem, after: patience.prompt)
    }
}

// Events.
extension DeviceLine {
    /// Tells whoever listens.
    func happen(_ event: DeviceEvent) {
        for listener in state.change({ Array($0.listeners.values) }) { listener.yield(event) }
    }

    /// Streams the events from now on.
    func events() -> AsyncStream<DeviceEvent> {
        let (stream, line) = AsyncStream.makeStream(of: DeviceEvent.self)
        let number: UInt64? = state.change { state in
            guard !state.isOver else { return nil }
            state.lastListener += 1
            state.listeners[state.lastListener] = line
            return state.lastListener
        }
        guard let number else {
            line.finish()
            return stream
        }
        line.onTermination = { [weak self] _ in self?.state.change { $0.listeners[number] = nil } }
        return stream
    }
}
