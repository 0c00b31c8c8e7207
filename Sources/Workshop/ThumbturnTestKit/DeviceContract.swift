package import ThumbturnRules
package import ThumbturnSimulator

/// The contract that every device must keep, as checks that each adapter runs: simulated, Apple, Linux.
///
/// A check returns a verdict or throws a breach, so it needs no test library:
///
/// ```swift
/// @Test(arguments: DeviceContract.Clause.allCases)
/// func `the device keeps the contract`(clause: DeviceContract.Clause) async throws {
///     #expect(try await contract.check(clause) == .kept)
/// }
/// ```
package struct DeviceContract: Sendable {
    /// The result of a check that found no breach.
    package enum Verdict: Hashable, Sendable {
        /// The device kept the clause.
        case kept
        /// The clause needs an event that can't be simulated on this device: it remains for a manual checklist.
        case undecided(SimulatedEvent)
    }

    /// A broken promise.
    package struct Breach: Error, Hashable, CustomStringConvertible {
        package let clause: Clause
        package let description: String
    }

    /// One promise.
    package enum Clause: String, Hashable, Sendable, CaseIterable {
        case itemsReadBack = "an item of the device alone reads back without a prompt"
        case othersAreRefused = "an access that the device does not offer is refused, and leaves no item"
        case attributesReadBack = "A32: every item describes as it was asked for, and stays on the device"
        case onlyReadingPrompts = "saving, describing and deleting show no prompt"
        case namesAreUsedOnce = "a name that is taken refuses, and keeps its item"
        case absenceIsSaid = "what was never saved is absent"
        case deletionIsRepeatable = "a deleted item is absent, and can be deleted again"
        case lockedIsNotAbsent = "A25: a locked device says unavailable to every call, and loses nothing"
        case onePromptPerRead = "C21: each read of a guarded item is one prompt"
        case promptsEndExactly = "each end of a prompt has its own refusal, and none costs the item"
        case mismatchBeforeCancelShows = "C7: a prompt that is dismissed after a mismatch says so"
        case cancellationEndsPrompt = "the end of the task ends its prompt"
        case touchAnswersPrompt = "a touch while a prompt is up ends it as one that was planned before would"
        case changedSetRevokes = "A28: an item of the current set is revoked by one more finger, and no other item is"
        case nobodyEnrolled = "with nobody enrolled a biometric item is neither saved nor read"
        case lockoutRefuses = "a lockout refuses biometrics until the passcode is given"
        case passcodeIsNoFinger = "A31: the passcode opens what any biometry opens, never an item of the current set"
        case passcodeBreaksLockout = "under a lockout the passcode still opens what any biometry opens"
        case passcodeTakesItems = "without a passcode nothing is kept behind it, and an item of the device alone stays"
        case evaluationIsKeyed = "a device secret gives 32 bytes, the same for the same input and for no other"
        case deviceSecretIsNotRead = "a device secret is not read, and an item is not evaluated"
        case deviceKeySigns = "a device key signs what its public half verifies, and no other does"
        case deviceKeyIsNotRead = "a device key is neither read nor evaluated, and nothing else signs"
        case deviceKeyEndsOnce = "a deleted device key is absent, and can be deleted again"
        case deviceKeyStaysHere = "a device key outlives a reinstall as items do, and is not there on another device"
        case anchorMovesFromWhereItStands = "an anchor moves up from where it stands, from nowhere else"
        case anchorMovesOnce = "of many that move an anchor from one place at once, one does"
        case reinstallKeepsItems = "A27: a reinstall is a new installation, which finds old items where they are kept"
        case restoreLosesItems = "A26: on another device nothing of the store opens"
        case changesAreTold = "who listens is told of a lock, a return and a change of the enrolled set, from then on"
        case clocksMoveWhileRead = "A14: clocks that are moved while others read them run on from where they stand"
        case clocksRun = "A14, A16, A17: both clocks count sleep, one can be set, and each boot has its name"
        case capabilityHasReasons = "F-107-01: a capability says why not"
        case promptProvesPresence = "the owner's prompt passes on a match and on nothing else"
        case passcodeProvesOwner = "the owner's prompt takes the passcode where that will do, which ends a lockout"
        case assuranceIsOne = "the sensor claims the assurance of the items behind it"
    }

    let patience: Milliseconds
    let make: @Sendable () async throws -> ContractDevice

    /// Creates a contract that makes a new device for each check.
    ///
    /// - Parameters:
    ///   - patience: how long a device may take to answer a touch, or to tell an event.
    ///   - make: makes a device.
    package init(patience: Milliseconds = .seconds(10), make: @escaping @Sendable () async throws -> ContractDevice) {
        (self.patience, self.make) = (patience, make)
    }
}
