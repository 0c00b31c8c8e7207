import Glibc
import ThumbturnService

/// A process of its own that works on a store, and may be killed on the way.
///
/// `StoreChild steps STORE COUNT`: one transaction of so many statements; it says each when it was done, and waits for a byte.
/// `StoreChild moves STORE`: moves ones between two rows for as long as it lives, and says each move that was committed.
@main struct StoreChild {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 2, let location = StoreLocation(words[1]) else { exit(2) }
        do throws(StoreError) {
            let store = try location.open()
            switch (words[0], words.dropFirst(2).first.flatMap { Int64($0) }) {
            case ("steps", let count?): try steps(count, store)
            case ("moves", nil): while true { try move(store) }
            default: exit(2)
            }
        } catch {
            say("error \(error)")
            exit(1)
        }
    }

    private static func steps(_ count: Int64, _ store: any Store) throws(StoreError) {
        pause("open")
        try store.transaction { transaction throws(StoreError) in
            for number in 1...count {
                let insertion: StaticString = "INSERT INTO proven (user_id, network, expires_at) VALUES ($1, $2, $3)"
                try transaction.run(insertion, .blob([UInt8(number)]), .blob([0]), .integer(number))
                pause("\(number)")
            }
        }
        pause("committed")
    }

    private static func move(_ store: any Store) throws(StoreError) {
        let moved = try store.transaction { transaction throws(StoreError) in
            let update: StaticString =
                "UPDATE proven SET expires_at = expires_at + $1 WHERE user_id = $2 RETURNING expires_at"
            _ = try transaction.row(update, .integer(-1), .blob([1]))
            return try transaction.row(update, .integer(1), .blob([2]))?.integer(0) ?? 0
        }
        say("\(moved)")
    }

    private static func pause(_ line: String) {
        say(line)
        var byte: UInt8 = 0
        guard unsafe read(0, &byte, 1) == 1 else { exit(0) }
    }

    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = unsafe write(1, bytes, bytes.count)
    }
}
