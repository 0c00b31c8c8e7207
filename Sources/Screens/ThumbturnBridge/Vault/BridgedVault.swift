import ThumbturnFiles
import CBridge
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnHost
import ThumbturnJSON
import ThumbturnRules

/// A vault that a host holds by its handle: orders go in from any thread, and come to the main actor in their order.
final class BridgedVault: Sendable {
    /// From `start` to `close` it takes orders.
    private enum Life { case made, open, closed }

    private struct State {
        /// What `changed` told last, or will.
        var fields = "null"
        var isTelling = false
        /// The actions that are not answered yet.
        var tickets: [UInt64: Task<Void, Never>] = [:]
        var life = Life.made
    }

    /// The way to its device.
    let line: DeviceLine
    private let tables: HostTables
    private let state = Monitor(State())
    @MainActor private var host: VaultHost?
    @MainActor private var looking: Task<Void, Never>?

    /// The most actions that wait at once.
    static let mostTickets = 64

    init(_ tables: HostTables) {
        self.tables = tables
        line = DeviceLine(tables)
    }

    /// Looks for what its folder has.
    ///
    /// - Parameter handle: its number, which its device is asked with.
    func start(_ handle: UInt64, _ configuration: HostConfiguration) {
        line.begin(handle)
        state.change { state in
            // Closed already, by a thread that guessed its number.
            guard state.life == .made else { return }
            state.life = .open
            order { $0.begin(configuration) }
        }
    }

    /// The value as it was told last.
    var fields: String { state.change { $0.fields } }

    /// Takes an action, to be answered by its ticket.
    func send(_ ticket: UInt64, _ action: JSON, _ secret: HeldSecret?) -> FaceStatus {
        state.change { state in
            guard state.life == .open else { return .handle }
            guard ticket != 0, state.tickets[ticket] == nil else { return .ticket }
            guard state.tickets.count < Self.mostTickets else { return .full }
            state.tickets[ticket] = order { await $0.perform(ticket, action, secret) }
            return .ok
        }
    }

    /// Gives up an action.
    func cancel(_ ticket: UInt64) -> FaceStatus {
        state.change { state in
            guard state.life == .open else { return .handle }
            guard let task = state.tickets[ticket] else { return .ticket }
            task.cancel()
            return .ok
        }
    }

    /// Takes what happened to the app or the device.
    func happen(_ event: DeviceEvent) {
        state.change { state in
            guard state.life == .open, let phase = event.phase else { return }
            order { $0.host?.appBecame(phase) }
        }
        line.happen(event)
    }

    /// Closes it; what waits is answered.
    ///
    /// - Parameter closed: called when nothing of it is left.
    func close(_ closed: @escaping @Sendable () -> Void) {
        state.change { state in
            state.life = .closed
            order { vault in
                await vault.end()
                closed()
                CallbackThread.shared.call { [tables = vault.tables] in tables.closed() }
            }
        }
    }

    /// Gives the main actor something to do; under the lock, so that it all comes there in the order in which it was taken.
    @discardableResult
    private func order(_ body: @escaping @Sendable @MainActor (BridgedVault) async -> Void) -> Task<Void, Never> {
        Task { @MainActor in await body(self) }
    }
}

// On the main actor.
extension BridgedVault {
    @MainActor private func begin(_ configuration: HostConfiguration) {
        let line = line
        let host = VaultHost(configuration, device: { try await BridgedDevice.device(on: line) }) { [weak self] in
            self?.tell($0)
        }
        self.host = host
        tell(host.fields)
        looking = Task { await host.start() }
    }

    @MainActor private func perform(_ ticket: UInt64, _ action: JSON, _ secret: HeldSecret?) async {
        guard let host else { return }
        answer(ticket, await host.send(action, secret), in: host.language)
    }

    @MainActor private func end() async {
        line.beginToClose()
        // Every call under way is cancelled, and answers that the vault was closed.
        await host?.close()
        await looking?.value
        for task in state.change({ Array($0.tickets.values) }) { await task.value }
        host = nil
        line.hangUp()
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
