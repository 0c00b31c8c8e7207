/// What the screen of the device's trail shows: events, the newest first (F-107-10).
public struct TrailFields: Hashable, Sendable {
    /// The events read so far, the newest first.
    public let events: [TrailEvent]
    /// Whether earlier events can be read.
    public let hasEarlier: Bool
    /// How many events the account's service has not acknowledged yet; nil for a vault without an account.
    public let undelivered: UInt64?
    /// The number of the first event that is missing or damaged: what follows it is not shown; nil when there is none.
    public let brokenAt: UInt64?
    /// Whether the trail before this one is gone or damaged, or its end was cut off, so that events may be missing.
    public let isIncomplete: Bool
    /// Whether the trail is being read, or the vault still is.
    public let loading: Bool
    /// Why the trail could not be read, until the next try.
    public let error: UserError?
    /// The vault's strong factor: for an account's vault no text says "PIN".
    public let strongFactor: VaultPolicy.StrongFactor
}

extension TrailFields {
    /// The facts that the snapshot does not have.
    public struct Surroundings: Hashable, Sendable {
        /// The pages read so far, the newest first.
        public var pages: [TrailPage]
        /// The language of messages.
        public var language: Language
        /// Whether a page is being read.
        public var isBusy = false
        /// Why a page could not be read.
        public var refusal: ErrorCode?

        /// Creates the facts from pages and language; set the others as needed.
        public init(pages: [TrailPage] = [], language: Language = .english) {
            self.pages = pages
            self.language = language
        }
    }

    /// Derives what to show of a vault; nil is a vault that is still being read.
    public init(_ snapshot: VaultSnapshot?, _ around: Surroundings) {
        events = around.pages.flatMap { $0.events }
        hasEarlier = (around.pages.last?.first ?? 0) > 0
        undelivered = around.pages.first?.undelivered
        brokenAt = around.pages.compactMap { $0.brokenAt }.min()
        isIncomplete = around.pages.first?.isIncomplete ?? false
        loading = around.isBusy || snapshot == nil
        strongFactor = snapshot?.policy.strongFactor ?? .localSecret
        error = snapshot.flatMap { snapshot in
            around.refusal.map { UserError($0, snapshot, in: around.language) }
        }
    }
}
