import Synchronization

/// The service's counters for Prometheus; none of them identifies an account or an address.
package final class Metrics: Sendable {
    /// The properties of an answer that are counted.
    struct Answer: Hashable, Sendable {
        /// The pattern of the route; requests that match no route are counted together.
        let route: String
        let status: Int
        let code: String?
    }

    private struct Counts {
        var answers: [Answer: UInt64] = [:]
        var durations: [String: Durations] = [:]
    }

    private struct Durations {
        var atMost = [UInt64](repeating: 0, count: Metrics.bounds.count)
        var microseconds: UInt64 = 0
        var count: UInt64 = 0
    }

    /// The upper bounds of the histogram, in microseconds.
    private static let bounds: [UInt64] = [1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000]

    private let counts = Mutex(Counts())

    package init() {}

    func count(_ answer: Answer, microseconds: UInt64) {
        counts.withLock { counts in
            counts.answers[answer, default: 0] += 1
            var durations = counts.durations[answer.route] ?? Durations()
            for (index, bound) in Self.bounds.enumerated() where microseconds <= bound { durations.atMost[index] += 1 }
            durations.microseconds += microseconds
            durations.count += 1
            counts.durations[answer.route] = durations
        }
    }

    /// Returns the counters as text for Prometheus (exposition format 0.0.4).
    func text(openHandshakes: Int64) -> String {
        let counts = counts.withLock { $0 }
        var text = Self.head("thumbturn_answers_total", "counter", "Answers, by route, status and code.")
        for (answer, count) in counts.answers.sorted(by: { Self.labels($0.key) < Self.labels($1.key) }) {
            text += "thumbturn_answers_total{\(Self.labels(answer))} \(count)\n"
        }
        text += Self.head(
            "thumbturn_answer_seconds",
            "histogram",
            "Time from a request's arrival at a worker to its answer."
        )
        for (route, durations) in counts.durations.sorted(by: { $0.key < $1.key }) {
            text += Self.lines(durations, route)
        }
        text += Self.head(
            "thumbturn_open_handshakes",
            "gauge",
            "Logins that were begun and not yet proved, of all instances."
        )
        return text + "thumbturn_open_handshakes \(openHandshakes)\n"
    }

    private static func lines(_ durations: Durations, _ route: String) -> String {
        let name = "thumbturn_answer_seconds"
        var text = ""
        for (bound, count) in zip(bounds, durations.atMost) {
            text += "\(name)_bucket{route=\"\(route)\",le=\"\(seconds(bound))\"} \(count)\n"
        }
        text += "\(name)_bucket{route=\"\(route)\",le=\"+Inf\"} \(durations.count)\n"
        text += "\(name)_sum{route=\"\(route)\"} \(seconds(durations.microseconds))\n"
        return text + "\(name)_count{route=\"\(route)\"} \(durations.count)\n"
    }

    private static func labels(_ answer: Answer) -> String {
        "route=\"\(answer.route)\",status=\"\(answer.status)\",code=\"\(answer.code ?? "")\""
    }

    private static func head(_ name: String, _ type: String, _ help: String) -> String {
        "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    private static func seconds(_ microseconds: UInt64) -> String {
        let fraction = String(1_000_000 + microseconds % 1_000_000).dropFirst()
        return "\(microseconds / 1_000_000).\(fraction)"
    }
}
