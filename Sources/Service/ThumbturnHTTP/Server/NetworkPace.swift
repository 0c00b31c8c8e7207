import ThumbturnFiles

/// Limits how often per second each network may connect or ask; the answers to more are delayed, none is refused.
///
/// So the loops have time for other networks.
final class NetworkPace: Sendable {
    private static let longestMilliseconds: Int64 = 10_000
    /// The maximum number of networks to remember.
    private static let most = 65_536

    /// The interval in microseconds; 0 for no limit.
    private let interval: Int64
    /// The time when each network's next request is due, in microseconds.
    private let due = Monitor<[[UInt8]: Int64]>([:])

    /// - Parameter perSecond: the limit, up to a second's worth of which may come at once; `Int.max` for none.
    init(perSecond: Int) { interval = perSecond == .max ? 0 : Int64(1_000_000 / max(1, perSecond)) }

    /// Counts another request.
    ///
    /// - Parameter now: by `MonotonicClock.milliseconds`.
    /// - Returns: how many milliseconds it has to wait.
    func delay(of network: [UInt8], at now: Int64) -> Int64 {
        guard interval > 0 else { return 0 }
        let now = now * 1_000
        return due.change { due in
            if due.count >= Self.most {
                due = due.filter { $0.value > now }
                if due.count >= Self.most { due = [:] }
            }
            let next = max(due[network] ?? 0, now - 1_000_000) + interval
            due[network] = min(next, now + Self.longestMilliseconds * 1_000)
            return max(0, min((next - now) / 1_000, Self.longestMilliseconds))
        }
    }
}
