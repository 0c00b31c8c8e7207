import ThumbturnCrypto
import ThumbturnRules

/// The sealed values that depend on the password, as stored.
struct SealedCredentials {
    let verifier: [UInt8]
    let envelope: [UInt8]?
}

/// Seals the values of one transaction.
struct Seals {
    private let sealer: Sealer

    init(_ sealer: Sealer) { self.sealer = sealer }

    func name(_ name: AccountName, of userID: Identifier) throws(Problem) -> [UInt8] {
        try sealed { () throws(StoreError) in try sealer.seal(name.bytes, .name(account: userID.bytes)) }
    }

    func credentials(
        _ credentials: Credentials,
        of userID: Identifier,
        epoch: Int64
    ) throws(Problem) -> SealedCredentials {
        let verifier = try verifier(SecretBytes(public: credentials.verifier), of: userID, epoch: epoch)
        guard let envelope = credentials.envelope else { return SealedCredentials(verifier: verifier, envelope: nil) }
        return SealedCredentials(verifier: verifier, envelope: try self.envelope(envelope, of: userID, epoch: epoch))
    }

    private func verifier(_ verifier: borrowing SecretBytes, of userID: Identifier, epoch: Int64) throws(Problem)
        -> [UInt8]
    {
        let cell = SealedCell.verifier(account: userID.bytes, epoch: epoch)
        do throws(StoreError) { return try sealer.seal(verifier, cell) } catch { throw Problem(store: error) }
    }

    func envelope(_ envelope: [UInt8], of userID: Identifier, epoch: Int64) throws(Problem) -> [UInt8] {
        try sealed { () throws(StoreError) in
            try sealer.seal(envelope, .envelope(account: userID.bytes, epoch: epoch))
        }
    }

    func secret(
        _ secret: borrowing HandshakeSecret,
        of handshake: Identifier,
        _ account: LoginAccount
    ) throws(Problem) -> [UInt8] {
        let cell = SealedCell.handshakeSecret(
            handshake: handshake.bytes,
            account: account.userID.bytes,
            epoch: account.epoch
        )
        do throws(StoreError) { return try sealer.seal(secret.joined(), cell) } catch { throw Problem(store: error) }
    }

    func sessionKey(_ key: borrowing SecretBytes, in cell: SealedCell) throws(Problem) -> [UInt8] {
        do throws(StoreError) { return try sealer.seal(key, cell) } catch { throw Problem(store: error) }
    }

    /// Seals the key with which the service proves its answers to a device.
    func contactKey(_ key: borrowing SecretBytes, of device: Identifier, _ userID: Identifier) throws(Problem)
        -> [UInt8]
    {
        let cell = SealedCell.contactKey(device: device.bytes, account: userID.bytes)
        do throws(StoreError) { return try sealer.seal(key, cell) } catch { throw Problem(store: error) }
    }

    private func sealed(_ seal: () throws(StoreError) -> [UInt8]) throws(Problem) -> [UInt8] {
        do throws(StoreError) { return try seal() } catch { throw Problem(store: error) }
    }
}
