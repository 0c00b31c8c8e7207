import ThumbturnCrypto
import ThumbturnRules

/// What seals the values of one transaction.
struct Seals {
    private let sealer: Sealer

    init(_ sealer: Sealer) {
        self.sealer = sealer
    }

    func name(_ name: AccountName, of userID: Identifier) throws(Refusal) -> [UInt8] {
        try sealed { () throws(StoreError) in try sealer.seal(name.bytes, .name(account: userID.bytes)) }
    }

    func verifier(_ verifier: [UInt8], of userID: Identifier, epoch: Int64) throws(Refusal) -> [UInt8] {
        try sealed { () throws(StoreError) in
            try sealer.seal(verifier, .verifier(account: userID.bytes, epoch: epoch))
        }
    }

    func envelope(_ envelope: [UInt8]?, of userID: Identifier, epoch: Int64) throws(Refusal) -> [UInt8]? {
        guard let envelope else { return nil }
        return try sealed { () throws(StoreError) in
            try sealer.seal(envelope, .envelope(account: userID.bytes, epoch: epoch))
        }
    }

    func secret(_ secret: borrowing HandshakeSecret, of handshake: Identifier, _ account: LoginAccount) throws(Refusal) -> [UInt8] {
        let cell = SealedCell.handshakeSecret(
            handshake: handshake.bytes,
            account: account.userID.bytes,
            epoch: account.epoch
        )
        do throws(StoreError) { return try sealer.seal(secret.joined(), cell) } catch { throw Refusal(error) }
    }

    func sessionKey(_ key: borrowing SecretBytes, _ cell: SealedCell) throws(Refusal) -> [UInt8] {
        do throws(StoreError) { return try sealer.seal(key, cell) } catch { throw Refusal(error) }
    }

    private func sealed(_ seal: () throws(StoreError) -> [UInt8]) throws(Refusal) -> [UInt8] {
        do throws(StoreError) { return try seal() } catch { throw Refusal(error) }
    }
}
