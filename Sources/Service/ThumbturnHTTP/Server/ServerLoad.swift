import Synchronization

/// What a server's memory depends on: how much there is now, and the most there was, for freeing memory after a flood.
///
/// Each change counts toward the most, since a flood may come and go between two looks.
final class ServerLoad: Sendable {
    /// A count, and the highest value that it had.
    struct Gauge: ~Copyable {
        private let now = Atomic<Int>(0)
        private let highest = Atomic<Int>(0)

        var value: Int { now.load(ordering: .relaxed) }
        var most: Int { highest.load(ordering: .relaxed) }

        /// Adds to the count, and returns the new value.
        @discardableResult
        borrowing func add(_ change: Int) -> Int {
            let value = now.add(change, ordering: .relaxed).newValue
            highest.max(value, ordering: .relaxed)
            return value
        }

        /// Forgets what was, so that the highest value is the present one.
        fileprivate borrowing func forget() { highest.store(value, ordering: .relaxed) }
    }

    let connections = Gauge()
    /// The buffered bytes of content.
    let contentBytes = Gauge()

    /// Whether the use was so high that it is worth checking whether it is over.
    var mayGiveBack: Bool { connections.most >= 256 || contentBytes.most >= 4 << 20 }

    /// Returns whether to free memory now: each time that use fell to a quarter of the most.
    func takeGivingBack() -> Bool {
        guard mayGiveBack, connections.value <= connections.most / 4, contentBytes.value <= contentBytes.most / 4
        else { return false }
        connections.forget()
        contentBytes.forget()
        return true
    }
}
