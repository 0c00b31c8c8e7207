import Glibc

/// A file descriptor that closes itself.
struct Descriptor: ~Copyable, Sendable {
    let number: CInt

    /// - Parameter number: the result of a system call; returns `nil` if it is an error, with the reason in `errno`.
    init?(_ number: CInt) {
        guard number >= 0 else { return nil }
        self.number = number
    }

    deinit { _ = close(number) }
}
