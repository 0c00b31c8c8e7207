// The features that an unlock comes by, in the order in which they are asked.
extension Guest {
    static let all = [formerPIN, strongerCost, formerParts, nextPolicy, freshLease, formerErasure]
}
