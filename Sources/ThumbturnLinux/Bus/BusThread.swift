import CSDBus
import Glibc
import ThumbturnDevice

/// A thread that does nothing but wait for the bus and run the jobs of one actor.
///
/// sd-bus wants all calls of a connection on one thread, and may wait; so the thread is the actor's executor, and neither
/// Swift's pool nor another task is held up.
final class BusThread: SerialExecutor, @unchecked Sendable {
    // Safe to share: `lock` guards the two variables, `wakeup` is set once, and `link` is used on the thread alone.
    let link: BusLink
    private let lock = Lock()
    private var jobs: [UnownedJob] = []
    private var isStopped = false
    private let wakeup = bus_make_eventfd()

    /// Starts the thread, which ends some time after `stop`.
    init(address: String) {
        precondition(wakeup >= 0, "no descriptor is left to wake a thread with")
        link = BusLink(address: address)
        var thread = pthread_t()
        let me = unsafe Unmanaged.passRetained(self).toOpaque()
        let result = unsafe pthread_create(
            &thread,
            nil,
            { me in
                if let me = unsafe me { unsafe Unmanaged<BusThread>.fromOpaque(me).takeRetainedValue().run() }
                return nil
            },
            me
        )
        precondition(result == 0, "no thread is left")
        pthread_detach(thread)
    }

    deinit { close(wakeup) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lock.withLock { jobs.append(job) }
        wake()
    }

    /// Ends the connection and the thread, after the jobs that are there.
    func stop() {
        lock.withLock { isStopped = true }
        wake()
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
