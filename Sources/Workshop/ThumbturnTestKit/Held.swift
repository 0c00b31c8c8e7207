import Foundation

/// Holds a noncopyable value until it is taken, because a closure can't consume one.
package final class Held<Value: ~Copyable & Sendable>: @unchecked Sendable {
    // Safe to share: one test uses it, one task at a time.
    private var value: Value?

    /// Takes ownership of a value.
    package init(_ value: consuming Value) { self.value = consume value }

    /// Returns the value, once.
    ///
    /// - Throws: `EmptyHand` after that.
    package func take() throws -> Value {
        guard let taken = value.take() else { throw EmptyHand() }
        return taken
    }
}

/// The value was already taken: not an error of the library, so that no test mistakes it for a refusal.
package struct EmptyHand: Error {}

/// A value shared by the threads of a test.
package final class Shared<Value: Sendable>: @unchecked Sendable {
    // Safe to share: `lock` guards `stored`.
    private let lock = NSLock()
    private var stored: Value

    /// Creates a shared value.
    package init(_ value: Value) { stored = value }

    /// The current value.
    package var value: Value {
        get { lock.withLock { stored } }
        set { lock.withLock { stored = newValue } }
    }

    /// Changes the value atomically.
    @discardableResult
    package func change<R>(_ body: (inout Value) -> R) -> R { lock.withLock { body(&stored) } }
}

extension Shared where Value: RangeReplaceableCollection {
    /// Adds an element.
    package func append(_ element: Value.Element) { change { $0.append(element) } }
}
