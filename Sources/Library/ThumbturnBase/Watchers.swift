/// Those who want to hear of every change of a value; it lives inside one actor.
package struct Watchers<Value: Sendable>: Sendable {
    private var continuations: [UInt64: AsyncStream<Value>.Continuation] = [:]
    private var count: UInt64 = 0

    /// Nobody yet.
    package init() {}

    /// Whether nobody listens.
    package var isEmpty: Bool { continuations.isEmpty }

    /// Every value from now on, `first` at once; who falls behind misses none.
    ///
    /// What an interface makes of a change, such as a prompt or a cover, depends on every step in its order.
    ///
    /// - Parameter end: called with a number for `remove`, once nobody listens any more.
    package mutating func add(_ first: Value, end: @escaping @Sendable (UInt64) -> Void) -> AsyncStream<Value> {
        count += 1
        let number = count
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self)
        continuation.onTermination = { _ in end(number) }
        continuations[number] = continuation
        continuation.yield(first)
        return stream
    }

    /// Takes away one that `add` numbered.
    package mutating func remove(_ number: UInt64) { continuations[number] = nil }

    /// Tells everybody a value.
    package func tell(_ value: Value) {
        for continuation in continuations.values { continuation.yield(value) }
    }

    /// Ends every stream.
    package func finish() {
        for continuation in continuations.values { continuation.finish() }
    }
}
