/// Why an existing TPM releases nothing, or stores nothing new.
package enum TPMTrouble: Hashable, Sendable {
    /// It counted too many wrong authorisations, by any program, and refuses the right one too.
    ///
    /// - atMost: for how long; nil when time alone does not end it.
    case lockedOut(atMost: Milliseconds?)
    /// It did not wrap what is stored here: it was cleared, or is another TPM.
    case another
    /// Its owner hierarchy is disabled: until the next boot, unless the firmware keeps it so.
    case ownerIsOff
    /// Its owner hierarchy has a password.
    case ownerHasPassword
    /// It has no memory for another counter, and perhaps for none of our items; stored ones work.
    case full
    /// It does not answer.
    case silent
}
