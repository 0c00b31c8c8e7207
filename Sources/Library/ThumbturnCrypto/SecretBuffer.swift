/// Secret bytes on their way through: filled at its end and emptied at its beginning, again and again.
///
/// It lies in the memory of one `SecretBytes`, which is wiped when the value ends. What was taken out stays there until then, or until
/// other bytes take its place.
package struct SecretBuffer: ~Copyable {
    private let memory: SecretBytes
    private var held = 0..<0

    /// Makes an empty one that has room for so many bytes.
    package init(byteCount: Int) {
        precondition(byteCount > 0, "a buffer without room")
        memory = unsafe SecretBytes(byteCount: byteCount) { _ in }
    }

    /// How many bytes are in it.
    package var byteCount: Int { held.count }

    /// How many more it has room for.
    package var room: Int { memory.byteCount - held.count }

    /// Lets `body` write behind what is in it.
    ///
    /// - Parameter body: fills the room from its start, and says how many bytes it wrote; it must not keep the buffer.
    /// - Returns: what `body` said.
    @discardableResult
    package mutating func fill<E: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(E) -> Int
    ) throws(E) -> Int {
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

    /// Copies bytes behind what is in it, which has to have room for them.
    package mutating func append(_ bytes: RawSpan) {
        unsafe fill { room in
            unsafe bytes.withUnsafeBytes { unsafe room.copyMemory(from: $0) }
            return bytes.byteCount
        }
    }

    /// Lends what is in it.
    package borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try unsafe body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory.mutableBytes)[held]).bytes)
    }

    /// Takes so many bytes out at its beginning.
    package mutating func removeFirst(_ count: Int) {
        precondition(count <= held.count, "more than is in it")
        held = held.lowerBound + count == held.upperBound ? 0..<0 : held.lowerBound + count..<held.upperBound
    }
}
