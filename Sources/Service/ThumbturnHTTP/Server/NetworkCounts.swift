import ThumbturnFiles

/// The number of connections of each network.
final class NetworkCounts: Sendable {
    private let counts = Monitor<[[UInt8]: Int]>([:])

    /// Counts another connection.
    ///
    /// - Returns: the new number.
    func enter(_ network: [UInt8]) -> Int {
        counts.change { counts in
            counts[network, default: 0] += 1
            return counts[network] ?? 1
        }
    }

    /// Uncounts a connection.
    func leave(_ network: [UInt8]) {
        counts.change { counts in
            guard let count = counts[network] else { return }
            counts[network] = count > 1 ? count - 1 : nil
            if counts.isEmpty { counts = [:] }
        }
    }
}
