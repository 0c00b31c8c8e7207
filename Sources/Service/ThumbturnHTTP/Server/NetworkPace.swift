/// Lets each network come and ask so many times a second; what it asks beyond that is answered later, and nothing is refused.
///
/// So the loops have time for others, whatever one asks for.
final class NetworkPace: Sendable {
    private static let longestMilliseconds: Int64 = 10_000
    /// How many networks are remembered.
    private static let most = 65_536

    /// In microseconds; 0 lets all pass.
    private let interval: Int64
    /// When the next is due, for each network, in microseconds.
    private let due = Monitor<[[UInt8]: Int64]>([:])

    /// - Parameter perSecond: how often, a second's worth of which may come at once; `Int.max` for any number.
    init(perSecond: Int) {
        interval = perSecond == .max ? 0 : Int64(1_000_000 / max(1, perSecond))
    }

    /// Counts one more.
    ///
    /// - Parameter now: by `Clock.milliseconds`.
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
