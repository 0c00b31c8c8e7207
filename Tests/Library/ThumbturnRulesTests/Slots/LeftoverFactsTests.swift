import Testing
import ThumbturnRules

@Suite struct LeftoverFactsTests {
    /// Every combination of what can be known without the device.
    private static let known: [LeftoverFacts] = LeftoverFacts.Item.allCases.flatMap { item in
        (0..<16).map { bits in
            LeftoverFacts(
                item: item,
                isReferredTo: bits & 1 != 0,
                isOwn: bits & 2 != 0,
                isHeadless: bits & 4 != 0,
                isVerified: bits & 8 != 0
            )
        }
    }

    /// The same with every answer of the device, and with those that were not asked for.
    private static let all: [LeftoverFacts] = known.flatMap { facts in
        let presences = LeftoverFacts.Presence.allCases.map(Optional.some) + [nil]
        return presences.flatMap { counter in
            presences.flatMap { presence in
                [true, false, nil].map { vouches in
                    var facts = facts
                    (facts.counter, facts.presence, facts.vouches) = (counter, presence, vouches)
                    return facts
                }
            }
        }
    }

    @Test(.holds("A25")) func `what a slot names, and what is another vault's, is kept whatever anybody says`() {
        #expect(Self.all.count == 4 * 16 * 5 * 5 * 3)
        for facts in Self.all where facts.isReferredTo || !(facts.isOwn || facts.isHeadless) || facts.item == .foreign {
            #expect(facts.verdict == .keep, "\(facts)")
        }
    }

    @Test(.holds("A25"))
    func `a note alone deletes no device secret: it has no counter, is gone, or vouches for its note`() {
        for facts in Self.all where facts.item == .deviceSecret && facts.verdict == .delete {
            let isUncommitted = facts.counter == .absent
            let isCounted = facts.counter == .present || facts.counter == .damaged
            let isGone = isCounted && facts.presence == .absent
            let vouched = isCounted && facts.presence == .present && facts.vouches == true
            let isOver = isCounted && facts.presence == .damaged && facts.isVerified
            #expect(isUncommitted || isGone || vouched || isOver, "\(facts)")
        }
    }

    @Test(.holds("A25")) func `what is damaged stays until a recovery or a reset has no use for it, and goes then`() {
        let asked = Self.known.filter { !$0.isReferredTo && ($0.isOwn || $0.isHeadless) }
        for facts in asked where facts.item == .deviceSecret || facts.item == .systemKey {
            var facts = facts
            facts.counter = facts.item == .deviceSecret ? .damaged : .absent
            facts.presence = .damaged
            #expect(facts.verdict == (facts.isVerified ? .delete : .keep), "\(facts)")
        }
    }

    @Test(.holds("A25")) func `a note alone deletes no system key: its owner opened or erases the vault`() {
        for facts in Self.all where facts.item == .systemKey && facts.verdict == .delete {
            let isGone = facts.counter == .absent && facts.presence == .absent
            #expect(facts.isVerified || facts.counter == .present || facts.counter == .damaged || isGone, "\(facts)")
        }
    }

    @Test(.holds("A61")) func `a note of what a reset has deleted goes, else the reset would be pending for ever`() {
        for item in [LeftoverFacts.Item.systemKey, .deviceSecret] {
            var facts = LeftoverFacts(
                item: item,
                isReferredTo: false,
                isOwn: false,
                isHeadless: true,
                isVerified: false
            )
            (facts.counter, facts.presence) = (.absent, .absent)
            #expect(facts.verdict == .delete)
        }
    }

    @Test(.holds("F-107-03")) func `what is released goes: nothing that names it is left, and everything vouches`() {
        for facts in Self.known where !facts.isReferredTo && (facts.isOwn || facts.isHeadless) {
            var facts = facts
            (facts.counter, facts.presence, facts.vouches) = (.present, .present, true)
            #expect(facts.verdict == (facts.item == .foreign ? .keep : .delete), "\(facts)")
        }
    }

    @Test(.holds("A25")) func `an unavailable device says nothing, so nothing is deleted`() {
        for facts in Self.all where facts.item == .deviceSecret || (facts.item == .systemKey && !facts.isVerified) {
            if facts.counter == .unavailable { #expect(facts.verdict == .keep) }
            let isCounted = facts.counter == .present || facts.counter == .damaged
            let isAsked = facts.item == .deviceSecret ? isCounted : facts.counter == .absent
            if isAsked, facts.presence == .unavailable { #expect(facts.verdict == .keep) }
        }
    }

    @Test func `each question is asked once, and only where the answer says who wants the item gone`() {
        for facts in Self.all {
            guard case .ask(let question) = facts.verdict else { continue }
            #expect(facts.item == .deviceSecret || (facts.item == .systemKey && question != .voucher))
            switch question {
            case .counter: #expect(facts.counter == nil)
            case .item:
                let isCounted = facts.counter == .present || facts.counter == .damaged
                #expect(facts.item == .deviceSecret ? isCounted : facts.counter == .absent)
                #expect(facts.presence == nil)
            case .voucher: #expect(facts.presence == .present && facts.vouches == nil)
            }
        }
    }
}
