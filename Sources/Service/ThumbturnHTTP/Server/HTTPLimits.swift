/// The limits of the server's load and waiting times.
package struct HTTPLimits: Sendable {
    /// The maximum number of connections served at once; further ones are answered 503.
    package var connections = 16_384
    /// The maximum number of connections of one network, not counting trusted proxies; as many again are answered 429,
    /// and any beyond that are closed.
    package var connectionsOfNetwork = Int.max
    /// How often per second one network may connect or send a request; the answers to more are delayed.
    package var requestsPerSecondOfNetwork = Int.max
    /// The maximum number of workers answering one network at a time, so that others find a free one.
    package var workersOfNetwork = Int.max
    /// The maximum number of bytes of a request line, and of all header lines together (414, 431).
    package var headerBytes = 8_192
    /// The maximum number of requests waiting for a worker; beyond it the last of the network with the most is answered
    /// 503.
    package var queue = 1_024
    /// The maximum number of answers that handlers have promised and not given; a further one is answered 503.
    package var outstanding = 8_192
    /// The maximum number of bytes of content buffered for all requests that are not answered (503).
    package var bufferedBytes = 128 << 20
    /// How long a connection may be silent between requests.
    package var idleMilliseconds: Int64 = 60_000
    /// The maximum duration of a head from its first byte, and of a TLS handshake (408).
    package var headMilliseconds: Int64 = 10_000
    /// The additional time that content and an answer may take besides that for `bytesPerSecond`.
    package var graceMilliseconds: Int64 = 10_000
    /// The minimum speed of content and of an answer.
    package var bytesPerSecond = 1_024
    /// How long to read and discard the rest of a refused request, so that the client receives the answer.
    package var lingerMilliseconds: Int64 = 10_000
    /// The maximum number of bytes discarded.
    package var lingerBytes = 32 << 20

    package init() {}
}
