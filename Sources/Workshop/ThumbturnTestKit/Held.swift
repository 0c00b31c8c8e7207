import Foundation

/// Holds what can't be copied until it is taken, since a closure can't use one up.
package final class Held<Value: ~Copyable & Sendable>: @unchecked Sendable {
    // Safe to share: one test uses it, one task at a time.
    private var value: Value?

    /// Takes a value over.
    package init(_ value: consuming Value) { self.value = consume value }

    /// Hands it over, once.
    ///
    /// - Throws: `EmptyHand` after that.
    package func take() throws -> Value {
        guard let taken = value.take() else { throw EmptyHand() }
        return taken
    }
}

/// What was held is used up: no error of the library's, so that no test takes it for a refusal of the product.
package struct EmptyHand: Error {}

/// A value that the threads of a test share.
package final class Shared<Value: Sendable>: @unchecked Sendable {
    // Safe to share: `lock` guards `stored`.
    private let lock = NSLock()
    private var stored: Value

    /// Begins with a value.
    package init(_ value: Value) {
        stored = value
    }

    /// What it is now.
    package var value: Value {
        get { lock.withLock { stored } }
        set { lock.withLock { stored = newValue } }
    }

    /// Changes it, and lets nobody in between.
    @discardableResult
    package func change<R>(_ body: (inout Value) -> R) -> R { lock.withLock { body(&stored) } }
}

extension Shared where Value: RangeReplaceableCollection {
    /// Adds an element.
    package func append(_ element: Value.Element) { change { $0.append(element) } }
}
