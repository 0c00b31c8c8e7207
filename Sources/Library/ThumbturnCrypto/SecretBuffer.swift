/// A queue of secret bytes: filled at its end and emptied at its start, repeatedly.
///
/// Its memory is one `SecretBytes`, which is wiped when the value ends. Removed bytes stay in it until then, or until
/// other bytes overwrite them.
package struct SecretBuffer: ~Copyable {
    private let memory: SecretBytes
    private var held = 0..<0

    /// Creates an empty buffer with room for this many bytes.
    package init(byteCount: Int) {
        precondition(byteCount > 0, "a buffer without room")
        memory = unsafe SecretBytes(byteCount: byteCount) { _ in }
    }

    /// The number of bytes in it.
    package var byteCount: Int { held.count }

    /// The number of bytes for which there is room.
    package var room: Int { memory.byteCount - held.count }

    /// Lets `body` write after the present bytes.
    ///
    /// - Parameter body: fills the room from its start, and returns how many bytes it wrote; it must not keep the
    ///   buffer.
    /// - Returns: the result of `body`.
    @discardableResult
    package mutating func fill<E: Error>(_ body: (UnsafeMutableRawBufferPointer) throws(E) -> Int) throws(E) -> Int {
        let bytes = unsafe memory.mutableBytes
        if held.lowerBound > 0 {
            let kept = unsafe UnsafeRawBufferPointer(rebasing: bytes[held])
            unsafe bytes.copyMemory(from: kept)
            held = 0..<held.count
        }
        let count = try unsafe body(UnsafeMutableRawBufferPointer(rebasing: bytes[held.upperBound...]))
        precondition((0...room).contains(count), "more than there was room for")
        held = 0..<held.upperBound + count
        return count
    }

    /// Appends bytes, for which there must be room.
    package mutating func append(_ bytes: RawSpan) {
        unsafe fill { room in
            unsafe bytes.withUnsafeBytes { unsafe room.copyMemory(from: $0) }
            return bytes.byteCount
        }
    }

    /// Lends the present bytes.
    package borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try unsafe body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory.mutableBytes)[held]).bytes)
    }

    /// Removes bytes at its start.
    package mutating func removeFirst(_ count: Int) {
        precondition(count <= held.count, "more than is in it")
        held = held.lowerBound + count == held.upperBound ? 0..<0 : held.lowerBound + count..<held.upperBound
    }
}
