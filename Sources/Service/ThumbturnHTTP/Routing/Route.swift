/// One line of the table from which both the answers and `openapi.json` come.
///
/// `Context` is what a worker's thread has for itself, such as its connection to a store.
package struct Route<Context>: Sendable {
    /// What answers.
    package typealias Handler = @Sendable (HTTPRequest, Context) -> HTTPResponse

    let method: HTTPMethod
    let pattern: PathPattern
    let maximumBody: Int
    let contentType: String?
    let document: Operation
    let handler: Handler

    /// A route.
    ///
    /// - Parameters:
    ///   - pattern: a path whose parts are fixed words, or names in braces, which stand for any part: `/v1/login/{handshake}`.
    ///   - maximumBody: how many bytes the content may have; 0 where there is none.
    ///   - contentType: the only type that content may have, in lower case without parameters; nil where none is asked for.
    package init(
        _ method: HTTPMethod,
        _ pattern: String,
        maximumBody: Int = 0,
        contentType: String? = nil,
        document: Operation,
        handler: @escaping Handler
    ) {
        self.method = method
        self.pattern = PathPattern(pattern)
        self.maximumBody = maximumBody
        self.contentType = contentType
        self.document = document
        self.handler = handler
    }
}
