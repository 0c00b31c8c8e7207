/// A request that waits for a worker, and where its answer goes.
struct Job: Sendable {
    let request: HTTPRequest
    let recipient: Recipient
    /// The network whose turn at the workers it takes.
    let network: [UInt8]

    init(_ request: HTTPRequest, for recipient: Recipient) {
        (self.request, self.recipient, network) = (request, recipient, request.peer.network)
    }
}
