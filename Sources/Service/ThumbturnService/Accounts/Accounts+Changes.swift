import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules

/// A new password, as the client sends it.
struct PasswordChange {
    let credentials: Credentials
    /// The SHA-256 of the envelope that the client knows.
    let previous: [UInt8]?
    /// The epoch that the client knows.
    let epoch: Int64
    let proof: ProofOfChange
}

/// A new envelope under the same password.
struct EnvelopeChange {
    let envelope: [UInt8]
    let previous: [UInt8]?
    let proof: ProofOfChange
}

/// A proof under the session's key, and the bytes that it covers.
struct ProofOfChange {
    let proof: [UInt8]
    let body: [UInt8]
}

// Changes of an account. Clients rely on the fixed order of checks: token, age of the login, form, epoch, envelope,
// proof.
extension Accounts {
    /// Sets a new password, raises the epoch and ends former logins, in one transaction so that no mixed state is
    /// visible.
    ///
    /// - Parameter form: parses the body; called when the order of checks has come to it.
    /// - Returns: the session and the new epoch.
    func changePassword(
        _ caller: Caller,
        in store: any Store,
        _ form: () throws(Problem) -> PasswordChange
    ) throws(Problem) -> (session: Session, epoch: Int64) {
        try store.writing { tables throws(Problem) in
            let session = try tables.freshSession(caller.token, keys, at: caller.now)
            let change = try form()
            guard change.epoch == session.epoch else { throw Problem(.epoch) }
            try check(change.credentials.envelope, replacing: session, change.previous)
            let sessionKey = try check(change.proof, .passwordChange, of: session)
            let epoch = PolicyEpoch.next(after: session.epoch)
            let seals = try tables.seals(keys)
            let sealed = try seals.credentials(change.credentials, of: session.userID, epoch: epoch)
            try tables.update(session, change.credentials, sealed, epoch, at: caller.now)
            let key = try seals.sessionKey(sessionKey, in: session.grant.keyCell(epoch: epoch))
            try tables.carry(session, key: key, to: epoch)
            // Setting a password proves knowledge of it, so the network counts as the owner's under the new one too.
            let network = keys.countKeys(session.nameHash, session.userID, isKnown: true, caller.network)
            try tables.remember(network, at: caller.now)
            let entry = LedgerEntry.passwordChanged(user: session.userID, policyEpoch: UInt64(clamping: epoch))
            try tables.enter(entry, of: session.userID)
            return (session, epoch)
        }
    }

    /// Sets a new envelope; password and epoch stay the same.
    ///
    /// - Returns: the session.
    func changeEnvelope(
        _ caller: Caller,
        in store: any Store,
        _ form: () throws(Problem) -> EnvelopeChange
    ) throws(Problem) -> Session {
        try store.writing { tables throws(Problem) in
            let session = try tables.freshSession(caller.token, keys, at: caller.now)
            let change = try form()
            try check(change.envelope, replacing: session, change.previous)
            _ = try check(change.proof, .envelopeChange, of: session)
            try tables.put(
                "UPDATE accounts SET envelope = $1 WHERE user_id = $2",
                .blob(try tables.seals(keys).envelope(change.envelope, of: session.userID, epoch: session.epoch)),
                .identifier(session.userID)
            )
            return session
        }
    }

    /// Closes the account: deletes it at once, which frees its name.
    ///
    /// - Returns: the session.
    func close(
        _ caller: Caller,
        in store: any Store,
        _ form: () throws(Problem) -> ProofOfChange
    ) throws(Problem) -> Session {
        try store.writing { tables throws(Problem) in
            let session = try tables.freshSession(caller.token, keys, at: caller.now)
            _ = try check(try form(), .passwordChange, of: session)
            try tables.deleteAccount(session.userID, session.nameHash)
            return session
        }
    }

    private func check(_ envelope: [UInt8]?, replacing session: Session, _ previous: [UInt8]?) throws(Problem) {
        let current = try keys.envelope(session.envelope, of: session.userID, epoch: session.epoch)
        do throws(EnvelopeRule.Breach) {
            try EnvelopeRule.check(envelope, replacing: current, previous: previous)
        } catch {
            throw Problem(error == .missing ? .envelopeMissing : .envelopeMoved)
        }
    }

    /// - Returns: the session's key, which stays valid.
    private func check(
        _ proof: ProofOfChange,
        _ purpose: SessionPurpose,
        of session: Session
    ) throws(Problem) -> SecretBytes {
        let key = try keys.sessionKey(of: session)
        try SessionProof.check(proof.proof, of: proof.body, for: purpose, sessionKey: key)
        return key
    }
}

extension Tables {
    fileprivate func update(
        _ session: Session,
        _ credentials: Credentials,
        _ sealed: SealedCredentials,
        _ epoch: Int64,
        at now: ServiceTime
    ) throws(Problem) {
        try put(
            """
            UPDATE accounts SET srp_group = $1, salt = $2, memory_kib = $3, passes = $4, verifier = $5, envelope = $6,
                epoch = $7, password_changed_at = $8
            WHERE user_id = $9
            """,
            .text(credentials.group.rawValue),
            .blob(credentials.salt),
            .integer(credentials.kdf.memoryKiB),
            .integer(credentials.kdf.passes),
            .blob(sealed.verifier),
            .optional(sealed.envelope),
            .integer(epoch),
            .time(now),
            .identifier(session.userID)
        )
    }

    func deleteAccount(_ account: Identifier, _ nameHash: [UInt8]) throws(Problem) {
        let userID = StoreValue.identifier(account)
        for device in try devices(of: account) {
            try enter(.deviceRevoked(device: device.id, user: account), of: account)
        }
        try put("DELETE FROM nonces WHERE device_id IN (SELECT device_id FROM devices WHERE user_id = $1)", userID)
        try put("INSERT INTO former_devices (device_id) SELECT device_id FROM devices WHERE user_id = $1", userID)
        try put("DELETE FROM devices WHERE user_id = $1", userID)
        try put("DELETE FROM tokens WHERE user_id = $1", userID)
        try put("DELETE FROM proven WHERE user_id = $1", userID)
        try put("DELETE FROM handshakes WHERE name_hash = $1", .blob(nameHash))
        try put("DELETE FROM accounts WHERE user_id = $1", userID)
    }
}
