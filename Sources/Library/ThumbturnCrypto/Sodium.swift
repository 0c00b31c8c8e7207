#if canImport(Clibsodium)
import Clibsodium
#else
import CSodium
#endif

/// The one door to libsodium's start-up.
enum Sodium {
    /// Makes libsodium ready; after the first call it costs one comparison.
    static func prepare() {
        precondition(isReady, "libsodium could not start")
    }

    private static let isReady: Bool = {
        let started = sodium_init() >= 0
        // The dynamic linker saves vector registers on the stack when it resolves a function on its first call. Resolve
        // the wipe now, while they hold no secret, for later that save would lie below what the wipe covers.
        sodium_stackzero(16)
        return started
    }()
}
