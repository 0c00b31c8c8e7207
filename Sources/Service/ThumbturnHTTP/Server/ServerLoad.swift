import Synchronization

/// How much there was of what takes memory, so that it is given back once little of it is left.
final class ServerLoad: Sendable {
    private struct Most {
        var connections = 0
        var contentByteCount = 0
        var isOver = false
    }

    private let most = Monitor(Most())

    /// Notes how much there is now.
    func note(_ connections: Int, _ contentByteCount: Int) {
        most.change { most in
            let wasFlooded = most.connections >= 256 || most.contentByteCount >= 4 << 20
            most.isOver =
                wasFlooded && connections <= most.connections / 4 && contentByteCount <= most.contentByteCount / 4
            most.connections = max(most.connections, connections)
            most.contentByteCount = max(most.contentByteCount, contentByteCount)
        }
    }

    /// Whether there was so much that it is worth looking whether it is over.
    var mayGiveBack: Bool { most.change { $0.connections >= 256 || $0.contentByteCount >= 4 << 20 } }

    /// Whether it is time, once for each flood.
    func takeGivingBack() -> Bool {
        most.change { most in
            guard most.isOver else { return false }
            most = Most()
            return true
        }
    }
}
