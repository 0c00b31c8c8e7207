internal import CSQLite
import Synchronization

/// Records the statements that run on one database file, through any connection, in order.
///
/// SQLite reports each connection opened in this process; those to other files are ignored.
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
    private let interrupted = Mutex<String?>(nil)

    /// Watches the connections to the file that are opened from now on.
    package init(_ path: String) {
        precondition(Self.isInstalled)
        self.path = path
        Self.watches.withLock { $0[path] = self }
    }

    package func end() { _ = Self.watches.withLock { $0.removeValue(forKey: path) } }

    /// Returns the text of the statements run since the last call.
    package func take() -> [String] {
        statements.withLock { statements in
            defer { statements = [] }
            return statements
        }
    }

    /// Makes the next run of this statement fail half way, and nothing else.
    package func interrupt(_ statement: String) { interrupted.withLock { $0 = statement } }

    private func isToBeInterrupted(_ statement: String) -> Bool {
        interrupted.withLock { interrupted in
            guard interrupted == statement else { return false }
            interrupted = nil
            return true
        }
    }

    private static func join(_ connection: OpaquePointer?) {
        guard let name = unsafe sqlite3_db_filename(connection, "main") else { return }
        guard let watch = watches.withLock({ unsafe $0[String(cString: name)] }) else { return }
        // A connection may outlive the test, and SQLite does not report its end: the few bytes are leaked.
        _ = unsafe sqlite3_trace_v2(
            connection,
            UInt32(SQLITE_TRACE_STMT),
            { _, me, running, text in
                guard let me = unsafe me, let text = unsafe text else { return 0 }
                let watch = unsafe Unmanaged<StatementWatch>.fromOpaque(me).takeUnretainedValue()
                let statement = unsafe String(cString: text.assumingMemoryBound(to: CChar.self))
                watch.statements.withLock { $0.append(statement) }
                if watch.isToBeInterrupted(statement), let running = unsafe running {
                    unsafe sqlite3_interrupt(sqlite3_db_handle(OpaquePointer(running)))
                }
                return 0
            },
            Unmanaged.passRetained(watch).toOpaque()
        )
    }
}
