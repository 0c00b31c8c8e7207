import Synchronization

/// A place among the connections of a server, and among those of its network; it ends with the value.
final class ConnectionPlace: Sendable {
    private let core: ServerCore
    /// The network that has it; nil where it is not counted.
    private let network: [UInt8]?
    /// Whether it can be taken, even to be told why not.
    let isThere: Bool
    /// What every request is answered; nil where it is served.
    let refusal: Refusal?
    /// Whether its network has too many.
    let isOfNetwork: Bool

    init(for peer: PeerAddress, in core: ServerCore) {
        self.core = core
        let (limits, most) = (core.limits, core.limits.connectionsOfNetwork)
        let count = core.connectionCount.add(1, ordering: .relaxed).newValue
        let isCounted = most < .max && !core.isTrusted(peer)
        network = isCounted ? peer.network : nil
        let excess = isCounted ? core.networks.enter(peer.network) - most : 0
        isOfNetwork = excess > 0
        isThere = excess <= most && count <= limits.connections + core.surplus
        refusal = count > limits.connections ? .busy : excess > 0 ? .tooManyConnections : nil
    }

    deinit {
        if let network { core.networks.leave(network) }
        core.connectionCount.subtract(1, ordering: .relaxed)
    }
}
