// expect: 'sqlite3_changes64' is only available in (iOS 16\.0|macOS 13\.0) or newer
import CSQLite

func changes(_ database: OpaquePointer) -> Int64 {
    unsafe sqlite3_changes64(database)
}
