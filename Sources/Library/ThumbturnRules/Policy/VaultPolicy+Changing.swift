// How a policy changes: stricter parts apply at once, more lenient ones wait for the next strong unlock.
extension VaultPolicy {
    /// The spans that a rule may have: sums of a few stay far from overflow.
    private static let storable = Milliseconds.zero...Milliseconds.days(36_500)

    /// Returns the stricter of the two for each rule.
    ///
    /// The strong factor has no order of strictness, so it stays.
    package func stricter(with other: VaultPolicy) -> VaultPolicy {
        var policy = self
        for field in Field.all {
            switch field.kind {
            case .flag(let at, let strict): if other[at] == strict { policy[at] = strict }
            case .count(let at): policy[at] = min(self[at], other[at])
            case .span(let at, _): policy[at] = min(self[at], other[at])
            case .limit(let at): policy[at] = [self[at], other[at]].compactMap { $0 }.min()
            case .assurance(let at): policy[at] = max(self[at], other[at])
            case .optionalAssurance(let at): policy[at] = [self[at], other[at]].compactMap { $0 }.max()
            }
        }
        return policy
    }

    /// Whether a vault can store its spans: from nothing to a century.
    package var isStorable: Bool {
        Field.all.allSatisfy { field in
            switch field.kind {
            case .span(let at, _): Self.storable.contains(self[at])
            case .limit(let at): self[at].map { Self.storable.contains($0) } ?? true
            case .flag, .count, .assurance, .optionalAssurance: true
            }
        }
    }

    /// Returns whether a vault with this policy may change to the other one.
    ///
    /// The strong factor can't change here: it is a way in, not a rule. Settings that need a service require an
    /// account. An unchanged setting never refuses the change.
    package func mayBecome(_ other: VaultPolicy) -> Bool {
        other.strongFactor == strongFactor && other.isStorable
            && Field.all.allSatisfy { $0.isSame(in: self, and: other) || mayTake($0, from: other) }
    }

    private func mayTake(_ field: Field, from other: VaultPolicy) -> Bool {
        if field.needsService, strongFactor != .accountPassword { return field.isSame(in: .wallet, and: other) }
        guard case .span(let at, let shortest) = field.kind else { return true }
        return other[at] >= shortest
    }
}
