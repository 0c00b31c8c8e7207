import CTSS2
import ThumbturnDevice

/// The heap of this process, which overwrites what is freed while somebody ends a conversation with a TPM.
///
/// tpm2-tss 3.2.1 frees without wiping: its context, with the last input and the salt of the last session; each session, with
/// its key and the authorisation it served; each object, with its authorisation; the buffer of commands and answers. It
/// offers no call that wipes these, and once the transport broke it takes no further command that could overwrite them.
/// But glibc can overwrite blocks as they are freed, all but those of at most 1,032 bytes that its threads put by. The four
/// take 1,168 bytes and more.
///
/// That is a setting of the whole process, and so for the program alone to choose: a library that an app imports leaves the
/// heap of its host as it is, and what tpm2-tss frees there stays until it is used again. The command turns it on. Other threads
/// pay for it too, with a `memset` per block, but only for the millisecond of such an end.
@safe package final class WipingHeap: @unchecked Sendable {
    // Safe to share: `lock` guards `users` and `isOn`.
    package static let shared = WipingHeap { _ = mallopt(M_PERTURB, $0) }
    private let set: @Sendable (Int32) -> Void
    private let lock = Lock()
    private var users = 0
    private var isOn = false

    /// - Parameter set: sets what the heap overwrites blocks with, or 0 for nothing.
    init(_ set: @escaping @Sendable (Int32) -> Void) {
        self.set = set
    }

    /// Lets it change the heap of this process, from now on; to be called before there is a TPM.
    package func turnOn() { lock.withLock { isOn = true } }

    /// Lets all threads share one heap; to be called before there is a second thread.
    ///
    /// The TPM's thread would have one of its own, and each HMAC of tpm2-tss takes thousands of blocks: that is 2 % of an unlock.
    /// For the program alone to choose, as above.
    package static func unite() { _ = mallopt(M_ARENA_MAX, 1) }

    /// Runs `body`, which frees on its own thread whatever holds a secret.
    func run<R: ~Copyable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        count(1)
        defer { count(-1) }
        return try body()
    }

    private func count(_ change: Int) {
        lock.withLock {
            users += change
            // New blocks are filled with the complement, zero: so a thread that is just in the middle of `calloc` gets zeros
            // on either side of the change.
            if isOn { set(users > 0 ? 0xFF : 0) }
        }
    }
}
