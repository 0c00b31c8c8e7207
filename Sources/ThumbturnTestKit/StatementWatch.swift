internal import CSQLite
import Synchronization

/// The statements that run on one database file, through whatever connection, in order.
///
/// SQLite calls us for each connection that is opened in this process; those of other files are left alone.
package final class StatementWatch: Sendable {
    private static let watches = Mutex<[String: StatementWatch]>([:])
    private static let isInstalled: Bool = {
        typealias Entry = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, OpaquePointer?) -> Int32
        let entry: Entry = { connection, _, _ in
            unsafe StatementWatch.join(connection)
            return SQLITE_OK
        }
        return unsafe sqlite3_auto_extension(unsafeBitCast(entry, to: (@convention(c) () -> Void).self)) == SQLITE_OK
    }()

    private let path: String
    private let statements = Mutex<[String]>([])

    /// Watches the connections to the file that are opened from now on.
    package init(_ path: String) {
        precondition(Self.isInstalled)
        self.path = path
        Self.watches.withLock { $0[path] = self }
    }

    package func end() { _ = Self.watches.withLock { $0.removeValue(forKey: path) } }

    /// What ran since the last call, as it was written.
    package func take() -> [String] {
        statements.withLock { statements in
            defer { statements = [] }
            return statements
        }
    }

    private static func join(_ connection: OpaquePointer?) {
        guard let name = unsafe sqlite3_db_filename(connection, "main") else { return }
        guard let watch = watches.withLock({ unsafe $0[String(cString: name)] }) else { return }
        // A connection may outlive the test that made it, and SQLite tells us of no end: the few bytes stay.
        _ = unsafe sqlite3_trace_v2(
            connection,
            UInt32(SQLITE_TRACE_STMT),
            { _, me, _, text in
                guard let me = unsafe me, let text = unsafe text else { return 0 }
                let watch = unsafe Unmanaged<StatementWatch>.fromOpaque(me).takeUnretainedValue()
                let statement = unsafe String(cString: text.assumingMemoryBound(to: CChar.self))
                watch.statements.withLock { $0.append(statement) }
                return 0
            },
            Unmanaged.passRetained(watch).toOpaque()
        )
    }
}
