import ThumbturnCrypto
import ThumbturnRules

/// An account for a login: a real one, or a substitute for an unknown name.
///
/// Both go through the same statements and the same powers, so that neither an answer nor its timing tells them apart.
struct LoginAccount {
    let isKnown: Bool
    let userID: Identifier
    let epoch: Int64
    let group: SRPGroup
    let salt: [UInt8]
    let kdf: KDFChoice
    /// The sealed verifier; for an unknown name, a box that takes as long to open.
    let verifier: [UInt8]
}

extension Tables {
    /// Finds the account of a name, or returns a substitute, which is the same for the same name as long as that is
    /// unknown.
    ///
    /// For an unknown name the next row or the first one is read, because the lookup of a missing row would be faster.
    func loginAccount(_ nameHash: [UInt8], _ keys: AccountKeys) throws(Problem) -> LoginAccount {
        let stranger = try keys.stranger(nameHash)
        let row = try row(
            """
            SELECT user_id, epoch, srp_group, salt, memory_kib, passes, verifier, name_hash FROM accounts
            WHERE name_hash = COALESCE(
                (SELECT name_hash FROM accounts WHERE name_hash >= $1 ORDER BY name_hash LIMIT 1),
                (SELECT name_hash FROM accounts ORDER BY name_hash LIMIT 1)
            )
            """,
            .blob(nameHash)
        )
        guard let row, try row.blob(7) == nameHash else { return stranger }
        guard let group = SRPGroup(rawValue: try row.text(2)),
            let kdf = KDFChoice(memoryKiB: try row.integer(4), passes: try row.integer(5))
        else { throw Problem(store: .damaged) }
        return LoginAccount(
            isKnown: true,
            userID: try row.identifier(0),
            epoch: try row.integer(1),
            group: group,
            salt: try row.blob(3),
            kdf: kdf,
            verifier: try row.blob(6)
        )
    }
}
