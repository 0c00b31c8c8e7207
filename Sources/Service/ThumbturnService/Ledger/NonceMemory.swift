import ThumbturnFiles
import ThumbturnRules

/// The nonces of uploads that this instance has seen of late.
///
/// A replay is only a duplicate; so it may forget the oldest.
final class NonceMemory: Sendable {
    private struct Nonce: Hashable {
        let device: Identifier
        let bytes: [UInt8]
    }

    private struct Memory {
        var recent: Set<Nonce> = []
        var former: Set<Nonce> = []
    }

    /// It remembers between so many and twice as many.
    private let capacity: Int
    private let memory = Monitor(Memory())

    init(capacity: Int = 65_536) { self.capacity = capacity }

    /// - Returns: whether the nonce is new.
    func add(_ bytes: [UInt8], of device: Identifier) -> Bool {
        let nonce = Nonce(device: device, bytes: bytes)
        return memory.change { memory in
            guard !memory.former.contains(nonce), memory.recent.insert(nonce).inserted else { return false }
            if memory.recent.count >= capacity { (memory.former, memory.recent) = (memory.recent, []) }
            return true
        }
    }
}
