import ThumbturnCrypto
import ThumbturnRules

/// What the account's calls compute with keys: what follows from a name, and what sealed values hold.
package struct AccountKeys: Sendable {
    /// How many counters there are for names that nobody has: a power of two.
    ///
    /// Names share them, so that strangers can't fill the store. A count is forgotten soon (`Throttle.lapse`). To learn from
    /// a counter that no account has a name, one would have to keep a large part of all counters busy all the time.
    private static let strangerSlots: UInt32 = 1 << 24

    let names: NameKey
    let service: ServiceKeys
    /// What takes as long to open as a verifier.
    private let decoy: [UInt8]
    private static let decoyCell = SealedCell.verifier(account: [UInt8](repeating: 0, count: 16), epoch: 0)

    /// - Parameter store: where the keys belong to.
    package init(names: NameKey, service: ServiceKeys, store: any Store) throws(StoreError) {
        (self.names, self.service) = (names, service)
        decoy = try store.reading { transaction throws(StoreError) in
            let nothing = [UInt8](repeating: 0, count: SRPGroup.standard.byteCount)
            return try service.sealer(in: transaction).seal(nothing, Self.decoyCell)
        }
    }
}

// What follows from a name. Each has a purpose of its own, so that none tells another.
extension AccountKeys {
    /// What an account is found by.
    func hash(of name: AccountName) -> [UInt8] { names.tag("account", name.bytes) }

    /// What stands for a name in the log: another than in the tables, so that a thief of both can't join them.
    func logged(_ name: AccountName) -> String { Array(names.tag("log", name.bytes).prefix(16)).hexadecimal }

    /// Where a login's failures are counted: names that no account has share a fixed number of places.
    func countKeys(
        _ nameHash: [UInt8],
        _ userID: Identifier,
        isKnown: Bool,
        _ network: [UInt8]
    ) -> CountKeys {
        func place(_ tag: [UInt8]) -> [UInt8] {
            guard !isKnown else { return tag }
            let number: UInt32 = tag.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
            let slot = number % Self.strangerSlots
            let last = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: slot >> $0) }
            return [UInt8](repeating: 0, count: tag.count - 4) + last
        }
        return CountKeys(
            pair: place(names.tag("pair", nameHash + network)),
            name: place(names.tag("name", nameHash)),
            network: network,
            userID: userID
        )
    }

    /// What stands for the account of a name that nobody has; the same for ever.
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

    /// As a client draws one: 16 bytes of which the first is not zero.
    private func salt(of nameHash: [UInt8]) -> [UInt8] {
        var counter: UInt8 = 0
        while true {
            let salt = Array(names.tag("stranger-salt", nameHash + [counter]).prefix(16))
            if salt.first != 0 { return salt }
            counter &+= 1
        }
    }

    /// The account's verifier; for a name that no account has, a number in its place, after the same work.
    func verifier(of account: LoginAccount, _ nameHash: [UInt8]) throws(Problem) -> SecretBytes {
        let seed = names.secret("stranger-verifier", nameHash)
        let invented = SRPVerifier.unknown(group: account.group, seed: seed)
        let cell = account.isKnown ? .verifier(account: account.userID.bytes, epoch: account.epoch) : Self.decoyCell
        let opened = try open(account.verifier, cell)
        return account.isKnown ? opened : invented
    }
}

// What sealed values hold.
extension AccountKeys {
    private func open(_ box: [UInt8], _ cell: SealedCell) throws(Problem) -> SecretBytes {
        do throws(StoreError) { return try service.open(box, cell) } catch { throw Problem(store: error) }
    }

    /// b of a handshake, and the name that it was begun for.
    func open(_ handshake: OpenHandshake) throws(Problem) -> HandshakeSecret {
        let cell = SealedCell.handshakeSecret(
            handshake: handshake.id.bytes,
            account: handshake.userID.bytes,
            epoch: handshake.epoch
        )
        guard let secret = HandshakeSecret(try open(handshake.secret, cell)) else { throw Problem(.damaged) }
        return secret
    }

    /// The name of a session's account.
    func name(of session: Session) throws(Problem) -> AccountName {
        let bytes = try open(session.name, .name(account: session.userID.bytes)).copiedBytes()
        guard let name = AccountName(String(decoding: bytes, as: UTF8.self)) else { throw Problem(.damaged) }
        return name
    }

    /// K of a session.
    func sessionKey(of session: Session) throws(Problem) -> SecretBytes {
        try open(session.key, session.grant.keyCell(epoch: session.epoch))
    }

    /// What the service proves its answers to a device by.
    func contactKey(of device: Device) throws(Problem) -> SecretBytes {
        try open(device.contactKey, .contactKey(device: device.id.bytes, account: device.userID.bytes))
    }

    /// The envelope as the client gave it, which is sealed once more under a key that the service does not have.
    func envelope(_ sealed: [UInt8]?, of userID: Identifier, epoch: Int64) throws(Problem) -> [UInt8]? {
        guard let sealed else { return nil }
        return try open(sealed, .envelope(account: userID.bytes, epoch: epoch)).copiedBytes()
    }
}
