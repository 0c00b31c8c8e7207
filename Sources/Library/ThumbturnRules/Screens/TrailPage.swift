/// Some events of the device's trail in a row, the newest first.
public struct TrailPage: Hashable, Sendable {
    /// The events; failures that no record tells of yet come first.
    public let events: [TrailEvent]
    /// The number of the earliest event that belongs to this page; 0 for the last page.
    public let first: UInt64
    /// The number of the first event of this page that is missing or damaged; nil when there is none.
    public let brokenAt: UInt64?
    /// How many events the account's service has not acknowledged yet; nil for a vault without an account.
    public let undelivered: UInt64?
    /// The reason of the trail's first record; nil when that can't be read.
    public let beganBecause: String?

    /// Creates a page.
    public init(
        events: [TrailEvent],
        first: UInt64 = 0,
        brokenAt: UInt64? = nil,
        undelivered: UInt64? = nil,
        beganBecause: String? = nil
    ) {
        self.events = events
        self.first = first
        self.brokenAt = brokenAt
        self.undelivered = undelivered
        self.beganBecause = beganBecause
    }

    /// Whether the trail before this one is gone or damaged, or its end was cut off.
    var isIncomplete: Bool {
        guard !events.isEmpty || first > 0 else { return false }
        switch TrailReason.allCases.first(where: { $0.name == beganBecause }) {
        case .lost, .damaged, .cut, .putBack: return true
        case nil: return true
        case .created, .restored, .reinstalled, .deviceChanged, .full, .reset: return false
        }
    }
}
