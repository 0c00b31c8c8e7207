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

/// Guarded memory of short secrets, wiped when one secret ends and kept for the next.
///
/// Guard pages and locks cost about 25 µs to set up and take down, ten times what HKDF takes to fill a key, and a vault opens one
/// secret after the other. What waits in here holds zeros and stays guarded and locked. What is given up: libsodium looks at its
/// canary only when memory is really freed, and the guard page behind a secret begins where its block ends.
@safe final class SecretPool: @unchecked Sendable {
    // Safe to share: `mutex` guards `kept`.
    static let shared = SecretPool()

    /// The sizes of blocks in bytes: for keys and entropy, and for PINs, words and what former apps sealed.
    ///
    /// Either costs a page, so that more sizes would save nothing.
    static let sizes = [32, 512]

    /// How many blocks of each size wait at most, of an allowance that may be 16 pages.
    private static let mostKept = [8, 4]

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var kept: [[UnsafeMutableRawPointer]] = unsafe mostKept.map { count in
        var blocks: [UnsafeMutableRawPointer] = unsafe []
        unsafe blocks.reserveCapacity(count)
        return unsafe blocks
    }

    init() {
        let result = unsafe pthread_mutex_init(mutex, nil)
        precondition(result == 0, "a mutex could not be made")
    }

    deinit {
        for size in unsafe kept.indices {
            while let block = unsafe kept[size].popLast() { unsafe sodium_free(block) }
        }
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// The size in bytes of the block in which a secret lies; its own for one that is too long to be short.
    static func blockByteCount(for byteCount: Int) -> Int {
        sizes.first { byteCount <= $0 } ?? byteCount
    }

    /// Gives a block of zeros that the system locked; nil when none of that size is kept.
    func take(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        guard let size = Self.sizes.firstIndex(of: byteCount) else { return nil }
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return unsafe kept[size].popLast()
    }

    /// Wipes a block that came from `take` or `sodium_malloc`, and keeps it if there is room.
    func giveBack(_ block: UnsafeMutableRawPointer, _ byteCount: Int) {
        // Freeing wipes too.
        guard let size = Self.sizes.firstIndex(of: byteCount) else { return unsafe sodium_free(block) }
        unsafe sodium_memzero(block, byteCount)
        unsafe pthread_mutex_lock(mutex)
        let hasRoom = unsafe kept[size].count < Self.mostKept[size]
        if hasRoom { unsafe kept[size].append(block) }
        unsafe pthread_mutex_unlock(mutex)
        if !hasRoom { unsafe sodium_free(block) }
    }
}
