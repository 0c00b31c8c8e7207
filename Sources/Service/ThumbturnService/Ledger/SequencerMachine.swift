/// What one instance knows of one log, and what it does next; pure, so that every order of events can be explored.
///
/// A log has one history: whoever changes its row replaces what it has read (compare-and-swap), and after a change that
/// failed or whose outcome is unknown it reads the row again before it does anything else.
struct SequencerMachine: Hashable, Sendable {
    /// The row, as far as it matters here.
    struct Head: Hashable, Sendable {
        var size: UInt64
        /// The size of the newest signed head; nil before the first.
        var signed: UInt64?
    }

    /// What to do next.
    enum Step: Hashable, Sendable {
        /// Read the row.
        case load
        /// Write what waits, and the signature of the head of this size, if one came.
        case write(signature: UInt64?)
        /// Nothing.
        case wait
    }

    /// The row as last read or written; nil when it has to be read.
    private(set) var head: Head?
    /// The size of the head that the signer has.
    private(set) var signing: UInt64?
    /// The size of a head whose signature came, and isn't stored.
    private(set) var signature: UInt64?

    /// Returns the next step.
    ///
    /// - Parameter hasWork: whether uploads or entries wait.
    func next(hasWork: Bool) -> Step {
        guard head != nil else { return .load }
        return hasWork || signature != nil ? .write(signature: signature) : .wait
    }

    /// Returns the size of the head to hand to the signer now; nil if it has one, or all is signed.
    ///
    /// One signature is outstanding: what is written meanwhile comes under the next.
    mutating func takeUnsigned() -> UInt64? {
        guard let head, signing == nil, signature == nil, head.signed.map({ $0 < head.size }) ?? true else {
            return nil
        }
        signing = head.size
        return head.size
    }

    /// The row was read.
    mutating func loaded(_ head: Head) {
        self.head = head
        dropOldSignature()
    }

    /// The row was replaced by this one, durably, together with the signature that `next` named.
    mutating func wrote(_ head: Head) {
        self.head = head
        signature = nil
    }

    /// Something else replaced the row, or it is unknown whether this instance did.
    mutating func missed() { head = nil }

    /// The signer gave a signature of the head that it has; it keeps one until it can sign it.
    mutating func signed() {
        signature = signing
        signing = nil
        dropOldSignature()
    }

    /// Another instance may have stored the signature of a later head meanwhile.
    private mutating func dropOldSignature() {
        if let signature, let signed = head?.signed, signature <= signed { self.signature = nil }
    }

    /// Whether an upload may be answered that was stored in the first `size` leaves: not before the row is durable and
    /// its signature is stored.
    func answers(_ size: UInt64) -> Bool { head?.signed.map { size <= $0 } ?? false }
}
