import CTLS
import Glibc
import ThumbturnFiles

/// What other threads send to a loop, and the counter that wakes it.
///
/// An answer still to come keeps the mailbox alive, but neither the loop nor its connections.
final class Mailbox: Sendable {
    /// A message to the loop.
    enum Letter: Sendable {
        case connection(Connection)
        case answer(WipedBytes, closes: Bool, heldFor: Int64, token: UInt64)
        /// There is no room for the request of this connection.
        case refuse(token: UInt64)
    }

    private struct Letters {
        var all: [Letter] = []
        var isClosed = false
    }

    /// Becomes readable when the loop is woken.
    let wake: Descriptor
    private let letters = Monitor(Letters())

    /// Returns `nil` if the system grants no descriptor.
    init?() {
        guard let wake = Descriptor(tls_make_eventfd()) else { return nil }
        self.wake = wake
    }

    /// Sends a message, from any thread; after the loop's end it is dropped.
    func post(_ letter: Letter) {
        let isFirst = letters.change { letters in
            guard !letters.isClosed else { return false }
            letters.all.append(letter)
            return letters.all.count == 1
        }
        if isFirst { awaken() }
    }

    /// Wakes the loop, from any thread.
    func awaken() {
        var one: UInt64 = 1
        _ = unsafe write(wake.number, &one, 8)
    }

    /// Makes the counter wait for the next call of `awaken`.
    func fallAsleep() {
        var count: UInt64 = 0
        _ = unsafe read(wake.number, &count, 8)
    }

    var isEmpty: Bool { letters.change { $0.all.isEmpty } }

    /// Returns the messages in order, and keeps none.
    func takeAll() -> [Letter] {
        letters.change { letters in
            defer { letters.all = [] }
            return letters.all
        }
    }

    /// Drops all messages, also those still to come.
    func close() {
        let dropped = letters.change { letters in
            defer { letters = Letters(isClosed: true) }
            return letters.all
        }
        // Connections close outside of the lock.
        _ = dropped
    }
}
