import CTSS2
import ThumbturnCrypto

/// The process's heap, which overwrites freed blocks while a conversation with a TPM ends.
///
/// tpm2-tss 3.2.1 frees without wiping: its context, with the last input and the salt of the last session; each
/// session, with its key and the authorisation it served; each object, with its authorisation; the buffer of commands
/// and answers. It has no call that wipes these, and once the transport is broken it accepts no further command that
/// could overwrite them. But glibc can overwrite blocks as they are freed, all but those of at most 1,032 bytes that it
/// keeps in per-thread caches. These four are 1,168 bytes and larger.
///
/// This is a setting of the whole process, so only the program may choose it: a library leaves its host app's heap as
/// it is, and the memory that tpm2-tss frees there stays until it is reused. The command turns it on. Other threads pay
/// for it too, with a `memset` per block, but only for the millisecond in which a conversation ends.
@safe package final class WipingHeap: @unchecked Sendable {
    // Safe to share: `lock` guards `users` and `isOn`.
    package static let shared = WipingHeap { _ = mallopt(M_PERTURB, $0) }
    private let set: @Sendable (Int32) -> Void
    private let lock = Lock()
    private var users = 0
    private var isOn = false

    /// - Parameter set: sets the byte that freed blocks are overwritten with, or 0 for none.
    init(_ set: @escaping @Sendable (Int32) -> Void) { self.set = set }

    /// Allows changes to this process's heap from now on; call it before the first TPM is opened.
    package func turnOn() { lock.withLock { isOn = true } }

    /// Makes all threads share one heap; call it before there is a second thread.
    ///
    /// The TPM's thread would have a heap of its own, and each HMAC of tpm2-tss allocates thousands of blocks: 2 % of
    /// an unlock. Only the program may choose this, as above.
    package static func unite() { _ = mallopt(M_ARENA_MAX, 1) }

    /// Runs `body`, which frees blocks with secrets on its own thread.
    func run<R: ~Copyable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        count(1)
        defer { count(-1) }
        return try body()
    }

    private func count(_ change: Int) {
        lock.withLock {
            users += change
            // New blocks are filled with the complement, zero, so a thread that is in the middle of `calloc` gets zeros
            // before and after the change.
            if isOn { set(users > 0 ? 0xFF : 0) }
        }
    }
}
