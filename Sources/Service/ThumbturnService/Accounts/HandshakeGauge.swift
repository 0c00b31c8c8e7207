import Synchronization

/// The approximate number of open handshakes.
///
/// They are counted in the store from time to time, and in between adjusted as this process opens and removes them:
/// counting for each login would become more expensive with every open handshake.
package final class HandshakeGauge: Sendable {
    private let number = Atomic<Int64>(0)

    package init() {}

    /// The approximate number.
    package var count: Int64 { max(0, number.load(ordering: .relaxed)) }

    func opened() { number.add(1, ordering: .relaxed) }

    func taken() { number.subtract(1, ordering: .relaxed) }

    func set(_ count: Int64) { number.store(count, ordering: .relaxed) }
}
