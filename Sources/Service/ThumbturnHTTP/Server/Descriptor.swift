import Glibc

/// A descriptor of the system's that closes itself.
struct Descriptor: ~Copyable, Sendable {
    let number: CInt

    /// - Parameter number: what a call of the system's gave; nil where that is an error, which `errno` names.
    init?(_ number: CInt) {
        guard number >= 0 else { return nil }
        self.number = number
    }

    deinit { _ = close(number) }
}
