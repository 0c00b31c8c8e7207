/// The head of a request: all that stands before its content.
package struct RequestHead: Sendable {
    /// How long the content is.
    package enum Content: Hashable, Sendable {
        case none
        /// So many bytes, at least one.
        case fixed(Int)
        /// Chunks with their sizes (RFC 9112 §7.1).
        case chunked
    }

    /// What is to be done.
    package let method: HTTPMethod
    /// The path as it was sent, percent-encoded, without the query; `*` of `OPTIONS`.
    package let path: String
    /// What follows the question mark; nil where there is none.
    package let query: String?
    /// The header fields.
    package let headers: HTTPHeaders
    /// How long the content is.
    package let content: Content
    /// Whether another request may follow on the connection.
    package let keepsAlive: Bool
    /// Whether the client waits for a word before it sends the content.
    package let expectsContinue: Bool
}

/// What becomes of a request by its head alone.
package enum Admission: Sendable {
    /// The content is read, up to so many bytes.
    case admitted(maximumBody: Int)
    /// Nothing more is read.
    case refused(Refusal)
}
