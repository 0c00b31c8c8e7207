extension HTTPServer {
    /// Where and how a server listens.
    package struct Configuration: Sendable {
        /// The files of a certificate chain, the server's own first, and of its private key, both PEM.
        package struct TLSFiles: Sendable {
            let chain: String
            let key: String

            package init(chain: String, key: String) {
                (self.chain, self.key) = (chain, key)
            }
        }

        /// An address, or a name that has one.
        package var host = "127.0.0.1"
        /// 0 takes one that is free, which `HTTPServer.port` says.
        package var port: UInt16 = 0
        /// Without it plain HTTP is spoken.
        package var tls: TLSFiles?
        /// How many threads read and write; one a core is enough.
        package var loops = 1
        /// How many threads answer, each with a handler of its own.
        package var workers = 2
        /// How much is taken, and how long is waited.
        package var limits = HTTPLimits()
        /// Whose `X-Forwarded-For` is believed.
        package var trustedProxies: [CIDR] = []

        package init() {}
    }

    /// What a server tells its log; nothing of what clients sent.
    package enum Event: Sendable {
        /// A request was refused before it reached a handler.
        case refused(Refusal, peer: PeerAddress)
        /// No connection is accepted for a moment, because the system has no descriptor or no memory; the number is its `errno`.
        case acceptPaused(errno: Int32)
        /// A connection was closed at once, because even those that are answered 503 are too many.
        case connectionDropped(peer: PeerAddress)
    }
}
