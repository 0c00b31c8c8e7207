/// A PostgreSQL database, by its URI.
///
/// The URI may contain a password, so neither a description nor a mirror shows it.
package struct PostgresServer: Sendable {
    let uri: String
    var schema = ServiceSchema.current
    /// The maximum duration of a statement, and of waiting for a lock.
    var statementMilliseconds: Int64 = 5_000
    /// How long to wait for an answer before giving up the connection.
    var answerMilliseconds: Int64 = 8_000
    /// How long to retry transactions that conflict with others.
    var retryMilliseconds: Int64 = 5_000

    package init(_ uri: String) { self.uri = uri }
}

extension PostgresServer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "a server of PostgreSQL" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
