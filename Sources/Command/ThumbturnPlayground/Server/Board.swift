import ThumbturnFiles
import ThumbturnHTTP
import ThumbturnJSON

/// The state that all pages show, and the pages that wait for the next.
final class Board: Sendable {
    /// How long a page waits, before it is told the same again.
    static let patience: Int64 = 25_000

    private struct Waiter {
        let reply: HTTPReply
        let deadline: Int64
    }

    private struct Shown {
        var revision: Int64 = 0
        var state: JSON = ["app": ["isRunning": .bool(false)]]
        /// In the order of their deadlines.
        var waiters: [Waiter] = []
        var isEnded = false
        let hasService: Bool
        var isServiceAway = false

        var response: HTTPResponse {
            let answer: JSON = [
                "hasService": .bool(hasService), "isServiceAway": .bool(isServiceAway), "revision": .integer(revision),
                "state": state,
            ]
            return HTTPResponse(status: 200, json: answer).guarded
        }
    }

    private let shown: Monitor<Shown>

    /// - Parameter hasService: whether there can be an account.
    init(hasService: Bool) { shown = Monitor(Shown(hasService: hasService)) }

    /// Shows another state, and answers every page that waits.
    func show(_ state: JSON) { show { $0.state = state } }

    /// Shows whether the account service was taken away.
    func show(isServiceAway: Bool) { show { $0.isServiceAway = isServiceAway } }

    private func show(_ change: (inout Shown) -> Void) {
        let (waiters, response) = shown.change(wakingAll: true) { shown in
            shown.revision += 1
            change(&shown)
            defer { shown.waiters = [] }
            return (shown.waiters, shown.response)
        }
        for waiter in waiters { waiter.reply(response) }
    }

    /// Shows the last state as that of an app that does not run any more.
    func showEnd() {
        let last = shown.change { $0.state }
        guard case .object(let members) = last else { return }
        show(.object(members.map { $0.0 == "app" ? ($0.0, $0.1.with("isRunning", .bool(false))) : $0 }))
    }

    /// Returns the state once it is another than the page knows; at once if it is, or if the page knows none.
    func answer(after revision: Int64?) -> HTTPAnswer {
        let now = shown.change { $0.revision != revision || $0.isEnded ? $0.response : nil }
        if let now { return .now(now) }
        return .later { [shown] reply in
            let response = shown.change(wakingAll: true) { shown -> HTTPResponse? in
                guard shown.revision == revision, !shown.isEnded else { return shown.response }
                shown.waiters.append(Waiter(reply: reply, deadline: MonotonicClock.milliseconds + Self.patience))
                return nil
            }
            if let response { reply(response) }
        }
    }

    /// Answers those who have waited long enough, until `end`; runs on a thread of its own, asleep while nobody waits.
    func attend() {
        while true {
            let first = shown.wait { shown -> Int64? in shown.isEnded ? .max : shown.waiters.first?.deadline }
            guard let first, first != .max else { return }
            // A new state wakes this too, and may have answered them all.
            _ = shown.wait(until: first) { $0.isEnded || $0.waiters.first?.deadline != first ? true : nil }
            let (due, response) = shown.change { shown in
                let now = MonotonicClock.milliseconds
                let due = shown.waiters.prefix { $0.deadline <= now }
                shown.waiters.removeFirst(due.count)
                return (due, shown.response)
            }
            for waiter in due { waiter.reply(response) }
        }
    }

    /// Answers everyone, and whoever comes later at once.
    func end() {
        shown.change { $0.isEnded = true }
        showEnd()
    }
}

extension JSON {
    /// The same object with another value of a member.
    fileprivate func with(_ name: String, _ value: JSON) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.0 != name } + [(name, value)])
    }
}
