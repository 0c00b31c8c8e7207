/// What an owner who can't open the vault sees: the recovery key and a new PIN or password, or erasing everything.
///
/// Contains no secret and nothing derived from one, not even the length of the input.
public struct RecoverFields: Hashable, Sendable {
    /// The progress on the way back.
    @nonexhaustive
    public enum Step: Hashable, Sendable, CaseIterable {
        /// The vault is still being read.
        case opening
        /// The recovery key is asked for.
        case key
        /// The vault is an older copy: the owner is asked whether to accept it, or only to export (ERR-107-050).
        case olderCopy
        /// A new PIN or password is asked for.
        case newSecret
        /// It is asked for again.
        case repeated
        /// A call is in progress.
        case working
        /// The recovery key opened the vault, which keeps its PIN or password: `error` says why.
        case opened
        /// The confirmation that erases everything is asked for (S-07).
        case erase
        /// The vault is open, or erased.
        case done
    }

    /// The progress on the way back.
    public let step: Step
    /// Whether a recovery key may open the vault: there is one, or the list of ways in can't be read.
    public let recoveryKeyMayOpen: Bool
    /// Whether a call is in progress.
    public let isBusy: Bool
    /// The refusal of the last input or call, until the next one.
    public let error: UserError?
}

extension RecoverFields {
    /// The facts that the vault does not know.
    public struct Surroundings: Hashable, Sendable {
        /// The progress on the way back; nil at its beginning.
        public var step: Step?
        /// The language of messages.
        public var language: Language
        /// Whether a call is in progress.
        public var isBusy = false
        /// The refusal of the last input or call.
        public var refusal: ErrorCode?

        /// Creates the facts from step and language; set the others as needed.
        public init(step: Step? = nil, language: Language = .english) {
            self.step = step
            self.language = language
        }
    }

    /// Derives what to show of a vault; nil is a vault that is still being read.
    public init(_ snapshot: VaultSnapshot?, _ around: Surroundings) {
        isBusy = around.isBusy
        guard let snapshot else {
            (step, recoveryKeyMayOpen, error) = (.opening, false, nil)
            return
        }
        recoveryKeyMayOpen = snapshot.recoveryKeyMayOpen
        step = around.step ?? (recoveryKeyMayOpen ? .key : .erase)
        error = around.refusal.map { UserError($0, snapshot, in: around.language) }
    }
}

extension VaultSnapshot {
    /// Whether typing a recovery key can help: an unreadable list of slots may hide one, an erased vault has none.
    package var recoveryKeyMayOpen: Bool {
        guard condition != .resetPending else { return false }
        return !headIsReadable || slots.contains { $0.kind == .recovery }
    }

    /// Whether a recovery key can also set a new PIN; otherwise it only opens the vault.
    package var recoverySetsSecret: Bool {
        policy.strongFactor == .localSecret && policy.recoveryOpensFully && condition != .diskFull
    }
}

extension AppUnlockFields {
    /// Whether the owner may be stuck here, and only a recovery key or a reset leads on: shows "I can't open it".
    package var leadsOut: Bool {
        switch screen {
        case .secret, .wait, .recovery, .reopen, .olderCopy(.secret): true
        // It may also be a key that is dead, though its item is there.
        case .system: error?.errorCode == .proofNotAccepted
        case .opening, .content, .offer, .completion, .olderCopy(.question), .prompt, .reset, .erased: false
        }
    }
}
