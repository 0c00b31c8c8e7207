/// A row of the table from which both the router and `openapi.json` are made.
///
/// `Context` is what each worker thread has for itself, such as its connection to a store.
package struct Route<Context>: Sendable {
    /// Answers a request.
    package typealias Handler = @Sendable (HTTPRequest, Context) -> HTTPAnswer

    let method: HTTPMethod
    let pattern: PathPattern
    let maximumBody: Int
    let contentType: String?
    let document: Operation
    let handler: Handler

    /// Creates a route.
    ///
    /// - Parameters:
    ///   - pattern: a path whose parts are fixed words, or names in braces that match any part:
    ///     `/v1/login/{handshake}`.
    ///   - isOpenEnded: whether the last name in braces matches all parts that are left, joined by slashes.
    ///   - maximumBody: the maximum number of bytes of content; 0 if there is none.
    ///   - contentType: the only type allowed for content, in lower case without parameters; `nil` for any.
    package init(
        _ method: HTTPMethod,
        _ pattern: String,
        isOpenEnded: Bool = false,
        maximumBody: Int = 0,
        contentType: String? = nil,
        document: Operation,
        handler: @escaping Handler
    ) {
        self.method = method
        self.pattern = PathPattern(pattern, isOpenEnded: isOpenEnded)
        self.maximumBody = maximumBody
        self.contentType = contentType
        self.document = document
        self.handler = handler
    }
}
