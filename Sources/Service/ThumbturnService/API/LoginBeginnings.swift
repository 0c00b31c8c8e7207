import Synchronization
import ThumbturnRules

/// How many logins each network began in the minute that is being counted, in the memory of one instance.
///
/// In the store it would cost a login as much as it saves. So several instances let as many times as much pass, and one that
/// starts anew has forgotten.
final class LoginBeginnings: Sendable {
    /// How many networks are remembered; were there more in a minute, all are forgotten, rather than that a flood costs memory.
    fileprivate static let most = 65_536

    fileprivate struct Counts {
        var all: [[UInt8]: MinuteCount] = [:]
        /// When those whose minute is over were looked for.
        var sweptAt = ServiceTime(0)
    }

    private let counts = Mutex(Counts())

    /// Counts one more login of the caller's network, or refuses it, which counts nothing.
    func count(_ caller: Accounts.Caller, _ limit: MinuteLimit) throws(Problem) {
        let wait = counts.withLock { counts in
            counts.sweep(at: caller.now)
            let count = counts.all[caller.network] ?? .none
            let wait = limit.wait(after: count, at: caller.now)
            if wait == .zero { counts.all[caller.network] = count.adding(at: caller.now) }
            return wait
        }
        guard wait == .zero else { throw .wait(wait, .loginsFull) }
    }

    /// How many networks are remembered.
    var networkCount: Int { counts.withLock { $0.all.count } }
}

extension LoginBeginnings.Counts {
    fileprivate mutating func sweep(at now: ServiceTime) {
        let age = now - sweptAt
        guard age >= .minutes(1) || age < .zero || all.count >= LoginBeginnings.most else { return }
        sweptAt = now
        // A new dictionary: one from which entries were taken out keeps their room.
        all = Dictionary(uniqueKeysWithValues: all.filter { $0.value.isRunning(at: now) }.map { ($0.key, $0.value) })
        if all.count >= LoginBeginnings.most { all = [:] }
    }
}
