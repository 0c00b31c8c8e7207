import Testing
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnAudit

/// 100,000 mutations of a chain of 24 records: 20,000 of its bytes, and 80,000 of its order.
///
/// Each takes up where the verifier stood before the first line that differs: so one costs a line or two, and all of them
/// a few seconds unoptimised. The fuzzer's target `audit-export` has no bounds.
@Suite struct AuditMutationTests {
    private static let count = 24
    private static let rounds: [UInt64] = Array(1...8)

    private let trail: TestTrail
    private let lines: [[UInt8]]
    /// The verifier before each line.
    private let verifiers: [AuditVerifier]

    init() throws {
        trail = try TestTrail(count: Self.count)
        lines = try trail.lines()
        var (verifier, verifiers) = (AuditVerifier(), [AuditVerifier]())
        for line in lines {
            verifiers.append(verifier)
            try verifier.take(line)
        }
        self.verifiers = verifiers
    }

    private func found(from index: Int, _ rest: some Sequence<[UInt8]>) -> AuditFinding? {
        var verifier = verifiers[index]
        do throws(AuditFinding) {
            for line in rest { try verifier.take(line) }
            _ = try verifier.finish()
        } catch {
            return error
        }
        return nil
    }

    @Test(.holds("A42"), arguments: rounds) func `a byte that changed, went or came is found in its line`(seed: UInt64)
    {
        var generator = SeededGenerator(seed: seed)
        for number in 0..<(20_000 / Self.rounds.count) {
            let index = Int.random(in: lines.indices, using: &generator)
            var line = lines[index]
            let place = Int.random(in: line.indices, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: line[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 1: line[place] = line[place] &+ UInt8.random(in: 1...255, using: &generator)
            case 2: line.remove(at: place)
            default: line.insert(UInt8.random(in: 0...255, using: &generator), at: place)
            }
            // Nothing changed (two that are alike, one of which went), or an empty line stands in the next one's place.
            guard line != lines[index], !line.ends(with: [0x0A, 0x0A]) else { continue }
            let found = found(from: index, [line] + lines[(index + 1)...])
            #expect(
                isThere(found, at: index),
                "seed \(seed), number \(number), line \(index): \(String(describing: found))"
            )
        }
    }

    /// Whether a finding names the line, or what else shows that it was changed.
    private func isThere(_ finding: AuditFinding?, at index: Int) -> Bool {
        switch (index, finding) {
        case (0, .noExport), (0, .otherVersion), (0, .recordUncounted), (0, .countWrong): true
        case (1, .deviceMalformed), (1, .recordForeign(0)), (1, .recordUnchained(0)): true
        // The newline went, so that the head goes on.
        case (Self.count + 2, .cutOff(at: UInt64(Self.count))): true
        case (Self.count + 2, .headMalformed), (Self.count + 2, .headForeign), (Self.count + 2, .headElsewhere),
            (Self.count + 2, .endMissing), (Self.count + 2, .signatureWrong), (Self.count + 2, .trailing):
            true
        case (2..<Self.count + 2, .recordMalformed(let seq)), (2..<Self.count + 2, .recordChanged(let seq)):
            seq == UInt64(index - 2)
        default: false
        }
    }

    @Test(.holds("A42", "A43"), arguments: rounds)
    func `records that went, came twice, changed places or come from another epoch are found where that begins`(
        seed: UInt64
    ) throws {
        let other = try TestTrail(count: Self.count, epoch: 8).records
        let records = trail.records
        let begun = try AuditChain(deviceId: TestTrail.device, epoch: trail.epoch, publicKey: trail.publicKey)
        // What the verifier asks of each record that is whole.
        let chains = records.indices.map { index in
            index == 0
                ? begun
                : AuditChain(
                    deviceId: begun.deviceId,
                    epoch: begun.epoch,
                    next: UInt64(index),
                    head: records[index - 1].hash
                )
        }
        func found(from index: Int, _ rest: some Sequence<AuditRecord>) -> AuditFinding? {
            var chain = chains[index]
            do throws(AuditFinding) { for record in rest { try chain.take(record) } } catch { return error }
            return nil
        }
        var generator = SeededGenerator(seed: seed)
        for number in 0..<(80_000 / Self.rounds.count) {
            let first = Int.random(in: 0..<Self.count - 1, using: &generator)
            let last = Int.random(in: first + 1..<Self.count, using: &generator)
            let (start, end) = (UInt64(first), UInt64(last))
            let (expected, finding): (AuditFinding, AuditFinding?)
            switch number % 5 {
            case 0:  // cut out
                expected = .recordsMissing(from: start, through: end - 1)
                finding = found(from: first, records[last...])
            case 1:  // once more
                expected = .recordRepeated(start, before: end + 1)
                finding = found(from: first, records[first...last] + [records[first]] + records[(last + 1)...])
            case 2:  // each in the other's place
                var swapped = records
                swapped.swapAt(first, last)
                expected = .recordsMissing(from: start, through: end - 1)
                finding = found(from: first, swapped[first...])
            case 3:  // one moved further down
                expected = .recordsMissing(from: start, through: start)
                finding = found(from: first, records[(first + 1)...last] + [records[first]])
            default:  // from here on, or for a while, the other epoch's
                expected = .recordForeign(start)
                finding = found(from: first, other[first...last] + records[(last + 1)...])
            }
            #expect(finding == expected, "seed \(seed), number \(number): \(first), \(last)")
        }
    }

    @Test(.holds("A42")) func `what was not changed is found whole from each line on`() {
        for index in lines.indices { #expect(found(from: index, lines[index...]) == nil) }
    }
}

extension [UInt8] {
    fileprivate func ends(with end: [UInt8]) -> Bool { suffix(end.count) == end[...] }
}
