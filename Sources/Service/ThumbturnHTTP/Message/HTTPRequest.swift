/// A request as it came in whole.
///
/// Content and header fields are overwritten when the last copy of the request goes: what a handler copied out of it is the
/// handler's to wipe.
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
    package let headers: HTTPHeaders
    /// The content, at most as long as the route allows.
    package var body: [UInt8] { content.bytes }
    /// Who asks: behind a trusted proxy, the one whom it names.
    package let peer: PeerAddress

    private let content: WipedBytes

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
        (self.headers, self.peer) = (headers, peer)
        content = WipedBytes(body)
    }

    /// A request as it was read.
    init(_ head: RequestHead, _ content: WipedBytes, peer: PeerAddress) {
        (method, path, query) = (head.method, head.path, head.query)
        (headers, self.content, self.peer) = (head.headers, content, peer)
    }
}
