package import ThumbturnJSON

/// What the service writes down: one JSON object a line, with neither a secret nor a name in clear.
///
/// A name stands as its HMAC under the name key, so an operator finds the lines of one account, and a thief of the log
/// can't find out whose they are.
package struct ServiceLog: Sendable {
    /// How much a line matters.
    package enum Level: String, Sendable {
        case info, warning, error
    }

    private let write: @Sendable (String) -> Void

    /// - Parameter write: takes one line, without its end; called by all threads at once.
    package init(_ write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    /// Writes one line.
    ///
    /// - Parameters:
    ///   - event: what happened, in words that never change.
    ///   - members: more of it. Nothing that came from outside stands there but as a number, an address or a code.
    package func record(_ level: Level, _ event: String, at time: ServiceTime, _ members: [(String, JSON)] = []) {
        let line = JSON.object(
            [("time", .string(time.text)), ("level", .string(level.rawValue)), ("event", .string(event))] + members
        )
        write(line.text(escaping: JSON.shortestEscape))
    }
}
