/// The cost of the slow derivation that a client chose for its password: Argon2id with one lane.
///
/// The bounds are the vault's, the client's and the service's alike: below the floor a stolen verifier is guessed too
/// cheaply, and above the ceiling a login would cost a phone its memory.
package struct KDFChoice: Hashable, Sendable {
    /// The one function there is.
    package static let name = "argon2id"
    /// How much memory there may be, in KiB: 19 to 256 MiB.
    package static let memories: ClosedRange<Int64> = 19_456...262_144
    /// How many passes there may be.
    package static let passes: ClosedRange<Int64> = 2...10
    /// What our clients choose, and what the service says of a name that nobody has.
    package static let standard = KDFChoice(uncheckedMemoryKiB: 65_536, passes: 3)

    /// The memory, in KiB.
    package let memoryKiB: Int64
    /// The passes over it.
    package let passes: Int64

    /// Takes a cost within the bounds; nil for another.
    package init?(memoryKiB: Int64, passes: Int64) {
        guard Self.memories.contains(memoryKiB), Self.passes.contains(passes) else { return nil }
        self.init(uncheckedMemoryKiB: memoryKiB, passes: passes)
    }

    private init(uncheckedMemoryKiB memoryKiB: Int64, passes: Int64) {
        self.memoryKiB = memoryKiB
        self.passes = passes
    }
}
