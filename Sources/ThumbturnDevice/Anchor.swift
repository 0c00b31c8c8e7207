public import ThumbturnRules

/// Counters that only rise, kept apart from the vault's file, one for each device secret.
///
/// A ledger that lies behind its counter was rolled back. `softwareFile` and `simulated` devices can be rolled back
/// together with the file, and their assurance says so (A8, A9).
public protocol Anchor: Sendable {
    /// Reads the counter that belongs to a device secret; nil when it is confirmed not to exist.
    ///
    /// - Throws: `.unavailable` when nothing can be said.
    func value(for secret: ItemName) async throws(DeviceRefusal) -> UInt64?

    /// Raises the counter, durably, to at least `value`; it makes one that isn't there and never lowers one.
    ///
    /// - Returns: what it was before, in the same step; nil when it did not exist. Only who finds it one lower has moved it
    ///   by one, so copies of a vault can't share one count of an attempt (A12).
    /// - Throws: `.unavailable` when it may not have been raised.
    @discardableResult
    func raise(to value: UInt64, for secret: ItemName) async throws(DeviceRefusal) -> UInt64?

    /// Removes the counter of a device secret that is gone.
    ///
    /// - Throws: `.unavailable` when it may still be there.
    func remove(for secret: ItemName) async throws(DeviceRefusal)
}
