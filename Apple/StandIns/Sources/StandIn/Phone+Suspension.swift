import Foundation

extension Phone {
    /// What an app does that does not want to be suspended; it is told true when it is about to be nevertheless.
    public typealias Activity = @Sendable (Bool) -> Void

    /// `ProcessInfo.performExpiringActivity`: holds suspension up as long as the block runs.
    ///
    /// The block runs on a thread of its own, and once more, beside itself, when time is up; only so where there is no time
    /// [doc].
    public func perform(reason: String, _ activity: @escaping Activity) {
        guard !reason.isEmpty else { return withState { $0.kills.append("an activity without a reason") } }
        let number: Int? = withState { state in
            guard state.quirks.letsAppsStay else { return nil }
            state.activityCount += 1
            state.activities[state.activityCount] = activity
            return state.activityCount
        }
        Thread.detachNewThread { [self] in
            activity(number == nil)
            guard let number else { return }
            withState { $0.activities[number] = nil }
            condition.broadcast()
        }
    }

    /// How many activities hold suspension up.
    public var activityCount: Int { withState { $0.activities.count } }

    /// Waits until nothing holds suspension up any more.
    ///
    /// - Returns: whether that came; an app that takes seconds is ended.
    @discardableResult
    public func waitForActivities() -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let limit = Date(timeIntervalSinceNow: 30)
        while !heldState.activities.isEmpty {
            guard condition.wait(until: limit) else { return false }
        }
        return true
    }

    /// Time is up for an app in the background: what it does is told so, and then it stops, with its memory as it is.
    ///
    /// Contexts that were evaluated before are useless afterwards [field].
    public func suspend() {
        for activity in withState({ $0.activities.values }) { activity(true) }
        if !waitForActivities() { withState { $0.kills.append("it would not be suspended") } }
        withState { $0.appLife += 1 }
    }
}
