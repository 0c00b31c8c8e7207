import ThumbturnFiles

/// Gives the answer to one request, from any thread, after its handler has returned.
///
/// The first answer counts, and any further one is ignored. A reply that is released without an answer gives one by
/// itself, so that no client waits for ever. It keeps nothing of the request.
package final class HTTPReply: Sendable {
    /// Where an answer goes; it owns the answer, so that it can overwrite it.
    package typealias Way = @Sendable (consuming HTTPResponse) -> Void

    private struct Open {
        // In a structure, so that the monitor, which is generic, passes the function on unchanged.
        let way: Way
    }

    /// The way of the answer; `nil` once there was one.
    private let open: Monitor<Open?>
    private let substitute: @Sendable () -> HTTPResponse

    /// Creates a reply.
    ///
    /// - Parameters:
    ///   - substitute: returns the answer that is given if there is no other.
    ///   - way: takes the answer, once, on the thread that gives or releases the reply.
    package init(ifDropped substitute: @escaping @Sendable () -> HTTPResponse, give way: @escaping Way) {
        self.substitute = substitute
        open = Monitor(Open(way: way))
    }

    deinit { if let open = close() { open.way(substitute()) } }

    /// Gives the answer.
    ///
    /// - Parameter response: its content is overwritten once it was sent, unless the caller keeps a copy.
    package func callAsFunction(_ response: consuming HTTPResponse) {
        guard let open = close() else { return response.body.wipe() }
        open.way(response)
    }

    private func close() -> Open? {
        open.change { open in
            defer { open = nil }
            return open
        }
    }
}
