/// Timeouts for answers from outside this process: the one table of these limits.
///
/// After a timeout the answer is lost, as after a crash: it is unknown whether the request was carried out.
package enum Patience {
    /// All requests of one look to the system bus together, to any service: fprintd, logind, and polkit behind them.
    ///
    /// They are for a finger; the PIN needs none of them.
    package static let bus = Milliseconds.seconds(2)
    /// How long a bus that timed out is not asked again.
    ///
    /// Later requests in the same command do not wait again.
    package static let silentBus = Milliseconds.seconds(30)
    /// How long a query of the readers stays valid: another process may enrol a finger and store its key at any time.
    package static let freshLook = Milliseconds.seconds(10)
    /// From the start of a prompt until the reader waits for the finger: starting fprintd and a sensor takes seconds.
    package static let readyingReader = Milliseconds.seconds(10)
    /// A prompt that waits for the finger: some readers get hot, and libfprint turns them off for minutes after three.
    package static let finger = Milliseconds.seconds(30)
    /// Releasing a reader: the user now waits to type the PIN.
    package static let freeingReader = Milliseconds.seconds(2)
    /// Requests to logind by an app that follows it: no call waits for that.
    package static let followingSession = Milliseconds.seconds(25)
    /// One conversation with a TPM, of some dozen commands: a slow chip takes a second for one, and another program may
    /// use it.
    ///
    /// It runs under the vault's lock, since it counts what the vault counts.
    package static let chip = Milliseconds.seconds(30)
    /// Waiting for the vault's lock: transitions take milliseconds, and a slow derivation a second.
    package static let vaultLock = Milliseconds.seconds(10)
    /// One round trip to an account's service, over any network.
    package static let service = Milliseconds.seconds(30)
    /// The service's answer, for a call that can continue without it.
    package static let serviceWord = Milliseconds.seconds(1)
    /// What a login still asks the service once the vault is open.
    package static let afterLogin = Milliseconds.seconds(5)
    /// Delivering events after a command, which has told its result by then.
    package static let afterCommand = Milliseconds.seconds(2)
    /// Delivering events that a reset is about to erase.
    package static let beforeReset = Milliseconds.seconds(5)
}
