import Foundation
import Testing

@testable import ThumbturnService

/// A database on several nodes of PostgreSQL: a coordinator has the accounts, and each log lies on one of two workers.
///
/// The product makes its tables on each node. What follows is the operator's: on the coordinator those of the logs become
/// partitions by `log`, which are a worker's tables (`postgres_fdw`).
struct Spread {
    /// Where the logs lie, by turns.
    private let workers: [String]
    private let coordinator: String
    private let schema: String

    static let tables = [
        "logs", "leaves", "tiles", "notes", "uploads", "chains", "forks", "quotas", "log_keys",
    ]
    /// A plan for any log would connect to each worker, though one lies down.
    static let options = "%20-cplan_cache_mode%3Dforce_custom_plan"

    /// Moves the logs' tables of a schema, as `docs/operations.md` has it.
    init(_ schema: String, on coordinator: String, _ workers: [String]) throws {
        (self.schema, self.coordinator, self.workers) = (schema, coordinator, workers)
        var statements = ["SELECT pg_advisory_lock(1)", "CREATE EXTENSION IF NOT EXISTS postgres_fdw SCHEMA public"]
        statements += ["SELECT pg_advisory_unlock(1)"]
        _ = try StoreLocation.postgres(Self.server(coordinator, schema)).open()
        for (index, worker) in workers.enumerated() {
            try PostgresConnection(PostgresServer(worker)).execute("CREATE SCHEMA \(schema)")
            _ = try StoreLocation.postgres(Self.server(worker, schema)).open()
            let address = try #require(URLComponents(string: worker))
            let (host, port) = (try #require(address.host), try #require(address.port))
            statements += [
                """
                CREATE SERVER \(schema)_\(index) FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '\(host)', port '\(port)',
                    dbname '\(address.path.dropFirst())', connect_timeout '2', batch_size '256')
                """,
                """
                CREATE USER MAPPING FOR CURRENT_USER SERVER \(schema)_\(index)
                    OPTIONS (user '\(address.user ?? "")', password '\(address.password ?? "")')
                """,
            ]
        }
        for table in Self.tables {
            statements += [
                "ALTER TABLE \(table) RENAME TO former",
                "CREATE TABLE \(table) (LIKE former) PARTITION BY LIST (log)",
            ]
            for index in workers.indices {
                let logs = stride(from: index, to: 64, by: workers.count).map(String.init).joined(separator: ", ")
                statements.append(
                    """
                    CREATE FOREIGN TABLE \(table)_\(index) PARTITION OF \(table) FOR VALUES IN (\(logs))
                        SERVER \(schema)_\(index) OPTIONS (table_name '\(table)')
                    """
                )
            }
            statements += ["INSERT INTO \(table) SELECT * FROM former", "DROP TABLE former"]
        }
        let connection = try PostgresConnection(Self.server(coordinator, schema))
        for statement in statements { try connection.execute(statement) }
    }

    /// A connection to the tables on a worker.
    func connection(to index: Int) throws -> PostgresConnection {
        try PostgresConnection(Self.server(workers[index], schema))
    }

    /// Leaves nothing on servers that go on.
    func remove() {
        for server in [coordinator] + workers {
            guard let connection = try? PostgresConnection(PostgresServer(server)) else { continue }
            try? connection.execute("DROP SCHEMA \(schema) CASCADE")
            for index in workers.indices { try? connection.execute("DROP SERVER IF EXISTS \(schema)_\(index) CASCADE") }
        }
    }

    private static func server(_ uri: String, _ schema: String) -> PostgresServer {
        PostgresServer(uri + "?options=-csearch_path%3D\(schema)")
    }
}
