import Synchronization

/// About how many handshakes are open.
///
/// They are counted in the store now and then, and in between as this process opens and takes them: to count them all for each
/// login would make it dearer the more there are.
package final class HandshakeGauge: Sendable {
    private let number = Atomic<Int64>(0)

    package init() {}

    /// About how many there are.
    package var count: Int64 { max(0, number.load(ordering: .relaxed)) }

    func opened() { number.add(1, ordering: .relaxed) }

    func taken() { number.subtract(1, ordering: .relaxed) }

    func set(_ count: Int64) { number.store(count, ordering: .relaxed) }
}
