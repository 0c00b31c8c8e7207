/// The listeners to every change of a value; used within one actor.
package struct Watchers<Value: Sendable>: Sendable {
    private var continuations: [UInt64: AsyncStream<Value>.Continuation] = [:]
    private var count: UInt64 = 0

    /// Creates an empty set of listeners.
    package init() {}

    /// Whether there are no listeners.
    package var isEmpty: Bool { continuations.isEmpty }

    /// Returns a stream of every value from now on, starting with `first`; a slow listener misses none.
    ///
    /// An interface's reaction to a change, such as a prompt or a cover, depends on every step in order.
    ///
    /// - Parameter end: called with a number for `remove` once the listener has ended.
    package mutating func add(_ first: Value, end: @escaping @Sendable (UInt64) -> Void) -> AsyncStream<Value> {
        count += 1
        let number = count
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self)
        continuation.onTermination = { _ in end(number) }
        continuations[number] = continuation
        continuation.yield(first)
        return stream
    }

    /// Removes the listener with the number that `add` assigned.
    package mutating func remove(_ number: UInt64) { continuations[number] = nil }

    /// Sends a value to every listener.
    package func tell(_ value: Value) { for continuation in continuations.values { continuation.yield(value) } }

    /// Ends every stream.
    package func finish() { for continuation in continuations.values { continuation.finish() } }
}
