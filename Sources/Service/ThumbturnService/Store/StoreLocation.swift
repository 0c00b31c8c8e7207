/// The location of a store; each thread of each process opens its own connection to it.
package enum StoreLocation: Sendable {
    case sqlite(SQLiteFile)
    case postgres(PostgresServer)

    /// Parses `sqlite:FILE`, `postgres:URI`, or a plain PostgreSQL URI; returns `nil` for anything else.
    package init?(_ text: String) {
        if let path = text.rest(behind: "sqlite:"), !path.isEmpty {
            self = .sqlite(SQLiteFile(path))
        } else if text.rest(behind: "postgres://") ?? text.rest(behind: "postgresql://") != nil {
            self = .postgres(PostgresServer(text))
        } else if let uri = text.rest(behind: "postgres:"), !uri.isEmpty {
            self = .postgres(PostgresServer(uri))
        } else {
            return nil
        }
    }

    /// Opens a connection; creates missing tables and upgrades older ones.
    ///
    /// - Parameter making: whether to create a missing file or missing tables.
    package func open(making: Bool = true) throws(StoreError) -> any Store {
        switch self {
        case .sqlite(let file): try SQLiteStore(file, making: making)
        case .postgres(let server): try PostgresStore(server, making: making)
        }
    }
}

extension String {
    func rest(behind prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
