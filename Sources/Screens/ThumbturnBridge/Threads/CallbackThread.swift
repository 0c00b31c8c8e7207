import ThumbturnFiles

/// The one thread on which hosts are called back, one call after the other.
///
/// A host's function may block, which no thread of Swift's tasks may; and a host has to attach but one thread to its own
/// runtime.
final class CallbackThread: Sendable {
    /// The thread of this process; it ends with it.
    static let shared = CallbackThread()

    private let calls = Monitor<[@Sendable () -> Void]>([])
    private let isRunning = Monitor(false)

    /// Starts the thread, unless it runs.
    ///
    /// - Returns: false when the system grants no thread.
    func start() -> Bool {
        isRunning.change { isRunning in
            guard !isRunning else { return true }
            guard let thread = SystemThread({ [self] in run() }) else { return false }
            thread.detach()
            isRunning = true
            return true
        }
    }

    /// Calls a host soon, after all that was given before.
    func call(_ body: @escaping @Sendable () -> Void) { calls.change { $0.append(body) } }

    private func run() {
        while true {
            let next = calls.wait { calls in
                defer { calls.removeAll() }
                return calls.isEmpty ? nil : calls
            }
            for call in next ?? [] { call() }
        }
    }
}
