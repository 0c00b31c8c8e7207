import Testing
import ThumbturnRules

@Suite struct SlotRulesTests {
    /// Every set of kinds there is.
    private static let sets: [Set<SlotKind>] = (0..<1 << SlotKind.allCases.count).map { bits in
        Set(SlotKind.allCases.enumerated().filter { bits & (1 << $0.offset) != 0 }.map(\.element))
    }

    @Test func `names as JSON has them, and labels as HKDF has them`() {
        #expect(SlotKind.allCases.map(\.name) == ["localSecret", "biometric", "recovery", "system", "password"])
        #expect(SlotKind.allCases.map(\.purpose) == ["pin-slot", "bio-slot", "rec-slot", "sys-slot", "pwd-slot"])
    }

    @Test(.holds("K-10", "S-03", "INV-107-01")) func `every set of ways in, and whether it may be committed`() {
        let allowed: [Set<SlotKind>] = [
            [.localSecret], [.localSecret, .biometric], [.localSecret, .recovery],
            [.localSecret, .biometric, .recovery],
            [.recovery], [.biometric, .recovery], [.system, .recovery],
            [.password], [.password, .biometric], [.password, .recovery], [.password, .biometric, .recovery],
        ]
        #expect(Set(Self.sets).count == 1 << SlotKind.allCases.count)
        for set in Self.sets {
            #expect(SlotRules.mayCommit(set, isHalfMigrated: false) == allowed.contains(set), "\(set)")
        }
    }

    @Test(.holds("K-07")) func `half migrated, biometrics stand alone, and nothing else does`() {
        for set in Self.sets {
            #expect(SlotRules.mayCommit(set, isHalfMigrated: true) == (set == [.biometric]), "\(set)")
        }
    }

    @Test(.holds("A7")) func `a ledger must know the PIN's slot, unless it was made anew and names none`() {
        let ids = (1...3).map { Identifier(high: 0, low: $0) }
        for known in Self.subsets(of: ids) {
            for local in ids {
                let believed = SlotRules.ledger(naming: known, knows: local)
                #expect(believed == (known.isEmpty || known.contains(local)), "\(known)")
            }
            #expect(SlotRules.ledger(naming: known, knows: nil) == known.isEmpty)
            #expect(SlotRules.ledger(naming: known, knows: nil, awaitsLocal: true))
        }
    }

    private static func subsets(of ids: [Identifier]) -> [[Identifier]] {
        (0..<8).map { bits in ids.enumerated().filter { bits & (1 << $0.offset) != 0 }.map(\.element) }
    }

    @Test(.holds("S-06")) func `every head and every set of rows has one mode`() {
        for listed in Self.sets {
            for standing in Self.sets {
                let mode = UnlockMode(listed: listed, standing: standing)
                let hasOwnSecret = standing.contains(.localSecret) || standing.contains(.password)
                if listed.contains(.localSecret) || listed.contains(.biometric) || listed.contains(.password) {
                    #expect(mode == .local)
                } else if listed.contains(.system) {
                    // A row that was put beside the head changes no mode; a head that names none that stands keeps no PIN out.
                    #expect((mode == .system) == (standing.contains(.system) || !hasOwnSecret))
                } else {
                    #expect((mode == .system) == (standing.contains(.system) && !hasOwnSecret))
                }
            }
        }
    }
}
