import CBridge
import ThumbturnFiles

/// The main actor's executor in a process whose main thread does not serve it: the thread that calls hosts back.
///
/// The screens' models live on the main actor. On Linux and Android its jobs wait in libdispatch's main queue, which
/// only Swift's `async main` or `dispatchMain` empties: neither a JVM nor a C program does. One thread for both, because
/// what a model does as a rule ends in a call to the host.
final class MainThread: SerialExecutor {
    /// The executor of this process.
    private static let shared = MainThread()
    private static let choice = Monitor<Bool?>(nil)

    /// Sees to it that something serves the main actor; called after `CallbackThread` was started.
    ///
    /// - Parameter isServed: whether the process's main thread does; the first call decides for the process.
    /// - Returns: false when an earlier call said otherwise.
    static func settle(isServed: Bool) -> Bool {
        choice.change { choice in
            if choice == nil {
                if !isServed { shared.serve() }
                choice = isServed
            }
            return choice == isServed
        }
    }

    /// Takes a job of the main actor.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        CallbackThread.shared.call { [self] in unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    private func serve() {
        let executor = unsafe asUnownedSerialExecutor()
        // The runtime's own form of an executor: the object, and how it conforms.
        let parts = unsafe unsafeBitCast(executor, to: (identity: UnsafeMutableRawPointer, conformance: UInt).self)
        unsafe main_actor_serve(parts.identity, parts.conformance)
    }
}
