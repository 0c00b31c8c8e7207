/// How long each part of a machine outside of this process may take to answer: the one table of these limits.
///
/// Where a limit is over the answer is lost, as after a kill: whether what was asked for was done is not known.
package enum Patience {
    /// All questions of one look to the system bus together, whichever service they go to: fprintd, logind, and polkit behind
    /// them.
    ///
    /// They are for a finger, and the PIN needs none.
    package static let bus = Milliseconds.seconds(2)
    /// How long a bus that did not answer in time is not asked again.
    ///
    /// What follows in the same command does not wait anew.
    package static let silentBus = Milliseconds.seconds(30)
    /// How long a look at the readers tells who is enrolled: a finger may be enrolled at any time, and its key made by another process.
    package static let freshLook = Milliseconds.seconds(10)
    /// A reader in a prompt, until it waits for the finger: to start fprintd and a sensor takes seconds.
    package static let readyingReader = Milliseconds.seconds(10)
    /// A prompt that waits for the finger: some readers grow hot, and libfprint turns them off for minutes after three.
    package static let finger = Milliseconds.seconds(30)
    /// A reader that is given back: whoever waits for it now wants to type the PIN.
    package static let freeingReader = Milliseconds.seconds(2)
    /// logind, where an app follows it: nobody waits for that.
    package static let followingSession = Milliseconds.seconds(25)
    /// One conversation with a TPM, of some dozen commands: a slow chip takes a second for one, and another program may have it.
    ///
    /// It is asked under the vault's lock, for it counts what the vault counts.
    package static let chip = Milliseconds.seconds(30)
    /// The vault's lock in the hands of another process: transitions take milliseconds, and a slow derivation a second.
    package static let vaultLock = Milliseconds.seconds(10)
    /// One round trip to an account's service, over whatever network there is.
    package static let service = Milliseconds.seconds(30)
    /// The service's word beside what can go on without it.
    package static let serviceWord = Milliseconds.seconds(1)
}
