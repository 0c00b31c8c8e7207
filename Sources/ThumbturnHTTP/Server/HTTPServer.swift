/// A server of HTTP/1.1, and of HTTP/1.0 without its keep-alive (RFC 9112).
///
/// Loop threads read, write and refuse; whole requests go through a bounded queue to worker threads, which may block.
package final class HTTPServer: Sendable {
    /// Answers requests on one worker's thread.
    package typealias Handler = (HTTPRequest) -> HTTPResponse

    /// Prepares a server.
    ///
    /// - Parameters:
    ///   - admit: what becomes of a request by its head, such as `Router.admit`; called on loop threads.
    ///   - problem: makes the answer to what the server refuses; called on loop threads.
    ///   - log: hears what the server does by itself; called on loop threads, so it must not block.
    ///   - makeHandler: makes a worker's handler, once, on the worker's thread; its argument is the worker's number.
    package init(
        _ configuration: Configuration,
        admit: @escaping @Sendable (RequestHead) -> Admission,
        problem: @escaping @Sendable (Refusal) -> HTTPResponse = { $0.problem },
        log: @escaping @Sendable (Event) -> Void = { _ in },
        makeHandler: @escaping @Sendable (Int) throws -> Handler
    ) {
    }

    /// Listens, once; when it returns, connections are accepted.
    package func start() throws(HTTPError) {}

    /// The port that it listens at; 0 before it was started.
    package var port: UInt16 { 0 }

    /// Reads certificate and key anew, for connections that come from now on; where that fails the former ones stay.
    package func reloadCertificate() throws(HTTPError) {}

    /// Accepts no more, answers what began, and closes; called once.
    ///
    /// - Parameter seconds: how long that may take; what is not answered by then is cut off.
    /// - Returns: whether all that began was answered.
    @discardableResult
    package func stop(within seconds: Int) -> Bool { true }
}
