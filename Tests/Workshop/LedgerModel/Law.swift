/// What must be true in every world.
package enum Law: String, Sendable, CaseIterable {
    /// Every copy that opens shows the guesses answered wrong in all copies since the last strong success, or waits longest.
    case everyGuessCounts = "a guess is not counted"
    /// The same for failed fingers whose anchor moved. One that was killed before that is lost.
    case everyFingerCounts = "a failed finger is not counted"
    /// No fault of storage or anchor counts as a guess; nor does a kill, as long as the anchor had not moved.
    case faultIsNoGuess = "a fault counts as a guess"
    /// Nothing but somebody who writes the folder makes the only copy wait longest.
    case faultIsNoDamage = "a fault counts as damage"
    /// Once nobody writes any more, a look finds a row that is the vault's, whose wait ends.
    case everyWaitEnds = "a wait does not end"
    /// A second look changes nothing.
    case looksComeToRest = "every look writes again"
    /// A derivation runs only in the call whose move won.
    case derivesBehindMove = "a derivation without a move that won"
    /// And once for each place of the anchor.
    case derivesOnce = "a second derivation for one place"
    /// No attempt at a slot that the ledger does not name, put back from before a change of PIN (A7).
    case opensNamed = "an attempt at a slot that the ledger does not name"
    /// No clock that is set ends a wait.
    case clocksEndNoWait = "a clock that was set ends a wait"
}
