import Synchronization

/// A handed request's place in the count of buffered bytes of content, until it is answered or released.
///
/// It does not end with the connection: the request of a client that left stays in memory until its turn.
final class ContentPlace: Sendable {
    private let core: ServerCore
    private let byteCount: Atomic<Int>

    init(_ byteCount: Int, in core: ServerCore) {
        self.core = core
        self.byteCount = Atomic(byteCount)
        _ = core.countContent(byteCount)
    }

    deinit { leave() }

    /// Uncounts the bytes.
    func leave() { _ = core.countContent(-byteCount.exchange(0, ordering: .relaxed)) }
}
