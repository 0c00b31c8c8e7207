/// Where a store is; each thread of each process opens a connection of its own there.
package enum StoreLocation: Sendable {
    case sqlite(SQLiteFile)
    case postgres(PostgresServer)

    /// Reads `sqlite:FILE`, `postgres:URI`, or a URI of PostgreSQL by itself; nil for anything else.
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

    /// Opens a connection; makes the tables where there are none, and those of an older version new.
    ///
    /// - Parameter making: whether a file, or tables, that are not there are made.
    package func open(making: Bool = true) throws(StoreError) -> any Store {
        switch self {
        case .sqlite(let file): try SQLiteStore(file, making: making)
        case .postgres(let server): try PostgresStore(server, making: making)
        }
    }
}

extension String {
    fileprivate func rest(behind prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
