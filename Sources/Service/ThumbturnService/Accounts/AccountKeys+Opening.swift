import ThumbturnCrypto
import ThumbturnRules

// The account of a login, known or not.
extension AccountKeys {
    /// Returns a substitute for the account of an unknown name; always the same for the same name.
    func stranger(_ nameHash: [UInt8]) throws(Problem) -> LoginAccount {
        guard let userID = Identifier(bytes: Array(names.tag("stranger-id", nameHash).prefix(16))) else {
            throw Problem(.broken)
        }
        return LoginAccount(
            isKnown: false,
            userID: userID,
            epoch: PolicyEpoch.first,
            group: .standard,
            salt: salt(of: nameHash),
            kdf: .standard,
            verifier: decoy
        )
    }

    /// Returns a salt like a client's: 16 bytes, the first of them not zero.
    private func salt(of nameHash: [UInt8]) -> [UInt8] {
        var counter: UInt8 = 0
        while true {
            let salt = Array(names.tag("stranger-salt", nameHash + [counter]).prefix(16))
            if salt.first != 0 { return salt }
            counter &+= 1
        }
    }

    /// Returns the account's verifier; for an unknown name, a substitute number after the same work.
    func verifier(of account: LoginAccount, _ nameHash: [UInt8]) throws(Problem) -> SecretBytes {
        let seed = names.secret("stranger-verifier", nameHash)
        let invented = SRPVerifier.unknown(group: account.group, seed: seed)
        let cell = account.isKnown ? .verifier(account: account.userID.bytes, epoch: account.epoch) : Self.decoyCell
        let opened = try open(account.verifier, cell)
        return account.isKnown ? opened : invented
    }
}

// Sealed values.
extension AccountKeys {
    private func open(_ box: [UInt8], _ cell: SealedCell) throws(Problem) -> SecretBytes {
        do throws(StoreError) { return try service.open(box, cell) } catch { throw Problem(store: error) }
    }

    /// Returns b of a handshake, and the name that it was started for.
    func open(_ handshake: OpenHandshake) throws(Problem) -> HandshakeSecret {
        let cell = SealedCell.handshakeSecret(
            handshake: handshake.id.bytes,
            account: handshake.userID.bytes,
            epoch: handshake.epoch
        )
        guard let secret = HandshakeSecret(try open(handshake.secret, cell)) else { throw Problem(.damaged) }
        return secret
    }

    /// Returns the name of a session's account.
    func name(of session: Session) throws(Problem) -> AccountName {
        let bytes = try open(session.name, .name(account: session.userID.bytes)).copiedBytes()
        guard let name = AccountName(String(decoding: bytes, as: UTF8.self)) else { throw Problem(.damaged) }
        return name
    }

    /// Returns K of a session.
    func sessionKey(of session: Session) throws(Problem) -> SecretBytes {
        try open(session.key, session.grant.keyCell(epoch: session.epoch))
    }

    /// Returns the key with which the service proves its answers to a device.
    func contactKey(of device: Device) throws(Problem) -> SecretBytes {
        try open(device.contactKey, .contactKey(device: device.id.bytes, account: device.userID.bytes))
    }

    /// Returns the envelope as received from the client; it is still sealed under a key that the service does not have.
    func envelope(_ sealed: [UInt8]?, of userID: Identifier, epoch: Int64) throws(Problem) -> [UInt8]? {
        guard let sealed else { return nil }
        return try open(sealed, .envelope(account: userID.bytes, epoch: epoch)).copiedBytes()
    }
}
