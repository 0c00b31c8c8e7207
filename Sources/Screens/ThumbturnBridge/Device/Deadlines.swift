import ThumbturnFiles
import ThumbturnRules

/// Ends what takes too long, by one sleeping task for all calls of the process.
///
/// A task for each would wake another thread at every call, and the sleep of a cancelled one keeps its memory until its
/// time has come.
final class Deadlines: Sendable {
    static let shared = Deadlines()

    private struct Deadline: Sendable {
        /// By `MonotonicClock.milliseconds`.
        var time: Int64
        var pass: @Sendable () -> Void
    }

    private struct State {
        var deadlines: [UInt64: Deadline] = [:]
        /// When the task wakes that looks next; nil if none does.
        var nextLook: Int64?
    }

    private let state = Monitor(State())

    /// How many are set.
    var count: Int { state.change { $0.deadlines.count } }

    /// Sets the deadline of a number, in place of the one that it had.
    ///
    /// - Parameter pass: called once, unless the deadline is dropped before.
    func set(_ number: UInt64, after span: Milliseconds, _ pass: @escaping @Sendable () -> Void) {
        let time = MonotonicClock.milliseconds + span.count
        let isFirst = state.change { state in
            state.deadlines[number] = Deadline(time: time, pass: pass)
            guard time < state.nextLook ?? .max else { return false }
            state.nextLook = time
            return true
        }
        if isFirst { look(at: time) }
    }

    /// Drops the deadline of a number, if it has one.
    func drop(_ number: UInt64) { state.change { $0.deadlines[number] = nil } }

    private func look(at time: Int64) {
        Task {
            let span = max(0, time - MonotonicClock.milliseconds)
            try? await Task.sleep(nanoseconds: UInt64(span) * 1_000_000)
            look(calledFor: time)
        }
    }

    private func look(calledFor time: Int64) {
        let now = MonotonicClock.milliseconds
        let (passed, next) = state.change { state in
            let passed = state.deadlines.filter { $0.value.time <= now }
            for number in passed.keys { state.deadlines[number] = nil }
            // Another task looks next, and earlier: a deadline was set before this one.
            guard state.nextLook == time else { return (passed, Int64?.none) }
            state.nextLook = state.deadlines.values.map(\.time).min()
            return (passed, state.nextLook)
        }
        for deadline in passed.values { deadline.pass() }
        if let next { look(at: next) }
    }
}
