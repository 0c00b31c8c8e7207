import Synchronization
import ThumbturnRules

/// Counts the logins that each network starts per minute, in the memory of one instance.
///
/// In the store, counting would cost as much as it saves. So several instances allow several times the limit, and a
/// restarted instance starts at zero.
final class LoginBeginnings: Sendable {
    /// The maximum number of networks to remember; beyond it all are forgotten, so that a flood can't exhaust memory.
    fileprivate static let most = 65_536

    fileprivate struct Counts {
        var all: [[UInt8]: MinuteCount] = [:]
        /// When the networks whose minute is over were last removed.
        var sweptAt = ServiceTime(0)
    }

    private let counts = Mutex(Counts())

    /// Counts another login of the caller's network, or refuses it without counting.
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

    /// The number of remembered networks.
    var networkCount: Int { counts.withLock { $0.all.count } }
}

extension LoginBeginnings.Counts {
    fileprivate mutating func sweep(at now: ServiceTime) {
        let age = now - sweptAt
        guard age >= .minutes(1) || age < .zero || all.count >= LoginBeginnings.most else { return }
        sweptAt = now
        // Create a new dictionary: removing entries would not shrink the old one.
        all = Dictionary(uniqueKeysWithValues: all.filter { $0.value.isRunning(at: now) }.map { ($0.key, $0.value) })
        if all.count >= LoginBeginnings.most { all = [:] }
    }
}
