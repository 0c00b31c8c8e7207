#if canImport(Clibsodium)
import Clibsodium
#else
import CSodium
#endif

/// Guarded memory for short secrets, wiped after one secret and kept for the next.
///
/// Guard pages and locks cost about 25 µs to set up and remove, ten times as much as HKDF takes to fill a key, and a
/// vault opens one secret after the other. Blocks in the pool contain zeros and stay guarded and locked. The trade-off:
/// libsodium checks its canary only when memory is really freed, and the guard page after a secret starts at the end of
/// its block.
@safe final class SecretPool: @unchecked Sendable {
    // Safe to share: `lock` guards `kept`.
    static let shared = SecretPool()

    /// The sizes of blocks in bytes: for keys and entropy, and for PINs, words and secrets sealed by earlier apps.
    ///
    /// Either costs a page, so more sizes would save nothing.
    static let sizes = [32, 512]

    /// How many blocks of each size are kept at most, of a lock allowance that may be only 16 pages.
    private static let mostKept = [8, 4]

    private let lock = Lock()
    private var kept: [[UnsafeMutableRawPointer]] = unsafe mostKept.map { count in
        var blocks: [UnsafeMutableRawPointer] = unsafe []
        unsafe blocks.reserveCapacity(count)
        return unsafe blocks
    }

    deinit {
        for size in unsafe kept.indices {
            while let block = unsafe kept[size].popLast() { unsafe sodium_free(block) }
        }
    }

    /// Returns the size in bytes of the block for a secret; its own length if it is longer than every block.
    static func blockByteCount(for byteCount: Int) -> Int { sizes.first { byteCount <= $0 } ?? byteCount }

    /// Returns a locked block of zeros; nil when none of that size is kept.
    func take(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        guard let size = Self.sizes.firstIndex(of: byteCount) else { return nil }
        return unsafe lock.withLock { unsafe kept[size].popLast() }
    }

    /// Wipes a block from `take` or `sodium_malloc`, and keeps it if there is room.
    func giveBack(_ block: UnsafeMutableRawPointer, _ byteCount: Int) {
        // Freeing wipes too.
        guard let size = Self.sizes.firstIndex(of: byteCount) else { return unsafe sodium_free(block) }
        unsafe sodium_memzero(block, byteCount)
        let hasRoom = lock.withLock {
            let hasRoom = unsafe kept[size].count < Self.mostKept[size]
            if hasRoom { unsafe kept[size].append(block) }
            return hasRoom
        }
        if !hasRoom { unsafe sodium_free(block) }
    }
}
