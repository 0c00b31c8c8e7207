#if canImport(Clibsodium)
import Clibsodium
#else
import CSodium
#endif
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Guarded memory of the size of a key, wiped when one key ends and kept for the next.
///
/// Guard pages and locks cost about 25 µs to set up and take down, ten times what HKDF takes to fill them, and an unlock needs
/// half a dozen. What waits in here holds zeros and stays guarded and locked. Secrets of other lengths gain nothing. What is
/// given up: libsodium looks at its canary only when memory is really freed.
@safe final class KeyMemory: @unchecked Sendable {
    // Safe to share: `mutex` guards `kept`.
    static let shared = KeyMemory()

    /// The length in bytes of what is kept.
    static let byteCount = 32

    // A page each, of an allowance that may be 64 KiB.
    private static let mostKept = 8

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var kept: [UnsafeMutableRawPointer] = unsafe []

    init() {
        unsafe kept.reserveCapacity(Self.mostKept)
        let result = unsafe pthread_mutex_init(mutex, nil)
        precondition(result == 0, "a mutex could not be made")
    }

    /// Gives memory of 32 zeros that the system locked; nil when none is kept.
    func take() -> UnsafeMutableRawPointer? {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return unsafe kept.popLast()
    }

    /// Wipes memory that came from `take()` or `sodium_malloc`, and keeps it if there is room.
    func giveBack(_ memory: UnsafeMutableRawPointer) {
        unsafe sodium_memzero(memory, Self.byteCount)
        unsafe pthread_mutex_lock(mutex)
        let hasRoom = unsafe kept.count < Self.mostKept
        if hasRoom { unsafe kept.append(memory) }
        unsafe pthread_mutex_unlock(mutex)
        if !hasRoom { unsafe sodium_free(memory) }
    }
}
