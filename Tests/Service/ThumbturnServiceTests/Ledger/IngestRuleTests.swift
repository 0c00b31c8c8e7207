import Testing

@testable import ThumbturnService

/// Every upload of a short chain and of its forks, at every state of the log.
@Suite("The rule of an upload") struct IngestRuleTests {
    /// The hash of a record: which way the chain went, and its `seq`.
    private static func hash(_ branch: UInt8, _ seq: UInt64) -> [UInt8] { [branch, UInt8(seq)] }

    /// The hash of the record with a `seq` of a chain that leaves branch 0 at `fork`; what the first continues has none.
    private static func record(_ seq: UInt64, fork: UInt64?) -> [UInt8] {
        hash(fork.map { seq >= $0 } ?? false ? 1 : 0, seq)
    }

    @Test func `an upload is known, new, behind a gap or a fork, and nothing else`() {
        var count = 0
        for next in 0...5 as ClosedRange<UInt64> {
            for fork in [nil, 0, 1, 2, 3, 4, 5] as [UInt64?] {
                for first in 0...6 as ClosedRange<UInt64> {
                    for last in first...7 {
                        for isEnded in [false, true] {
                            judge(next: next, fork: fork, first: first, last: last, isEnded: isEnded)
                            count += 1
                        }
                    }
                }
            }
        }
        #expect(count > 2_000)
    }

    private func judge(next: UInt64, fork: UInt64?, first: UInt64, last: UInt64, isEnded: Bool) {
        let genesis: [UInt8] = [9]
        let link = first == 0 ? genesis : Self.record(first - 1, fork: fork)
        let upload = IngestRule.Upload(
            first: first,
            link: link,
            hashes: (first...last).map { Self.record($0, fork: fork) }
        )
        let verdict = IngestRule.judge(
            upload,
            next: next,
            head: next == 0 ? genesis : Self.hash(0, next - 1),
            isEnded: isEnded
        ) { (seq) -> [UInt8] in
            #expect(seq < next)
            return Self.hash(0, seq)
        }
        let isSameSoFar = fork.map { min(last + 1, next) <= $0 } ?? true
        if first > next {
            #expect(verdict == (isEnded ? .fork(at: next) : .gap))
        } else if !isSameSoFar {
            guard case .fork(let seq) = verdict else {
                Issue.record("\(verdict)")
                return
            }
            #expect(seq <= next)
        } else if last < next {
            #expect(verdict == .known)
        } else {
            #expect(verdict == (isEnded ? .fork(at: next) : .append(from: next)))
        }
    }
}
