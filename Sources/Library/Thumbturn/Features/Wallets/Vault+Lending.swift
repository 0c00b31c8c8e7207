import ThumbturnCrypto
public import ThumbturnRules

// Secrets out of the vault, lent to a closure.
extension Vault {
    /// Lends a wallet's secret to `body`, without another prompt while the session is open (K-02).
    ///
    /// These are the bytes that an export writes down, and anyone who has them has the coins: a mnemonic's entropy is
    /// its words. All this needs is an open session, even one opened by a finger. An app that shows or copies the
    /// secret has exported it without the PIN that `exportWallet` requires; use this for signing, and for nothing that
    /// leaves the app.
    ///
    /// - Parameters:
    ///   - id: the wallet.
    ///   - body: receives the wallet's kind and the entropy of a mnemonic, the 32 bytes of a private key, or the opaque
    ///     bytes. They are zeroised when it returns.
    /// - Throws: `.walletMissing`, `.locked`, `.vaultTampered`, why storage failed, or what `body` throws.
    public func withSecret<Result: Sendable>(
        of id: Identifier,
        _ body: @Sendable (WalletKind, RawSpan) throws -> Result
    ) async throws -> Result {
        try await lendingTurn { (turn) async throws -> Result in
            let opened = try await open(id, in: openSession(.exportOnly, in: turn))
            return try opened.secret.withBytes { bytes in try body(opened.summary.kind, bytes) }
        }
    }

    /// Lends a wallet's secret after a finger or face was presented just now, not only some minutes ago.
    ///
    /// - Parameters:
    ///   - id: the wallet.
    ///   - authorization: the result of `unlockWithBiometrics`.
    ///   - body: as above.
    /// - Throws: `.authorizationExpired` for one of another session or older than 60 s, and as above.
    public func withSecret<Result: Sendable>(
        of id: Identifier,
        _ authorization: consuming BiometricAuthorization,
        _ body: @Sendable (WalletKind, RawSpan) throws -> Result
    ) async throws -> Result {
        try await lendingTurn { (turn) async throws -> Result in
            let opened = try await open(id, in: openSession(authorization.authorization, .exportOnly, in: turn))
            return try opened.secret.withBytes { bytes in try body(opened.summary.kind, bytes) }
        }
    }

    /// Lends a wallet's secret in the form that the owner would write down: words, hexadecimal digits, or the bytes
    /// (K-05).
    ///
    /// - Parameters:
    ///   - id: the wallet.
    ///   - authorization: the strong factor, entered just now.
    ///   - body: receives the secret as UTF-8, or as the opaque bytes, with the wallet's summary. The secret is
    ///     zeroised when it returns.
    /// - Throws: `.walletMissing`, `.authorizationExpired`, `.locked`, `.vaultTampered`, why storage failed, or what
    ///   `body` throws.
    public func exportWallet<Result: Sendable>(
        _ id: Identifier,
        _ authorization: consuming StrongAuthorization,
        _ body: @Sendable (WalletSummary, RawSpan) throws -> Result
    ) async throws -> Result {
        try await lendingTurn { (turn) async throws -> Result in
            let slot = authorization.slot
            let session = try openSession(authorization, .exportOnly, in: turn)
            // Detected tampering ends the session as a full one, but must not block the export.
            if session.scope == .full { try lookAtDamage(of: [id], for: session) }
            let opened = try await open(id, in: session)
            try await tellOfExport(of: 1, by: slot, in: turn)
            return try opened.lend(body)
        }
    }

    /// Lends the secrets of several wallets, one after the other; a wallet that does not open does not block the
    /// others.
    ///
    /// - Parameters:
    ///   - ids: the wallets, in the order in which they are lent.
    ///   - authorization: the strong factor, entered just now; one for all of them.
    ///   - body: as that of `exportWallet`, called once for each wallet that opens.
    /// - Returns: why the others do not open: `.vaultTampered`, or `.walletMissing`.
    /// - Throws: `.authorizationExpired`, `.locked`, why storage failed, or what `body` throws.
    public func exportWallets(
        _ ids: [Identifier],
        _ authorization: consuming StrongAuthorization,
        _ body: @Sendable (WalletSummary, RawSpan) throws -> Void
    ) async throws -> [Identifier: VaultError] {
        try await lendingTurn { (turn) async throws -> [Identifier: VaultError] in
            let slot = authorization.slot
            let session = try openSession(authorization, .exportOnly, in: turn)
            // Detected tampering ends the session as a full one.
            if session.scope == .full { try lookAtDamage(of: ids, for: session) }
            if !ids.isEmpty { try await tellOfExport(of: ids.count, by: slot, in: turn) }
            var refusals: [Identifier: VaultError] = [:]
            var rest = ids[...]
            if session.scope == .full {
                try lend(&rest, in: session, &refusals, body)
                if !rest.isEmpty { reportTampering() }
            }
            for id in rest {
                if let opened = try await open(id, in: session, or: &refusals[id]) { try opened.lend(body) }
            }
            return refusals
        }
    }

