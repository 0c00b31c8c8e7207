import ThumbturnFiles

/// The jobs waiting for a worker: one queue per network, and the networks take turns.
///
/// It has a fixed capacity. A network that keeps sending requests only delays itself, and another network's request
/// comes next.
final class WorkQueue<Job: Sendable>: Sendable {
    fileprivate struct Line {
        var jobs: [Job] = []
        /// The number of the network's jobs that workers are processing.
        var running = 0
    }

    fileprivate struct Lines {
        /// The queues of the networks with a job that waits or is being answered.
        var all: [[UInt8]: Line] = [:]
        /// The networks with waiting jobs, in the order of their turns.
        var turns: [[UInt8]] = []
        var count = 0
        var isClosed = false
    }

    private let capacity: Int
    private let share: Int
    private let lines = Monitor(Lines())

    /// - Parameters:
    ///   - capacity: the maximum number of waiting jobs, at least one.
    ///   - share: the maximum number of workers for one network at a time.
    init(capacity: Int, share: Int) { (self.capacity, self.share) = (max(1, capacity), max(1, share)) }

    /// Adds a job of a network.
    ///
    /// - Returns: a job without room: the last one of the network with the most, which may be this one, or this one if
    ///   the queue is closed; `nil` if there is room.
    func add(_ job: consuming Job, of network: [UInt8]) -> Job? {
        let job = job
        return lines.change { lines in
            guard !lines.isClosed else { return job }
            if lines.all[network, default: Line()].jobs.isEmpty { lines.turns.append(network) }
            lines.all[network, default: Line()].jobs.append(job)
            lines.count += 1
            return lines.count > capacity ? lines.dropLast(likely: network) : nil
        }
    }

    /// Waits for the next job, which needs a call of `finish`; returns `nil` once the queue is closed and empty.
    func next() -> Job? {
        // The inner `nil` ends the wait; it has no deadline, so the outer one never occurs.
        lines.wait { [share] lines -> Job?? in
            if let job = lines.takeNext(share) { return .some(job) }
            return lines.isClosed && lines.count == 0 ? .some(nil) : nil
        } ?? nil
    }

    /// Marks a job of a network as answered.
    func finish(of network: [UInt8]) {
        lines.change { lines in
            lines.all[network]?.running -= 1
            lines.forget(network)
        }
    }

    /// Stops accepting jobs.
    func close() { lines.change(wakingAll: true) { $0.isClosed = true } }
}

extension WorkQueue.Lines {
    fileprivate mutating func takeNext(_ share: Int) -> Job? {
        guard let place = turns.firstIndex(where: { all[$0]?.running ?? 0 < share }) else { return nil }
        let network = turns.remove(at: place)
        guard let job = all[network]?.jobs.removeFirst() else { return nil }
        all[network]?.running += 1
        count -= 1
        if all[network]?.jobs.isEmpty == false { turns.append(network) }
        return job
    }

    /// - Parameter network: the network to drop from if no other has more.
    fileprivate mutating func dropLast(likely network: [UInt8]) -> Job? {
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
        // After a flood from many networks, free the memory for them too.
        if all.isEmpty { (all, turns) = ([:], []) }
    }
}
