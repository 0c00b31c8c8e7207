import ThumbturnFiles
import CBridge
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnHost
import ThumbturnJSON
import ThumbturnRules

/// A vault that a host holds by its handle: orders go in from any thread, and come to the main actor in their order.
final class BridgedVault: Sendable {
    /// What a host asks of the main actor.
    private enum Order: Sendable {
        case phase(AppPhase)
        case action(ticket: UInt64, JSON, HeldSecret?)
        case close
    }

    /// An action that is not answered yet.
    private struct Ticket: Sendable {
        var task: Task<Void, Never>?
        var isGivenUp = false
    }

    private struct State {
        /// What `changed` told last, or will.
        var fields = "null"
        var isTelling = false
        var tickets: [UInt64: Ticket] = [:]
        var isClosed = false
    }

    /// The way to its device.
    let line: DeviceLine
    private let tables: HostTables
    private let state = Monitor(State())
    private let stream: AsyncStream<Order>
    private let orders: AsyncStream<Order>.Continuation

    /// The most actions that wait at once.
    static let mostTickets = 64

    init(_ tables: HostTables) {
        self.tables = tables
        line = DeviceLine(tables)
        (stream, orders) = AsyncStream.makeStream(of: Order.self)
    }

    /// Looks for what its folder has; called once, before anything else comes.
    ///
    /// - Parameters:
    ///   - handle: its number, which its device is asked with.
    ///   - closed: called when nothing of it is left.
    func start(_ handle: UInt64, _ configuration: HostConfiguration, closed: @escaping @Sendable () -> Void) {
        line.begin(handle)
        Task { @MainActor in
            await serve(configuration)
            line.hangUp()
            closed()
            CallbackThread.shared.call { [tables] in tables.closed() }
        }
    }

    /// The value as it was told last.
    var fields: String { state.change { $0.fields } }

    /// Takes an action, to be answered by its ticket.
    func send(_ ticket: UInt64, _ action: JSON, _ secret: HeldSecret?) -> FaceStatus {
        state.change { state in
            guard !state.isClosed else { return .handle }
            guard ticket != 0, state.tickets[ticket] == nil else { return .ticket }
            guard state.tickets.count < Self.mostTickets else { return .full }
            state.tickets[ticket] = Ticket()
            orders.yield(.action(ticket: ticket, action, secret))
            return .ok
        }
    }

    /// Gives up an action.
    func cancel(_ ticket: UInt64) -> FaceStatus {
        state.change { state in
            guard !state.isClosed else { return .handle }
            guard let waiting = state.tickets[ticket] else { return .ticket }
            state.tickets[ticket]?.isGivenUp = true
            waiting.task?.cancel()
            return .ok
        }
    }

    /// Takes what happened to the app or the device.
    func happen(_ event: DeviceEvent) {
        if let phase = event.phase { orders.yield(.phase(phase)) }
        line.happen(event)
    }

    /// Closes it; what waits is answered.
    func close() {
        state.change { $0.isClosed = true }
        orders.yield(.close)
    }
}

// On the main actor.
extension BridgedVault {
    @MainActor private func serve(_ configuration: HostConfiguration) async {
        let line = line
        let host = VaultHost(configuration, device: { try await BridgedDevice.device(on: line) }) { [weak self] in
            self?.tell($0)
        }
        tell(host.fields)
        let looking = Task { await host.start() }
        serving: for await order in stream {
            switch order {
            case .phase(let phase): host.appBecame(phase)
            case .action(let ticket, let action, let secret):
                began(
                    ticket,
                    Task {
                        let answer = await host.send(action, secret)
                        self.answer(ticket, answer, in: host.language)
                    }
                )
            case .close: break serving
            }
        }
        orders.finish()
        line.beginToClose()
        // Every call under way is cancelled, and answers that the vault was closed.
        await host.close()
        await looking.value
        for task in state.change({ $0.tickets.values.compactMap(\.task) }) { await task.value }
    }

    private func began(_ ticket: UInt64, _ task: Task<Void, Never>) {
        let isGivenUp = state.change { state in
            state.tickets[ticket]?.task = task
            return state.tickets[ticket]?.isGivenUp ?? false
        }
        if isGivenUp { task.cancel() }
    }

    private func answer(_ ticket: UInt64, _ answer: HostAnswer, in language: Language) {
        CallbackThread.shared.call { [tables, state] in
            var answer = answer
            if let secret = answer.secret, !tables.lent(ticket, secret) {
                answer = HostAnswer(refusing: HostError.secretNotTaken, in: language)
            }
            // Before the callback, in which the host may use the ticket again.
            state.change { $0.tickets[ticket] = nil }
            tables.answered(ticket, answer.json)
        }
    }

    /// Tells the value; what a host has not yet been told is left out for what came after it.
    private func tell(_ fields: String) {
        let isTelling = state.change { state in
            state.fields = fields
            defer { state.isTelling = true }
            return state.isTelling
        }
        guard !isTelling else { return }
        CallbackThread.shared.call { [tables, state] in
            let fields = state.change { state in
                state.isTelling = false
                return state.fields
            }
            tables.changed(fields)
        }
    }
}

extension DeviceEvent {
    /// The app's phase that it begins; nil for one of the device.
    fileprivate var phase: AppPhase? {
        switch self {
        case .becameActive: .active
        case .becameInactive: .inactive
        case .enteredBackground: .background
        case .protectedDataLeaving, .suspending, .biometryChanged: nil
        }
    }
}
