import CSDBus
import Glibc
import ThumbturnDevice

/// A thread that does nothing but wait for the bus and run the jobs of one actor.
///
/// sd-bus wants all calls of a connection on one thread, and may wait; so the thread is the actor's executor, and neither
/// Swift's pool nor another task is held up.
///
/// Where the system has no thread to give, whoever brings a job runs it, one at a time: each call says then that there is no
/// bus, and nothing hangs or ends the process.
final class BusThread: SerialExecutor, @unchecked Sendable {
    // Safe to share: `lock` guards the three variables, `wakeup` and `isRunning` are set once, and `link` is used on the thread
    // alone, or by one job at a time.
    let link: BusLink
    /// Whether there is a thread; without one nothing waits for the bus.
    private(set) var isRunning = false
    private let lock = Lock()
    private var jobs: [UnownedJob] = []
    private var isStopped = false
    private var isDraining = false
    private let wakeup = bus_make_eventfd()

    /// Starts the thread, which ends some time after `stop`.
    ///
    /// - Parameter start: starts it; something else only in tests.
    init(address: String, startedBy start: (BusThread) -> Bool = { $0.start() }) {
        link = BusLink(address: address)
        isRunning = wakeup >= 0 && start(self)
    }

    /// - Returns: false when the system has no thread to give.
    private func start() -> Bool {
        var thread = pthread_t()
        let me = unsafe Unmanaged.passRetained(self)
        let result = unsafe pthread_create(
            &thread,
            nil,
            { me in
                if let me = unsafe me { unsafe Unmanaged<BusThread>.fromOpaque(me).takeRetainedValue().run() }
                return nil
            },
            me.toOpaque()
        )
        guard result == 0 else {
            unsafe me.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    deinit { if wakeup >= 0 { close(wakeup) } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lock.withLock { jobs.append(job) }
        if isRunning { wake() } else { drain() }
    }

    /// Runs what there is on the thread of whoever brought it, unless somebody else does so already.
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

    /// Ends the connection and the thread, after the jobs that are there.
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
            // What is told at the end may bring jobs, so the end is looked at again.
            if due.isEmpty, mayEnd { break }
            if due.isEmpty { rest() }
        }
        link.close()
    }

    /// Waits until the bus or a job has something to do.
    private func rest() {
        let interest = link.interest
        var descriptors = [pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)]
        if let interest { descriptors.append(interest.descriptor) }
        _ = unsafe poll(&descriptors, nfds_t(descriptors.count), interest?.patience ?? -1)
        var count: UInt64 = 0
        _ = unsafe read(wakeup, &count, 8)
    }
}
