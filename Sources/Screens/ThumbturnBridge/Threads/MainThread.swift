import CBridge
import ThumbturnFiles

/// The main actor's executor in a process whose main thread does not serve it: a thread of the bridge's own.
///
/// The screens' models live on the main actor. On Linux and Android its jobs wait in libdispatch's main queue, which
/// only Swift's `async main` or `dispatchMain` empties: neither a JVM nor a C program does.
final class MainThread: SerialExecutor {
    /// The executor of this process.
    private static let shared = MainThread()
    private static let choice = Monitor<Bool?>(nil)

    private let jobs = Monitor<[UnownedJob]>([])

    /// Sees to it that something serves the main actor.
    ///
    /// - Parameter isServed: whether the process's main thread does; the first call decides for the process.
    /// - Returns: false when an earlier call said otherwise, or the system grants no thread.
    static func settle(isServed: Bool) -> Bool {
        choice.change { choice in
            if choice == nil, isServed || shared.start() { choice = isServed }
            return choice == isServed
        }
    }

    /// Takes a job of the main actor.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.change { jobs in jobs.append(job) }
    }

    private func start() -> Bool {
        guard let thread = SystemThread({ [self] in run() }) else { return false }
        thread.detach()
        let executor = unsafe asUnownedSerialExecutor()
        // The runtime's own form of an executor: the object, and how it conforms.
        let parts = unsafe unsafeBitCast(executor, to: (identity: UnsafeMutableRawPointer, conformance: UInt).self)
        unsafe main_actor_serve(parts.identity, parts.conformance)
        return true
    }

    private func run() {
        let executor = unsafe asUnownedSerialExecutor()
        while true {
            let next = jobs.wait { jobs in
                defer { jobs.removeAll() }
                return jobs.isEmpty ? nil : jobs
            }
            for job in next ?? [] { unsafe job.runSynchronously(on: executor) }
        }
    }
}
