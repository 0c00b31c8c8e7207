#if canImport(Clibsodium)
import Clibsodium
#else
import CSodium
#endif

/// The one place that initialises libsodium.
enum Sodium {
    /// Initialises libsodium; after the first call it costs one comparison.
    static func prepare() { precondition(isReady, "libsodium could not start") }

    private static let isReady: Bool = {
        let started = sodium_init() >= 0
        // The dynamic linker saves vector registers on the stack when it resolves a function on its first call. Resolve
        // the wipe now, while they contain no secret: later, the saved copy would be below the wiped region.
        sodium_stackzero(16)
        return started
    }()
}
