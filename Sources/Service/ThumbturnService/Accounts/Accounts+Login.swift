import ThumbturnCrypto
import ThumbturnRules

struct LoginChallenge {
    let handshake: Identifier
    let group: SRPGroup
    let salt: [UInt8]
    /// B.
    let serverValue: [UInt8]
    let kdf: KDFChoice
}

extension Accounts {
    /// Starts a login; an unknown name gets an answer of the same form, after the same work.
    ///
    /// - Parameter clientValue: A, with the width of one of the groups.
    func beginLogin(
        _ name: AccountName,
        clientValue: [UInt8],
        _ caller: Caller,
        in store: any Store
    ) throws(Problem) -> LoginChallenge {
        guard gauge.count < limits.openHandshakes else { throw .wait(LoginAge.handshakeLasts, .handshakesFull) }
        let nameHash = keys.hash(of: name)
        let account = try store.looking { tables throws(Problem) in
            let account = try tables.loginAccount(nameHash, keys)
            let counts = try tables.counts(
                keys.countKeys(nameHash, account.userID, isKnown: account.isKnown, caller.network)
            )
            let wait = counts.wait(limits, at: caller.now)
            guard wait == .zero else { throw .wait(wait) }
            let most = limits.openHandshakesOfNetwork
            guard try tables.openHandshakes(of: caller.network, most: most) < most else {
                throw .wait(LoginAge.handshakeLasts, .handshakesFull)
            }
            return account
        }
        try Self.check(clientValue, account.group)
        return try open(account, name, nameHash, clientValue, caller, in: store)
    }

    private static func begin(
        _ group: SRPGroup,
        verifier: borrowing SecretBytes
    ) throws(Problem) -> SRPServerHandshake {
        do throws(SRPError) { return try SRPServerHandshake(group: group, verifier: verifier) } catch {
            throw Problem(.broken)
        }
    }

    private static func check(_ clientValue: [UInt8], _ group: SRPGroup) throws(Problem) {
        do throws(SRPError) { try SRPServerHandshake.check(clientValue, group: group) } catch {
            guard case .wrongLength = error else { throw Problem(.width) }
            throw .group(group)
        }
    }

    private func open(
        _ account: LoginAccount,
        _ name: AccountName,
        _ nameHash: [UInt8],
        _ clientValue: [UInt8],
        _ caller: Caller,
        in store: any Store
    ) throws(Problem) -> LoginChallenge {
        let begun = try Self.begin(account.group, verifier: keys.verifier(of: account, nameHash))
        let id = Identifier.make()
        let secret = HandshakeSecret(begun.copyOfSecret(), name)
        let isMore = try store.writing { tables throws(Problem) in
            try tables.open(
                OpenHandshake(
                    id: id,
                    nameHash: nameHash,
                    network: caller.network,
                    userID: account.userID,
                    epoch: account.epoch,
                    group: account.group,
                    clientValue: clientValue,
                    serverValue: begun.publicValue,
                    secret: try tables.seals(keys).secret(secret, of: id, account),
                    expiresAt: caller.now + LoginAge.handshakeLasts
                )
            )
        }
        if isMore { gauge.opened() }
        return LoginChallenge(
            handshake: id,
            group: account.group,
            salt: account.salt,
            serverValue: begun.publicValue,
            kdf: account.kdf
        )
    }
}
