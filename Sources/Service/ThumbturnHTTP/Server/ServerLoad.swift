import Synchronization
import ThumbturnFiles

/// The peaks of memory use, for freeing memory once most of it is unused.
final class ServerLoad: Sendable {
    private struct Most {
        var connections = 0
        var contentByteCount = 0
        var isOver = false
    }

    private let most = Monitor(Most())

    /// Records the present use.
    func note(_ connections: Int, _ contentByteCount: Int) {
        most.change { most in
            let wasFlooded = most.connections >= 256 || most.contentByteCount >= 4 << 20
            most.isOver =
                wasFlooded && connections <= most.connections / 4 && contentByteCount <= most.contentByteCount / 4
            most.connections = max(most.connections, connections)
            most.contentByteCount = max(most.contentByteCount, contentByteCount)
        }
    }

    /// Whether the use was so high that it is worth checking whether it is over.
    var mayGiveBack: Bool { most.change { $0.connections >= 256 || $0.contentByteCount >= 4 << 20 } }

    /// Returns whether to free memory now, once for each flood.
    func takeGivingBack() -> Bool {
        most.change { most in
            guard most.isOver else { return false }
            most = Most()
            return true
        }
    }
}
