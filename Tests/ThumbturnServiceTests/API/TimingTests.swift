import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

@testable import ThumbturnService

@Suite("The time of an answer", .serialized) struct TimingTests {
    /// How many pairs are measured; the figure of the documentation is taken with 5,000.
    private static let pairs = ProcessInfo.processInfo.environment["THUMBTURN_TIMING_PAIRS"].flatMap(Int.init) ?? 300

    /// How far the medians may lie apart: over few pairs, on a machine that does other things too, they tell less.
    private static let bound = pairs < 2_000 ? 0.15 : 0.05

    /// As long as the other name: lengths are nobody's secret.
    private static let nobody = "carol@example.org"

    @Test(.holds("SRP-16", "SVC-10"))
    func `it tells not whether somebody has the name, at the beginning and at the proof`() throws {
        let client = try ServiceRoom { $0.failures = MinuteLimit(most: .max) }.client()
        try client.register(User())
        var times: [String: [Double]] = [:]
        for pair in 0..<Self.pairs {
            for name in pair % 2 == 0 ? [User().name, Self.nobody] : [Self.nobody, User().name] {
                var begun: Reply?
                times["begin \(name)", default: []].append(try Self.measure { begun = try client.beginOnly(name) })
                let handshake = try #require(begun?.json["handshake"]?.text)
                let proof = [UInt8](repeating: 1, count: 32)
                times["prove \(name)", default: []].append(try Self.measure { _ = try client.prove(handshake, proof) })
            }
            // So that no wait comes in.
            client.clock.advance(.minutes(2))
        }
        for step in ["begin", "prove"] {
            let (known, unknown) = (
                Self.median(times["\(step) \(User().name)"]), Self.median(times["\(step) \(Self.nobody)"])
            )
            let difference = abs(known / unknown - 1)
            print("\(step), \(Self.pairs) pairs: \(known) µs for a name that somebody has, \(unknown) for another")
            #expect(difference < Self.bound, "\(step): \(difference)")
        }
    }

    /// The processor time of this thread in microseconds, which no other process and no disk comes into.
    private static func measure(_ body: () throws -> Void) rethrows -> Double {
        func now() -> Double {
            var time = timespec()
            _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
        }
        let start = now()
        try body()
        return now() - start
    }

    private static func median(_ times: [Double]?) -> Double {
        let sorted = (times ?? []).sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }
}
