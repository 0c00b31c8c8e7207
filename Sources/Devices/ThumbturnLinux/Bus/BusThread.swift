import CSDBus
import Glibc
import ThumbturnCrypto
import ThumbturnFiles

/// A thread that only waits for the bus and runs the jobs of one actor.
///
/// sd-bus needs all calls of a connection on one thread, and may block. The thread is therefore the actor's executor,
/// so that neither Swift's pool nor another task is blocked.
///
/// If the system can't start a thread, the caller's thread runs each job, one at a time. Each call then reports that
/// there is no bus, and nothing hangs or crashes.
final class BusThread: SerialExecutor, @unchecked Sendable {
    // Safe to share: `lock` guards the three variables, `wakeup` and `isRunning` are set once, and `link` is used only
    // on the thread, or by one job at a time.
    let link: BusLink
    /// Whether the thread runs; without it nothing waits for the bus.
    private(set) var isRunning = false
    private let lock = Lock()
    private var jobs: [UnownedJob] = []
    private var isStopped = false
    private var isDraining = false
    private let wakeup = bus_make_eventfd()

    /// Starts the thread, which ends some time after `stop`.
    ///
    /// - Parameter start: starts the thread; replaced only in tests.
    init(address: String, startedBy start: (BusThread) -> Bool = { $0.start() }) {
        link = BusLink(address: address)
        isRunning = wakeup >= 0 && start(self)
    }

    /// - Returns: false when the system can't start a thread.
    private func start() -> Bool {
        guard let thread = SystemThread({ self.run() }) else { return false }
        thread.detach()
        return true
    }

    deinit { if wakeup >= 0 { close(wakeup) } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lock.withLock { jobs.append(job) }
        if isRunning { wake() } else { drain() }
    }

    /// Runs the pending jobs on the caller's thread, unless another thread is already doing so.
    private func drain() {
        while let job = lock.withLock({ takeNext() }) {
            unsafe job.runSynchronously(on: asUnownedSerialExecutor())
            lock.withLock { isDraining = false }
        }
    }

    private func takeNext() -> UnownedJob? {
        guard !isDraining, !jobs.isEmpty else { return nil }
        isDraining = true
        return jobs.removeFirst()
    }

    /// Closes the connection and ends the thread, after the pending jobs.
    func stop() {
        lock.withLock { isStopped = true }
        if isRunning { wake() }
    }

    private func wake() {
        var one: UInt64 = 1
        _ = unsafe write(wakeup, &one, 8)
    }

    private func run() {
        while true {
            let (due, mayEnd) = lock.withLock {
                defer { jobs = [] }
                return (jobs, isStopped)
            }
            for job in due { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
            link.process()
            // Listeners that are told of the end may add jobs, so check for jobs again before leaving.
            if due.isEmpty, mayEnd { break }
            if due.isEmpty { rest() }
        }
        link.close()
    }

    /// Waits until the bus or a job needs attention.
    private func rest() {
        let interest = link.interest
        var descriptors = [pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)]
        if let interest { descriptors.append(interest.descriptor) }
        _ = unsafe poll(&descriptors, nfds_t(descriptors.count), interest?.patience ?? -1)
        var count: UInt64 = 0
        _ = unsafe read(wakeup, &count, 8)
    }
}
