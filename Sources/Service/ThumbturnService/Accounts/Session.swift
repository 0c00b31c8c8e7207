import ThumbturnCrypto
import ThumbturnRules

/// The data bound to a token; the token itself is not stored.
struct Grant {
    /// The token's SHA-256.
    let tokenHash: [UInt8]
    let userID: Identifier
    let loginAt: ServiceTime
    let expiresAt: ServiceTime

    /// Returns the cell of the login's sealed K, in this epoch of the account.
    func keyCell(epoch: Int64) -> SealedCell {
        .sessionKey(
            token: tokenHash,
            account: userID.bytes,
            epoch: epoch,
            loginAt: loginAt.count,
            expiresAt: expiresAt.count
        )
    }
}

/// A login of one account, found by its token and checked in the transaction that uses it.
struct Session {
    let grant: Grant
    /// K of the login, sealed.
    let key: [UInt8]
    let nameHash: [UInt8]
    /// The name, sealed.
    let name: [UInt8]
    let epoch: Int64
    let passwordChangedAt: ServiceTime
    /// The envelope, sealed.
    let envelope: [UInt8]?

    var userID: Identifier { grant.userID }
}

extension Tables {
    /// Finds the session of a token that has not expired, and whose account is still in the token's epoch.
    ///
    /// Its sealed key authenticates the row: one that was planted, moved to another account or extended is no session.
    ///
    /// - Parameter token: as the client sent it; `nil` if it sent none.
    func session(_ token: BearerToken?, _ keys: AccountKeys, at now: ServiceTime) throws(Problem) -> Session {
        guard let token, let session = try find(token, at: now) else { throw Problem(.token) }
        do throws(Problem) { _ = try keys.sessionKey(of: session) } catch {
            throw error.failure == .tampered ? Problem(.token) : error
        }
        return session
    }

    /// Finds the session for a change of the account, which requires a fresh login.
    func freshSession(_ token: BearerToken?, _ keys: AccountKeys, at now: ServiceTime) throws(Problem) -> Session {
        let session = try session(token, keys, at: now)
        guard LoginAge.isFresh(since: session.grant.loginAt, at: now) else { throw Problem(.loginOld) }
        return session
    }

    private func find(_ token: BearerToken, at now: ServiceTime) throws(Problem) -> Session? {
        let row = try row(
            """
            SELECT tokens.login_at, tokens.expires_at, tokens.epoch, tokens.session_key, accounts.epoch, accounts.user_id,
                accounts.name_hash, accounts.name, accounts.password_changed_at, accounts.envelope
            FROM tokens JOIN accounts ON accounts.user_id = tokens.user_id WHERE tokens.hash = $1
            """,
            .blob(token.hash)
        )
        guard let row, LoginAge.lasts(until: try row.time(1), at: now), try row.integer(2) == row.integer(4) else {
            return nil
        }
        return Session(
            grant: Grant(
                tokenHash: token.hash,
                userID: try row.identifier(5),
                loginAt: try row.time(0),
                expiresAt: try row.time(1)
            ),
            key: try row.blob(3),
            nameHash: try row.blob(6),
            name: try row.blob(7),
            epoch: try row.integer(4),
            passwordChangedAt: try row.time(8),
            envelope: try row.optionalBlob(9)
        )
    }

    /// Stores the grant of a proved login.
    ///
    /// - Parameter key: K, sealed.
    func keep(_ grant: Grant, _ key: [UInt8], epoch: Int64) throws(Problem) {
        try put(
            """
            INSERT INTO tokens (hash, user_id, epoch, login_at, expires_at, session_key)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            .blob(grant.tokenHash),
            .identifier(grant.userID),
            .integer(epoch),
            .time(grant.loginAt),
            .time(grant.expiresAt),
            .blob(key)
        )
    }

    /// Keeps the session after a password change, and ends every other token, every open handshake, and the trust in
    /// networks.
    ///
    /// - Parameter key: K of the session, sealed anew.
    func carry(_ session: Session, key: [UInt8], to epoch: Int64) throws(Problem) {
        try put(
            "DELETE FROM tokens WHERE user_id = $1 AND hash <> $2",
            .identifier(session.userID),
            .blob(session.grant.tokenHash)
        )
        try put(
            "UPDATE tokens SET epoch = $1, session_key = $2 WHERE hash = $3",
            .integer(epoch),
            .blob(key),
            .blob(session.grant.tokenHash)
        )
        try put("DELETE FROM handshakes WHERE name_hash = $1", .blob(session.nameHash))
        try put("DELETE FROM proven WHERE user_id = $1", .identifier(session.userID))
    }
}
