/// What waits for a worker; holds no more than it was made for.
final class WorkQueue: Sendable {
    /// A request, and where its answer goes.
    struct Job: Sendable {
        var request: HTTPRequest
        let closes: Bool
        let omitsBody: Bool
        let loop: EventLoop
        let token: UInt64
    }

    /// A ring: the first job stands at `first`, the others behind it.
    private struct Ring {
        var jobs: [Job?]
        var first = 0
        var count = 0
        var isClosed = false
    }

    private let ring: Monitor<Ring>

    /// - Parameter capacity: how many jobs may wait, at least one.
    init(capacity: Int) {
        ring = Monitor(Ring(jobs: Array(repeating: nil, count: max(1, capacity))))
    }

    /// Adds a job, unless the queue is full or closed.
    ///
    /// - Returns: whether it did.
    func add(_ job: consuming Job) -> Bool {
        let job = job
        return ring.change { ring in
            guard ring.count < ring.jobs.count, !ring.isClosed else { return false }
            ring.jobs[(ring.first + ring.count) % ring.jobs.count] = job
            ring.count += 1
            return true
        }
    }

    /// Waits for the next job; nil once the queue is closed and empty.
    func next() -> Job? {
        // Nothing within is the wait's own nil; without a deadline there is none.
        ring.wait { ring -> Job?? in
            guard ring.count > 0 else { return ring.isClosed ? .some(nil) : nil }
            let job = ring.jobs[ring.first].take()
            ring.first = (ring.first + 1) % ring.jobs.count
            ring.count -= 1
            return .some(job)
        } ?? nil
    }

    /// Takes no more jobs.
    func close() {
        ring.change(wakingAll: true) { $0.isClosed = true }
    }
}
