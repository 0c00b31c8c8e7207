/// How much the server takes, and how long it waits.
package struct HTTPLimits: Sendable {
    /// How many connections are served at once; further ones are answered 503.
    package var connections = 16_384
    /// How many of them one network may have, those of trusted proxies left out; as many again are answered 429, and what comes
    /// beyond them is closed.
    package var connectionsOfNetwork = Int.max
    /// How often a second one network may connect and ask; what comes faster is answered later.
    package var requestsPerSecondOfNetwork = Int.max
    /// How many workers may answer one network at the same time, so that others find one.
    package var workersOfNetwork = Int.max
    /// How many bytes a request line may have, and how many all header lines together (414, 431).
    package var headerBytes = 8_192
    /// How many requests may wait for a worker; of more the last of whoever has most is answered 503.
    package var queue = 1_024
    /// How many bytes of content the server keeps at once, of all requests that are not in whole yet (503).
    package var bufferedBytes = 128 << 20
    /// How long a connection may be silent between requests.
    package var idleMilliseconds: Int64 = 60_000
    /// How long a head may take from its first byte on, and a TLS handshake from its beginning (408).
    package var headMilliseconds: Int64 = 10_000
    /// How long content, and an answer, may take besides what `bytesPerSecond` gives each.
    package var graceMilliseconds: Int64 = 10_000
    /// How fast content has to come in, and an answer has to be taken.
    package var bytesPerSecond = 1_024
    /// How long the rest of what was refused is read and thrown away, so that the client reads why.
    package var lingerMilliseconds: Int64 = 10_000
    /// The same in bytes.
    package var lingerBytes = 32 << 20

    package init() {}
}
