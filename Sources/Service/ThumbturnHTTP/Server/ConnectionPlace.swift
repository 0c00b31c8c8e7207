/// A place in the counts of the server's and its network's connections, released with the object.
final class ConnectionPlace: Sendable {
    private let core: ServerCore
    /// The counted network; `nil` if it is not counted.
    private let network: [UInt8]?
    /// Whether the connection can be accepted, even if only to be refused.
    let isThere: Bool
    /// The refusal for every request; `nil` if the connection is served.
    let refusal: Refusal?
    /// Whether its network has too many connections.
    let isOfNetwork: Bool

    init(for peer: PeerAddress, in core: ServerCore) {
        self.core = core
        let (limits, most) = (core.limits, core.limits.connectionsOfNetwork)
        let count = core.load.connections.add(1)
        let isCounted = most < .max && !core.isTrusted(peer)
        network = isCounted ? peer.network : nil
        let excess = isCounted ? core.networks.enter(peer.network) - most : 0
        isOfNetwork = excess > 0
        isThere = excess <= most && count <= limits.connections + core.surplus
        refusal = count > limits.connections ? .busy : excess > 0 ? .tooManyConnections : nil
    }

    deinit {
        if let network { core.networks.leave(network) }
        core.load.connections.add(-1)
    }
}
