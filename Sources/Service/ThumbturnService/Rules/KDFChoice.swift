/// The cost of the slow derivation that a client chose for its password: Argon2id with one lane.
///
/// The bounds are the same in vault, client and service: below the floor a stolen verifier could be guessed too
/// cheaply, and above the ceiling a login would exhaust a phone's memory.
package struct KDFChoice: Hashable, Sendable {
    /// The only function.
    package static let name = "argon2id"
    /// The allowed memory, in KiB: 19 to 256 MiB.
    package static let memories: ClosedRange<Int64> = 19_456...262_144
    /// The allowed number of passes.
    package static let passes: ClosedRange<Int64> = 2...10
    /// The choice of our clients, and the service's answer for an unknown name.
    package static let standard = KDFChoice(uncheckedMemoryKiB: 65_536, passes: 3)

    /// The memory, in KiB.
    package let memoryKiB: Int64
    /// The number of passes over it.
    package let passes: Int64

    /// Creates a choice within the bounds; returns `nil` otherwise.
    package init?(memoryKiB: Int64, passes: Int64) {
        guard Self.memories.contains(memoryKiB), Self.passes.contains(passes) else { return nil }
        self.init(uncheckedMemoryKiB: memoryKiB, passes: passes)
    }

    private init(uncheckedMemoryKiB memoryKiB: Int64, passes: Int64) {
        self.memoryKiB = memoryKiB
        self.passes = passes
    }
}
