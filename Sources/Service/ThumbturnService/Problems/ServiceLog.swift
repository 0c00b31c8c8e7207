package import ThumbturnJSON

/// The service's log: one JSON object per line, without secrets or clear-text names.
///
/// A name is logged as its HMAC under the name key, so that an operator can find the lines of an account, and a thief
/// of the log can't identify its owner.
package struct ServiceLog: Sendable {
    /// The severity of a line.
    package enum Level: String, Sendable {
        case info, warning, error
    }

    private let write: @Sendable (String) -> Void

    /// - Parameter write: writes one line, without its newline; called from several threads at once.
    package init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

    /// Writes one line.
    ///
    /// - Parameters:
    ///   - event: what happened, in constant words.
    ///   - members: details. Data from a client appears only as a number, an address or a code.
    package func record(_ level: Level, _ event: String, at time: ServiceTime, _ members: [(String, JSON)] = []) {
        let line = JSON.object(
            [("time", .string(time.text)), ("level", .string(level.rawValue)), ("event", .string(event))] + members
        )
        write(line.wireText)
    }
}
