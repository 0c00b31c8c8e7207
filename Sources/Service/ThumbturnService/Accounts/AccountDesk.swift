package import ThumbturnJSON
package import ThumbturnRules

/// The operator's commands about accounts, independent of the running service: they need only the database and the
/// service key.
package enum AccountDesk {
    /// An account as an operator sees it, without anything its password protects.
    package struct Sheet: Sendable {
        package let userID: Identifier
        package let group: String
        package let policyEpoch: Int64
        package let createdAt: ServiceTime
        package let passwordChangedAt: ServiceTime
        package let hasEnvelope: Bool
        let devices: [Device]

        /// The ids of its devices, when each was listed, and their names, oldest first.
        package var listing: [(id: String, createdAt: ServiceTime, name: String?)] {
            devices.map { ($0.id.text, $0.createdAt, $0.name) }
        }

        /// The members of a JSON answer.
        package var members: [(String, JSON)] {
            [
                ("userId", .string(userID.text)), ("group", .string(group)), ("policyEpoch", .integer(policyEpoch)),
                ("createdAt", .string(createdAt.text)), ("passwordChangedAt", .string(passwordChangedAt.text)),
                ("keyEnvelope", .bool(hasEnvelope)), ("devices", .array(devices.map { .object($0.members) })),
            ]
        }
    }

    /// Returns the number of accounts.
    package static func count(in store: any Store) throws(StoreError) -> Int64 {
        try store.reading { transaction throws(StoreError) in
            try transaction.row("SELECT COUNT(*) FROM accounts")?.integer(0) ?? 0
        }
    }

    /// Looks up an account; returns `nil` if the name is unknown.
    package static func sheet(
        of name: AccountName,
        _ keys: AccountKeys,
        in store: any Store
    ) throws(Problem) -> Sheet? {
        try store.looking { tables throws(Problem) in
            let row = try tables.row(
                """
                SELECT user_id, srp_group, epoch, created_at, password_changed_at, envelope FROM accounts
                WHERE name_hash = $1
                """,
                .blob(keys.hash(of: name))
            )
            guard let row else { return nil }
            let userID = try row.identifier(0)
            return Sheet(
                userID: userID,
                group: try row.text(1),
                policyEpoch: try row.integer(2),
                createdAt: try row.time(3),
                passwordChangedAt: try row.time(4),
                hasEnvelope: try row.optionalBlob(5) != nil,
                devices: try tables.devices(of: userID)
            )
        }
    }

    /// Closes an account like its owner would: deletes it in one transaction, which frees its name.
    ///
    /// - Returns: its user id; `nil` if the name is unknown.
    package static func close(
        _ name: AccountName,
        _ keys: AccountKeys,
        in store: any Store
    ) throws(Problem) -> Identifier? {
        let nameHash = keys.hash(of: name)
        return try store.writing { tables throws(Problem) in
            let row = try tables.row("SELECT user_id FROM accounts WHERE name_hash = $1", .blob(nameHash))
            guard let userID = try row?.identifier(0) else { return nil }
            try tables.deleteAccount(userID, nameHash)
            return userID
        }
    }
}
