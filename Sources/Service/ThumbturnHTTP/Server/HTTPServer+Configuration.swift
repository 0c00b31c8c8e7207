extension HTTPServer {
    /// Answers requests on one worker's thread.
    package typealias Handler = (HTTPRequest) -> HTTPAnswer

    /// The configuration of a server.
    package struct Configuration: Sendable {
        /// The PEM files of a certificate chain, with the server's own certificate first, and of its private key.
        package struct TLSFiles: Sendable {
            let chain: String
            let key: String

            package init(chain: String, key: String) { (self.chain, self.key) = (chain, key) }
        }

        /// An address, or a name that resolves to one.
        package var host = "127.0.0.1"
        /// The port; 0 takes a free one, which `HTTPServer.port` returns.
        package var port: UInt16 = 0
        /// The certificate and key; `nil` for plain HTTP.
        package var tls: TLSFiles?
        /// The number of threads that read and write; one per core is enough.
        package var loops = 1
        /// The number of threads that answer, each with its own handler.
        package var workers = 2
        /// The limits of load and waiting times.
        package var limits = HTTPLimits()
        /// The proxies whose `X-Forwarded-For` is trusted.
        package var trustedProxies: [CIDR] = []

        package init() {}
    }

    /// An event for the server's log, without data from clients.
    package enum Event: Sendable {
        /// The server answered a request in place of a handler.
        case refused(Refusal, peer: PeerAddress)
        /// Accepting is paused, because the system lacks descriptors or memory, with this `errno`.
        case acceptPaused(errno: Int32)
        /// A connection was closed at once, because there are too many even for a 503.
        case connectionDropped(peer: PeerAddress)
    }
}
