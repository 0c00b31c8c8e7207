import Testing
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules

/// Each byte, and each line, of a service's export that is another, or in another place.
///
/// Each mutant is read from where the verifier stood before the first line that differs, until it is found.
@Suite struct LedgerMutationTests {
    private let lines: [[UInt8]]
    /// The verifier before each line.
    private let verifiers: [LedgerVerifier]
    /// The next leaf's place before each line, and the first leaf that no checkpoint covers there.
    private let places: [(next: UInt64, start: UInt64)]

    private static let lineCount = 32
    private static let pinned = try? [TestLedger.publicKey(of: TestLedger.key)]

    init() throws {
        lines = try TestLedger.everything().export()
        var (verifier, verifiers) = (LedgerVerifier(pinned: Self.pinned), [LedgerVerifier]())
        var (next, start, places): (UInt64, UInt64, [(UInt64, UInt64)]) = (0, 0, [])
        for line in lines {
            verifiers.append(verifier)
            places.append((next, start))
            try verifier.take(line)
            if line.isLeaf { next += 1 }
            if line.isCheckpoint { start = next }
        }
        (self.verifiers, self.places) = (verifiers, places)
    }

    private func found(from index: Int, _ rest: some Sequence<[UInt8]>) -> LedgerFinding? {
        var verifier = verifiers[index]
        do throws(LedgerFinding) {
            for line in rest { try verifier.take(line) }
            _ = try verifier.finish()
        } catch {
            return error
        }
        return nil
    }

    @Test func `what was not changed is found whole from each line on`() {
        #expect(lines.count == Self.lineCount)
        for index in lines.indices { #expect(found(from: index, lines[index...]) == nil) }
    }

    @Test(.holds("A42"), arguments: 0..<lineCount) func `each byte that changed is found, and its leaf named`(
        index: Int
    ) {
        let (next, start) = places[index]
        for place in lines[index].indices {
            for mask: UInt8 in place % 4 == 0 ? [0x01, 0x20] : [0x01] {
                var line = lines[index]
                line[place] ^= mask
                // The first line that it can show in; a newline that went joins two.
                let finding = found(from: index, [line] + lines[(index + 1)...])
                let isNamed: Bool =
                    switch (finding, finding?.leaves) {
                    case (nil, _): false
                    case _ where index == 0: true
                    case (_, let leaves?) where lines[index].isLeaf: leaves.contains(next)
                    case (_, let leaves?): leaves.overlaps(start...next)
                    case (_, nil): !lines[index].isLeaf
                    }
                #expect(isNamed, "line \(index), byte \(place) ^ \(mask): \(String(describing: finding))")
            }
        }
    }

    @Test(.holds("A42", "A43")) func `a line that went, came twice, or changed places with the next is found`() {
        for index in lines.indices {
            let rest = lines[(index + 1)...]
            let gone = found(from: index, rest)
            #expect(gone != nil, "line \(index) went")
            let twice = found(from: index, [lines[index]] + lines[index...])
            #expect(twice != nil, "line \(index) came twice")
            if lines[index].isLeaf {
                #expect(twice?.leaves?.contains(places[index].next + 1) == true, "\(String(describing: twice))")
            }
            guard let next = rest.first else { continue }
            let swapped = found(from: index, [next, lines[index]] + lines[(index + 2)...])
            #expect(swapped != nil, "line \(index) and the next")
        }
    }

    @Test(.holds("A42", "A43")) func `a line that ends early or goes on is found`() {
        for index in lines.indices {
            let (line, rest) = (lines[index].dropLast(), lines[(index + 1)...])
            for count in Set([0, 1, 2, line.count / 2, line.count - 2, line.count - 1]) {
                #expect(found(from: index, [line.prefix(count) + [0x0A]] + rest) != nil, "line \(index), \(count)")
                let torn = found(from: index, [Array(line.prefix(count))])
                #expect(torn == (index == 0 ? .noExport : .cutOff(at: places[index].next)), "line \(index), \(count)")
            }
            for more in [" ", "}", "\r", "\u{0}", ","] {
                #expect(found(from: index, [line + Array((more + "\n").utf8)] + rest) != nil, "line \(index), \(more)")
            }
        }
    }

    @Test(arguments: [
        "", " ", "\r", "null", "1", "-0", "{}", "[]", "{\"index\":0,\"record\":{}}", "{\"index\":0,\"record\":}",
        "{\"index\":", "{\"index\":1.0,\"record\":{}}", "{\"entry\":{},\"index\":0}", "{\"entry\":{}}", "{\"entry\":",
        "{\"entry\":0,\"index\":9007199254740992}", "{\"upload\":{}}", "{\"upload\":",
        "{\"upload\":{\"signature\":\"\"}}",
        "{\"checkpoint\":\"\"}", "{\"checkpoint\":{}}", "{\"checkpoint\":", "{\"checkpoint\":\"\\ud800\"}",
        "{\"device\":{}}", "{\"header\":{}}", "{\"key\":{}}", "{\"record\":{}}", "{\"head\":{}}",
        "\u{FEFF}{\"checkpoint\":\"\"}",
    ])
    func `a line that is nothing is refused where it stands`(text: String) {
        let line = Array((text + "\n").utf8)
        for index in lines.indices {
            let finding = found(from: index, [line] + lines[index...])
            let isNamed: Bool =
                switch (finding, finding?.leaves) {
                case (.noExport, _): index == 0
                case (.keyMalformed, _): (1...3).contains(index)
                case (_, let leaves?): leaves.overlaps(places[index].start...places[index].next)
                default: false
                }
            #expect(isNamed, "line \(index): \(String(describing: finding))")
        }
        #expect(ledgerFinding(in: lines + [line]) == .trailing)
    }

    @Test func `a line of a mebibyte, or one a thousand deep, is refused at its limit`() {
        let deep = String(repeating: "[", count: 1_000) + String(repeating: "]", count: 1_000)
        let long = [UInt8](repeating: UInt8(ascii: "7"), count: 1 << 20)
        for junk in [long, Array("{\"checkpoint\":\"".utf8) + long, Array("{\"entry\":\(deep),\"index\":0}\n".utf8)] {
            #expect(found(from: 0, [junk]) == .noExport)
            #expect(found(from: 1, [junk]) == .keyMalformed)
            #expect(found(from: 3, [junk])?.leaves == 0...0)
            #expect(found(from: 6, [junk])?.leaves?.lowerBound == 1)
            #expect(ledgerFinding(in: lines + [junk]) == .trailing)
        }
        var (verifier, taken) = (verifiers[3], 0)
        #expect(throws: LedgerFinding.leafMalformed(0)) {
            for _ in 0..<(1 << 20) {
                try verifier.take([UInt8(ascii: "7")])
                taken += 1
            }
        }
        #expect(taken == 16_384, "it holds no more of a line than a head may have")
    }
}
