import CTSS2
import ThumbturnDevice
import ThumbturnFiles
package import ThumbturnRules

/// A TPM's lockout state; one count of wrong authorisations for all programs of the machine.
package struct TPMLockout: Hashable, Sendable {
    /// Wrong authorisations so far; a power cut after a right one counts as well.
    package var failures: UInt32
    /// At this count the right authorisation is refused too.
    package var limit: UInt32
    /// The time in seconds after which one failure is forgotten; 0 if nothing is counted.
    package var recoverySeconds: UInt32
    /// Whether the TPM is locked now.
    package var isLockedOut: Bool

    /// The longest time it may remain locked; nil if time alone does not end it.
    ///
    /// A TPM does not report how long ago the last failure was.
    package var longestWait: Milliseconds? {
        guard isLockedOut, limit > 0, recoverySeconds > 0 else { return nil }
        let tooMany = Int64(failures) - Int64(limit) + 1
        return .seconds(max(tooMany, 1) * Int64(recoverySeconds))
    }
}

/// The state of a TPM's owner hierarchy, which contains all our objects.
struct TPMOwner: Hashable, Sendable {
    /// Whether it can be used at all.
    var isOn: Bool
    /// Whether it has a password, without which no counter can be made or removed.
    var hasPassword: Bool
}

/// The state of a TPM, read at once.
struct TPMStanding: Hashable, Sendable {
    let properties: TPMProperties
    let lockout: TPMLockout
    let owner: TPMOwner
    /// Whether its memory has no room for another counter, as far as it says.
    let isFull: Bool
}

extension TPM {
    func lockout() async throws(DeviceRefusal) -> TPMLockout { try await standing().lockout }

    func standing() async throws(DeviceRefusal) -> TPMStanding {
        try await ask { context throws(TPMFailure) in try context.standing() }
    }

    /// Reads the properties that decide whether guesses are counted.
    func properties() async throws(DeviceRefusal) -> TPMProperties {
        try await ask { context throws(TPMFailure) in try self.look(in: context) }
    }

    /// Does the same in a running conversation, and records the result.
    ///
    /// - Parameter knowsMaker: whether to use the recorded maker, which never changes.
    @discardableResult
    func look(
        in context: TPMContext,
        _ session: ESYS_TR = noSession,
        knowsMaker: Bool = false
    ) throws(TPMFailure) -> TPMProperties {
        let maker = knowsMaker ? seen.change { $0?.maker } : nil
        let properties = try context.standing(session, maker: maker).properties
        seen.change { $0 = properties }
        return properties
    }

    private func ask<R: Sendable>(
        _ body: @escaping @Sendable (TPMContext) throws(TPMFailure) -> R
    ) async throws(DeviceRefusal) -> R {
        try await thread.run { () throws(DeviceRefusal) in try self.talk(body) }
    }
}

extension TPMContext {
    private func maker(_ session: ESYS_TR) throws(TPMFailure) -> UInt32 {
        let answer = try properties(from: tpm_pt_manufacturer, count: 1, session)
        guard let maker = answer[tpm_pt_manufacturer] else { throw .malformed }
        return maker
    }

    /// Reads maker, passwords, and how wrong authorisations are counted; throws if the TPM leaves one out.
    ///
    /// - Parameters:
    ///   - session: one whose secret only the TPM has, so that an attacker on the bus can't answer in its place.
    ///   - known: the maker; nil to ask for it.
    func standing(_ session: ESYS_TR = noSession, maker known: UInt32? = nil) throws(TPMFailure) -> TPMStanding {
        let maker = if let known { known } else { try maker(session) }
        // One command, from the permanent attributes to the lockout recovery.
        let variable = try properties(
            from: tpm_pt_permanent,
            count: tpm_pt_lockout_recovery - tpm_pt_permanent + 1,
            session
        )
        guard let permanent = variable[tpm_pt_permanent], let started = variable[tpm_pt_startup_clear],
            let failures = variable[tpm_pt_lockout_counter], let limit = variable[tpm_pt_max_auth_fail],
            let recovery = variable[tpm_pt_lockout_interval], let lockoutRecovery = variable[tpm_pt_lockout_recovery]
        else { throw .malformed }
        let properties = TPMProperties(
            maker: maker,
            hasLockoutPassword: permanent & UInt32(TPMA_PERMANENT_LOCKOUTAUTHSET) != 0,
            failureLimit: limit,
            recoverySeconds: recovery,
            lockoutRecoverySeconds: lockoutRecovery
        )
        let lockout = TPMLockout(
            failures: failures,
            limit: limit,
            recoverySeconds: recovery,
            isLockedOut: permanent & UInt32(TPMA_PERMANENT_INLOCKOUT) != 0
        )
        let owner = TPMOwner(
            isOn: started & UInt32(TPMA_STARTUP_CLEAR_SHENABLE) != 0,
            hasPassword: permanent & UInt32(TPMA_PERMANENT_OWNERAUTHSET) != 0
        )
        return TPMStanding(
            properties: properties,
            lockout: lockout,
            owner: owner,
            isFull: variable[tpm_pt_counters_left] == 0
        )
    }
}
