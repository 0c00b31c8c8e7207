/// The name that an operator gives an auditor: 1 to 64 of `A-Z a-z 0-9 . _ @ -`.
package struct AuditorName: Hashable, Sendable {
    /// The name.
    package let text: String

    /// Returns `nil` for a name of another form.
    package init?(_ text: String) {
        guard 1...64 ~= text.utf8.count, text.utf8.allSatisfy({ Self.allowed.contains($0) }) else { return nil }
        self.text = text
    }

    private static let allowed = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._@-".utf8
    )
}

/// Who may read the ledger's entries: each has a name and a token, which stays valid until the auditor is removed.
package enum Auditors {
    /// Adds an auditor.
    ///
    /// - Returns: the token, which is stored only as its hash; `nil` if the name is taken.
    package static func create(
        _ name: AuditorName,
        in store: any Store,
        at now: ServiceTime = .now()
    ) throws(StoreError) -> String? {
        let token = BearerToken.make()
        let isAdded = try store.transaction { transaction throws(StoreError) in
            let taken = try transaction.row("SELECT 1 FROM auditors WHERE name = $1", .text(name.text))
            guard taken == nil else { return false }
            try transaction.run(
                "INSERT INTO auditors (hash, name, created_at) VALUES ($1, $2, $3)",
                .blob(token.hash),
                .text(name.text),
                .time(now)
            )
            return true
        }
        return isAdded ? token.text : nil
    }

    /// Removes an auditor, whose token is refused from then on.
    ///
    /// - Returns: whether there was one of this name.
    package static func remove(_ name: AuditorName, in store: any Store) throws(StoreError) -> Bool {
        try store.transaction { transaction throws(StoreError) in
            try transaction.run("DELETE FROM auditors WHERE name = $1", .text(name.text)) == 1
        }
    }
}

extension Tables {
    /// Returns the name of the auditor who has this token.
    ///
    /// An account's token is none: the two are looked up apart.
    ///
    /// - Parameter token: as the client sent it; `nil` if it sent none.
    func auditor(_ token: BearerToken?) throws(Problem) -> String {
        guard let token, let row = try row("SELECT name FROM auditors WHERE hash = $1", .blob(token.hash)) else {
            throw Problem(.token)
        }
        return try row.text(0)
    }
}