    /// Writes that wallets leave the vault, before they do.
    ///
    /// A full disk keeps none in from the recovery key, which opens on one.
    private func tellOfExport(
        of count: Int,
        by slot: SlotKind,
        in turn: borrowing Turn
    ) async throws(VaultError) {
        do throws(VaultError) { try await tell([event(.walletExported, count: count)], in: turn) } catch {
            guard slot == .recovery, error.code == .diskFull else { throw error }
            configuration.tolerated(error)
        }
    }

    private func open(_ id: Identifier, in session: Session) async throws(VaultError) -> OpenedWallet {
        guard session.scope == .full else { return try await salvage(id, in: session) }
        let (record, index) = try verifiedRecord(id, for: session)
        return try withCleanStack { () throws(VaultError) in
            var labels = try session.labels()
            return try open(record, named: index, labels: &labels, in: session)
        }
    }

    /// Verifies wallets before they are lent; damage ends the session as a full one, and keeps none in.
    ///
    /// - Throws: what says nothing against the file, as that it can't be read now.
    private func lookAtDamage(of ids: [Identifier], for session: Session) throws(VaultError) {
        do throws(VaultError) { try verify(ids, for: session) } catch {
            guard error.code == .vaultDamaged || error.code == .vaultTampered else { throw error }
            configuration.tolerated(error)
        }
    }

    /// Verifies wallets against the head; many are verified together with all others.
    private func verify(_ ids: [Identifier], for session: Session) throws(VaultError) {
        guard ids.count <= WalletIndex.mostReadAlone else { return _ = try verifiedIndex(for: session) }
        for id in ids {
            do throws(VaultError) { _ = try verifiedRecord(id, for: session) } catch  where error.code == .walletMissing
            {
            }
        }
    }

    /// Lends the secrets of an intact vault: from one snapshot of its rows, with a single stack wipe at the end.
    ///
    /// - Parameter ids: on return, those left when an intact row was not found by its id.
    private func lend(
        _ ids: inout ArraySlice<Identifier>,
        in session: Session,
        _ refusals: inout [Identifier: VaultError],
        _ body: (WalletSummary, RawSpan) throws -> Void
    ) throws {
        let index = try verifiedIndex(for: session, of: [])
        try store.reading {
            try withCleanStack {
                var labels = try session.labels()
                while let id = ids.first {
                    let opened: OpenedWallet
                    do throws(VaultError) {
                        guard let record = try store.wallet(id) else {
                            throw VaultError(index.contains(id) ? .vaultDamaged : .walletMissing)
                        }
                        opened = try open(record, named: index, labels: &labels, in: session)
                    } catch {
                        guard error.code != .vaultDamaged else { return }
                        guard error.code == .vaultTampered || error.code == .walletMissing else { throw error }
                        refusals[id] = error
                        ids.removeFirst()
                        continue
                    }
                    ids.removeFirst()
                    try opened.lend(body)
                }
            }
        }
    }

    /// Opens a wallet, and reports a damaged or missing one in `refusal` instead of throwing.
    private func open(
        _ id: Identifier,
        in session: Session,
        or refusal: inout VaultError?
    ) async throws(VaultError) -> OpenedWallet? {
        do throws(VaultError) {
            return try await open(id, in: session)
        } catch {
            guard error.code == .vaultTampered || error.code == .walletMissing else { throw error }
            refusal = error
            return nil
        }
    }

    /// Opens a wallet of a tampered vault, from any row that still has it.
    private func salvage(_ id: Identifier, in session: Session) async throws(VaultError) -> OpenedWallet {
        var rows: [StoredWallet] = []
        try store.forEachStoredWallet { if $0.ids.contains(id) { rows.append($0) } }
        for row in rows {
            if let opened = try open(row, as: id, in: session) { return opened }
        }
        if session.found == nil {
            var counting = WalletInventory.Counting()
            session.found = try await search(for: session, into: &counting)
        }
        if let row = try session.found?.row(of: id), let opened = try open(row, as: id, in: session) { return opened }
        throw VaultError(rows.isEmpty ? .walletMissing : .vaultTampered)
    }

    private func open(_ row: StoredWallet, as id: Identifier, in session: Session) throws(VaultError) -> OpenedWallet? {
        let opened = try session.withMasterKey { (key) throws(VaultError) in key.open(row, vault: session.vault) }
        guard let opened, opened.summary.id == id else { return nil }
        return opened
    }
}
