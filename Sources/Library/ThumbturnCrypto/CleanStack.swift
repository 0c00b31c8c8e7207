#if canImport(Clibsodium)
import Clibsodium
#else
import CSodium
#endif

/// Runs `body`, then overwrites the 128 KiB of stack that it may have used.
///
/// C code leaves copies on the stack: Argon2id its password in a BLAKE2b state, SHA-256 its input in a message
/// schedule. Functions of this module that use a key clean up after themselves; wrap code that handles secrets
/// elsewhere. Results and errors are passed through.
package func withCleanStack<R: ~Copyable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    try withCleanStack(.deep, body)
}

/// The amount of stack that a wipe covers.
package enum StackDepth: Int {
    /// For AES-GCM, HMAC or SHA-256 and a few frames of our own, which use less than 4 KiB together.
    case shallow = 16_384
    /// For Argon2id, and for unknown bodies.
    case deep = 131_072
}

// Never inlined: the wipe must start at or above the frame where `body` started.
@inline(never)
package func withCleanStack<R: ~Copyable, E: Error>(_ depth: StackDepth, _ body: () throws(E) -> R) throws(E) -> R {
    Sodium.prepare()
    defer { sodium_stackzero(depth.rawValue) }
    return try runBelow(body)
}

// Has its own frame: were `body` inlined into the function that wipes, its variables would be above the wiped region.
@inline(never)
private func runBelow<R: ~Copyable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R { try body() }
