import ThumbturnCrypto
import ThumbturnRules

/// A new account, as the client sends it: only data from which the password can't be derived cheaply.
struct Registration {
    let name: AccountName
    let credentials: Credentials
}

extension Accounts {
    /// Registers an account; an attempt on a taken name counts too.
    ///
    /// If the number of accounts has reached its limit, no name is looked up.
    func register(_ registration: Registration, _ caller: Caller, in store: any Store) throws(Problem) {
        let nameHash = keys.hash(of: registration.name)
        // Return a refusal instead of throwing it, so that the network's count is stored.
        let refusal = try store.writing { tables throws(Problem) -> ProblemCode? in
            let count = try tables.registrations(of: caller.network)
            let wait = limits.registrations.wait(after: count, at: caller.now)
            guard wait == .zero else { throw .wait(wait) }
            try tables.setRegistrations(count.adding(at: caller.now), of: caller.network)
            if let most = limits.accounts, try tables.accounts(most: most) >= most { return .accountsFull }
            let userID = Identifier.make()
            let seals = try tables.seals(keys)
            let sealed = try seals.credentials(registration.credentials, of: userID, epoch: PolicyEpoch.first)
            let name = try seals.name(registration.name, of: userID)
            let isNew = try tables.insert(userID, nameHash, name, registration.credentials, sealed, at: caller.now)
            return isNew ? nil : .accountTaken
        }
        if let refusal { throw Problem(refusal) }
    }
}

extension Tables {
    /// Returns the number of accounts, counted up to `most`.
    func accounts(most: Int64) throws(Problem) -> Int64 {
        let counted: StaticString = "SELECT COUNT(*) FROM (SELECT 1 FROM accounts LIMIT $1) AS counted"
        return try row(counted, .integer(most))?.integer(0) ?? 0
    }

    /// - Returns: false if an account already has the name.
    fileprivate func insert(
        _ userID: Identifier,
        _ nameHash: [UInt8],
        _ name: [UInt8],
        _ credentials: Credentials,
        _ sealed: SealedCredentials,
        at now: ServiceTime
    ) throws(Problem) -> Bool {
        try run(
            """
            INSERT INTO accounts (user_id, name_hash, name, srp_group, salt, memory_kib, passes, verifier, envelope, epoch,
                password_changed_at, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (name_hash) DO NOTHING
            """,
            .identifier(userID),
            .blob(nameHash),
            .blob(name),
            .text(credentials.group.rawValue),
            .blob(credentials.salt),
            .integer(credentials.kdf.memoryKiB),
            .integer(credentials.kdf.passes),
            .blob(sealed.verifier),
            .optional(sealed.envelope),
            .integer(PolicyEpoch.first),
            .time(now),
            .time(now)
        ) == 1
    }
}
