/// What waits for a worker: a line for each network, and the networks take turns.
///
/// It holds no more than it was made for.
/// So whoever asks without end waits for itself, and another network's request is the next.
final class WorkQueue: Sendable {
    /// A request, and where its answer goes.
    struct Job: Sendable {
        var request: HTTPRequest
        let closes: Bool
        let omitsBody: Bool
        let loop: EventLoop
        let token: UInt64
        let network: [UInt8]
    }

    fileprivate struct Line {
        var jobs: [Job] = []
        /// How many of the network's jobs workers have.
        var running = 0
    }

    fileprivate struct Lines {
        /// Those of the networks of which anything waits or is answered.
        var all: [[UInt8]: Line] = [:]
        /// The networks of which something waits, in the order of their turns.
        var turns: [[UInt8]] = []
        var count = 0
        var isClosed = false
    }

    private let capacity: Int
    private let share: Int
    private let lines = Monitor(Lines())

    /// - Parameters:
    ///   - capacity: how many jobs may wait, at least one.
    ///   - share: how many workers one network may have at the same time.
    init(capacity: Int, share: Int) {
        (self.capacity, self.share) = (max(1, capacity), max(1, share))
    }

    /// Adds a job.
    ///
    /// - Returns: what there is no room for: the last of the network of which most waits, which may be this one; nil where there
    ///   is room.
    func add(_ job: consuming Job) -> Job? {
        let job = job
        return lines.change { lines in
            guard !lines.isClosed else { return job }
            if lines.all[job.network, default: Line()].jobs.isEmpty { lines.turns.append(job.network) }
            lines.all[job.network, default: Line()].jobs.append(job)
            lines.count += 1
            return lines.count > capacity ? lines.dropLast(likely: job.network) : nil
        }
    }

    /// Waits for the next job, whose `finish` has to follow; nil once the queue is closed and empty.
    func next() -> Job? {
        // Nothing within is the wait's own nil; without a deadline there is none.
        lines.wait { [share] lines -> Job?? in
            if let job = lines.takeNext(share) { return .some(job) }
            return lines.isClosed && lines.count == 0 ? .some(nil) : nil
        } ?? nil
    }

    /// Says that a job was answered.
    func finish(_ job: Job) {
        lines.change { lines in
            lines.all[job.network]?.running -= 1
            lines.forget(job.network)
        }
    }

    /// Takes no more jobs.
    func close() {
        lines.change(wakingAll: true) { $0.isClosed = true }
    }
}

extension WorkQueue.Lines {
    fileprivate mutating func takeNext(_ share: Int) -> WorkQueue.Job? {
        guard let place = turns.firstIndex(where: { all[$0]?.running ?? 0 < share }) else { return nil }
        let network = turns.remove(at: place)
        guard let job = all[network]?.jobs.removeFirst() else { return nil }
        all[network]?.running += 1
        count -= 1
        if all[network]?.jobs.isEmpty == false { turns.append(network) }
        return job
    }

    /// - Parameter network: the one that is dropped from where others have no more.
    fileprivate mutating func dropLast(likely network: [UInt8]) -> WorkQueue.Job? {
        var (longest, most) = (network, all[network]?.jobs.count ?? 0)
        for other in turns {
            let waiting = all[other]?.jobs.count ?? 0
            if waiting > most { (longest, most) = (other, waiting) }
        }
        let job = all[longest]?.jobs.popLast()
        count -= 1
        if all[longest]?.jobs.isEmpty == true {
            turns.removeAll { $0 == longest }
            forget(longest)
        }
        return job
    }

    fileprivate mutating func forget(_ network: [UInt8]) {
        guard let line = all[network], line.jobs.isEmpty, line.running == 0 else { return }
        all[network] = nil
        // After a flood of many networks the room for them goes too.
        if all.isEmpty { (all, turns) = ([:], []) }
    }
}
