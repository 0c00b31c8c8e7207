/// The head of a request: everything before its content.
package struct RequestHead: Sendable {
    /// The length of the content.
    package enum Content: Hashable, Sendable {
        case none
        /// A number of bytes, at least one.
        case fixed(Int)
        /// Chunks with their sizes (RFC 9112 §7.1).
        case chunked
    }

    /// The method.
    package let method: HTTPMethod
    /// The path as sent, percent-encoded, without the query; `*` for `OPTIONS`.
    package let path: String
    /// The text after the question mark; `nil` if there is none.
    package let query: String?
    /// The header fields.
    package let headers: HTTPHeaders
    /// The length of the content.
    package let content: Content
    /// Whether another request may follow on the connection.
    package let keepsAlive: Bool
    /// Whether the client waits for an interim answer before it sends the content.
    package let expectsContinue: Bool
}

/// The decision about a request, made from its head.
package enum Admission: Sendable {
    /// Read the content, up to this many bytes.
    case admitted(maximumBody: Int)
    /// Read nothing more.
    case refused(Refusal)
}
