/// A completely received request.
///
/// Content and header fields are overwritten when the last copy of the request is released; a handler has to wipe its
/// own copies.
package struct HTTPRequest: Sendable {
    /// The method.
    package let method: HTTPMethod
    /// The path as sent, percent-encoded, without the query.
    package let path: String
    /// The decoded parts of the path for the names in the route's pattern; empty before a `Router` has seen the
    /// request.
    package internal(set) var parameters: [String: String] = [:]
    /// The text after the question mark, as sent; `nil` if there is none.
    package let query: String?
    /// The header fields.
    package let headers: HTTPHeaders
    /// The content, no longer than the route allows.
    package var body: [UInt8] { content.bytes }
    /// The client's address; behind a trusted proxy, the one that the proxy reports.
    package let peer: PeerAddress

    private let content: WipedBytes

    /// Creates a request, for the server or a test.
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

    /// Creates a request from its parsed parts.
    init(_ head: RequestHead, _ content: WipedBytes, peer: PeerAddress) {
        (method, path, query) = (head.method, head.path, head.query)
        (headers, self.content, self.peer) = (head.headers, content, peer)
    }
}
