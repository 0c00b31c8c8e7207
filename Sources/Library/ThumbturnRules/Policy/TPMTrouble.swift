/// Why a TPM that is there gives nothing out, or takes nothing new.
package enum TPMTrouble: Hashable, Sendable {
    /// It counted too many wrong authorisations, of whatever program, and refuses the right one too.
    ///
    /// - atMost: how long; nil where time alone does not end it.
    case lockedOut(atMost: Milliseconds?)
    /// It never wrapped what lies here: it was cleared, or is another one.
    case another
    /// Its owner hierarchy is off: until the next boot, unless the firmware keeps it so.
    case ownerIsOff
    /// Its owner hierarchy has a password.
    case ownerHasPassword
    /// Its memory takes no further counter, so perhaps nothing of ours; what lies there works.
    case full
    /// It does not answer.
    case silent
}
