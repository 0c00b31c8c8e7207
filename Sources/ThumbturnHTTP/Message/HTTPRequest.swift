/// A request as it came in whole.
///
/// What it holds is overwritten once it was answered, as far as nothing else holds it by then: what a handler copies out is
/// the handler's to wipe.
package struct HTTPRequest: Sendable {
    /// What is to be done.
    package let method: HTTPMethod
    /// The path as it was sent, percent-encoded, without the query.
    package let path: String
    /// What the path has where the route's pattern has a name in braces, decoded; empty before a `Router` saw the request.
    package internal(set) var parameters: [String: String] = [:]
    /// What follows the question mark, as it was sent; nil where there is none.
    package let query: String?
    /// The header fields.
    package internal(set) var headers: HTTPHeaders
    /// The content, at most as long as the route allows.
    package internal(set) var body: [UInt8]
    /// Who asks: behind a trusted proxy, the one whom it names.
    package let peer: PeerAddress

    /// Puts a request together; tests do, and the server.
    package init(
        _ method: HTTPMethod,
        _ path: String,
        query: String? = nil,
        headers: HTTPHeaders = HTTPHeaders([]),
        body: [UInt8] = [],
        peer: PeerAddress = .loopback
    ) {
        (self.method, self.path, self.query) = (method, path, query)
        (self.headers, self.body, self.peer) = (headers, body, peer)
    }

    /// Overwrites content and header fields where this value is the only one to hold them.
    mutating func wipe() {
        headers.wipe()
        body.wipe()
    }
}
