import ThumbturnCrypto
import ThumbturnRules

/// What the service answers to the beginning of a login.
struct LoginChallenge {
    let handshake: Identifier
    let group: SRPGroup
    let salt: [UInt8]
    /// B.
    let serverValue: [UInt8]
    let kdf: KDFChoice
}

extension Accounts {
    /// Begins a login. A name that nobody has gets an answer of the same form, after the same work.
    ///
    /// - Parameter clientValue: A, as wide as some group.
    func beginLogin(
        _ name: AccountName,
        clientValue: [UInt8],
        _ caller: Caller,
        in store: any Store
    ) throws(Refusal) -> LoginChallenge {
        guard gauge.count < limits.openHandshakes else { throw .wait(LoginAge.handshakeLasts, .handshakesFull) }
        let nameHash = keys.hash(of: name)
        let account = try store.looking { tables throws(Refusal) in
            let account = try tables.loginAccount(nameHash, keys)
            let counts = try tables.counts(keys.countKeys(nameHash, account, caller.network))
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

    private static func check(_ clientValue: [UInt8], _ group: SRPGroup) throws(Refusal) {
        do throws(SRPError) { try SRPServerHandshake.check(clientValue, group: group) } catch {
            guard case .wrongLength = error else { throw Refusal(.width) }
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
    ) throws(Refusal) -> LoginChallenge {
        let begun: SRPServerHandshake
        do throws(SRPError) {
            begun = try SRPServerHandshake(group: account.group, verifier: try keys.verifier(of: account, nameHash))
        } catch {
            throw Refusal(.broken)
        }
        let handshake = OpenHandshake(
            id: .make(),
            nameHash: nameHash,
            network: caller.network,
            userID: account.userID,
            epoch: account.epoch,
            group: account.group,
            clientValue: clientValue,
            serverValue: begun.publicValue,
            secret: try keys.seal(begun.copyOfSecret(), with: name, of: account),
            expiresAt: caller.now + LoginAge.handshakeLasts
        )
        try store.writing { tables throws(Refusal) in try tables.open(handshake) }
        gauge.opened()
        return LoginChallenge(
            handshake: handshake.id,
            group: account.group,
            salt: account.salt,
            serverValue: handshake.serverValue,
            kdf: account.kdf
        )
    }
}
