// The features that take part in an unlock, in the order in which they are called.
extension Guest {
    static let all = [formerPIN, strongerCost, formerParts, nextPolicy, freshLease, formerErasure]
}
