import ThumbturnCrypto
import ThumbturnRules

struct LoginAnswer {
    /// M2.
    let serverProof: [UInt8]
    let token: BearerToken
    let expiresAt: ServiceTime
    let userID: Identifier
    let epoch: Int64
    let passwordChangedAt: ServiceTime
    let envelope: [UInt8]?
    /// K.
    let sessionKey: HeldSecret
}

/// A proof being checked, whose handshake has been removed from the store.
private struct Attempt {
    let handshake: OpenHandshake
    let account: LoginAccount
    let counts: CountKeys
    /// Zero if it may be checked now.
    let wait: Milliseconds
}

extension Accounts {
    /// Completes a login: one proof for each handshake, in the epoch in which it started.
    ///
    /// The attempt is counted for its name and network before the proof is checked, and uncounted if it was right: so
    /// neither concurrent proofs nor a crash give a free guess. No transaction is open while powers are computed.
    func proveLogin(
        _ id: Identifier,
        clientProof: [UInt8],
        _ caller: Caller,
        in store: any Store
    ) throws(Problem) -> LoginAnswer {
        let attempt = try store.writing { tables throws(Problem) in try take(id, tables, at: caller.now) }
        guard let attempt else { throw Problem(.handshake) }
        gauge.taken()
        guard attempt.wait == .zero else { throw .wait(attempt.wait) }
        let begun = try keys.open(attempt.handshake)
        let name = begun.name
        let handshake = SRPServerHandshake(
            group: attempt.account.group,
            verifier: try keys.verifier(of: attempt.account, attempt.handshake.nameHash),
            secret: begun.takeSecret(),
            publicValue: attempt.handshake.serverValue,
            encoding: encoding
        )
        let proved: SRPServerSession
        do throws(SRPError) {
            proved = try handshake.finish(
                account: name.bytes,
                salt: attempt.account.salt,
                clientValue: attempt.handshake.clientValue,
                proof: clientProof
            )
        } catch {
            // A failure of our own arithmetic does not count as a guess.
            guard error != .backendFailed else { throw Problem(.broken) }
            try store.writing { tables throws(Problem) in try fail(attempt, tables, at: caller.now) }
            throw Problem(.login)
        }
        return try admit(attempt, proved, at: caller.now, in: store)
    }

    /// Returns `nil` if there is no such handshake, or it has ended: it lasts a minute, and no longer than its epoch.
    private func take(_ id: Identifier, _ tables: Tables, at now: ServiceTime) throws(Problem) -> Attempt? {
        guard let handshake = try tables.take(id), LoginAge.lasts(until: handshake.expiresAt, at: now) else {
            return nil
        }
        let account = try tables.loginAccount(handshake.nameHash, keys)
        guard account.userID == handshake.userID, account.epoch == handshake.epoch else { return nil }
        let countKeys = keys.countKeys(handshake.nameHash, account.userID, isKnown: account.isKnown, handshake.network)
        let counts = try tables.counts(countKeys)
        let wait = counts.wait(limits, at: now)
        if wait == .zero { try tables.setPair(Throttle.pair.adding(to: counts.pair, at: now), countKeys) }
        return Attempt(handshake: handshake, account: account, counts: countKeys, wait: wait)
    }

    /// Counts a failure for the network; also for the name, unless the network is known to be the owner's.
    private func fail(_ attempt: Attempt, _ tables: Tables, at now: ServiceTime) throws(Problem) {
        let counts = try tables.counts(attempt.counts)
        try tables.setNetwork(counts.network.adding(at: now), attempt.counts)
        guard !counts.isProven(at: now) else { return }
        try tables.setName(Throttle.account.adding(to: counts.name, at: now), attempt.counts)
    }

    /// Issues a token, unless the password was changed while the powers were computed.
    private func admit(
        _ attempt: Attempt,
        _ proved: borrowing SRPServerSession,
        at now: ServiceTime,
        in store: any Store
    ) throws(Problem) -> LoginAnswer {
        let (account, token) = (attempt.account, BearerToken.make())
        let grant = Grant(
            tokenHash: token.hash,
            userID: account.userID,
            loginAt: now,
            expiresAt: now + LoginAge.tokenLasts
        )
        let state = try store.writing { tables throws(Problem) in
            guard account.isKnown, let state = try tables.state(of: account.userID), state.epoch == account.epoch else {
                throw Problem(.handshake)
            }
            try tables.prove(attempt.counts, at: now)
            let key = try tables.seals(keys).sessionKey(proved.key, in: grant.keyCell(epoch: account.epoch))
            try tables.keep(grant, key, epoch: account.epoch)
            return state
        }
        return LoginAnswer(
            serverProof: proved.proof,
            token: token,
            expiresAt: grant.expiresAt,
            userID: account.userID,
            epoch: account.epoch,
            passwordChangedAt: state.passwordChangedAt,
            envelope: try keys.envelope(state.envelope, of: account.userID, epoch: account.epoch),
            sessionKey: HeldSecret(proved.key.copy())
        )
    }
}

extension Tables {
    fileprivate func state(
        of userID: Identifier
    ) throws(Problem) -> (epoch: Int64, passwordChangedAt: ServiceTime, envelope: [UInt8]?)? {
        let row = try row(
            "SELECT epoch, password_changed_at, envelope FROM accounts WHERE user_id = $1",
            .identifier(userID)
        )
        guard let row else { return nil }
        return (try row.integer(0), try row.time(1), try row.optionalBlob(2))
    }
}
