/// A database of PostgreSQL, by its URI.
///
/// That may hold a password, so neither a description nor a mirror shows it.
package struct PostgresServer: Sendable {
    let uri: String
    /// The tables that are in it.
    var schema = ServiceSchema.current
    /// How long a statement may take, and how long a lock is waited for.
    var statementMilliseconds: Int64 = 5_000
    /// How long an answer of the server is waited for; the connection is given up then.
    var answerMilliseconds: Int64 = 8_000
    /// How long transactions that others keep getting in the way of are tried again.
    var retryMilliseconds: Int64 = 5_000

    package init(_ uri: String) {
        self.uri = uri
    }
}

extension PostgresServer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "a server of PostgreSQL" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
