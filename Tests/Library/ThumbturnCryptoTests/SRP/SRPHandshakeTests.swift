#if canImport(COpenSSL)
import Testing

@testable import ThumbturnCrypto

@Suite struct SRPHandshakeTests {
    @Test(arguments: SRPGroup.allCases, [SRPEncoding.minimal, .padded, .minimalUnpaddedG])
    func `who knows the password and who has its verifier reach one key`(
        group: SRPGroup,
        encoding: SRPEncoding
    ) throws {
        let account = SRPAccount(group: group, encoding: encoding)
        let keys = try account.login(as: account)
        #expect(keys.server == keys.client)
        #expect(keys.server.count == 32)
        #expect(try account.login(as: account).server != keys.server)
    }

    @Test func `name and password are bytes, whatever they say`() throws {
        let account = SRPAccount(name: [0, 0xFF, 0x3A], password: [], salt: [])
        let keys = try account.login(as: account)
        #expect(keys.server == keys.client)
    }

    @Test func `another name, password or salt is refused`() {
        let account = SRPAccount()
        for part in [\SRPAccount.name, \.password, \.salt] {
            var stranger = account
            stranger[keyPath: part].append(0)
            #expect(srpError { () throws(SRPError) in try account.login(as: stranger) } == .proofRefused)
        }
    }

    @Test func `a login goes on from what a store kept of it`() throws {
        let account = SRPAccount()
        let client = try account.client()
        let clientValue = client.publicValue
        let begun = try account.server()
        let publicValue = begun.publicValue
        let secret = begun.copyOfSecret()
        #expect(secret.byteCount == 32)
        _ = consume begun

        let proof = try client.answer(salt: account.salt, serverValue: publicValue)
        let server = SRPServerHandshake(
            group: account.group,
            verifier: try account.verifier(),
            secret: secret,
            publicValue: publicValue
        )
        #expect(server.publicValue == publicValue)
        let session = try server.finish(
            account: account.name,
            salt: account.salt,
            clientValue: clientValue,
            proof: proof.proof
        )
        let serverProof = session.proof
        let key = session.key.exposed
        #expect(try proof.confirm(serverProof).key.exposed == key)
    }

    @Test(.holds("SRP-3"), arguments: SRPGroup.allCases)
    func `a verifier of another length, or out of range, begins no login`(group: SRPGroup) throws {
        for length in [0, 1, group.byteCount - 1, group.byteCount + 1] {
            let error = srpError { () throws(SRPError) in
                try SRPServerHandshake(group: group, verifier: SecretBytes([UInt8](repeating: 7, count: length)))
            }
            #expect(error == .wrongLength, "\(length)")
        }
        for value in try RefusedValue.all() where value.group == group && value.bytes.count == group.byteCount {
            let verifier = SecretBytes(value.bytes)
            #expect(srpError { () throws(SRPError) in try SRPVerifier.check(verifier, group: group) } == .outOfRange)
            let error = srpError { () throws(SRPError) in try SRPServerHandshake(group: group, verifier: verifier) }
            #expect(error == .outOfRange, "\(value.id)")
        }
    }

    @Test func `a store that gives back another verifier, secret or public value gives no session`() throws {
        let account = SRPAccount()
        var other = SRPAccount()
        other.password.append(1)
        let client = try account.client()
        let clientValue = client.publicValue
        let begun = try account.server()
        let publicValue = begun.publicValue
        let proof = try client.answer(salt: account.salt, serverValue: publicValue).proof

        func finish(
            _ verifier: borrowing SecretBytes,
            _ secret: borrowing SecretBytes,
            _ value: [UInt8]
        ) -> SRPError? {
            srpError { () throws(SRPError) in
                try SRPServerHandshake(
                    group: account.group,
                    verifier: verifier,
                    secret: secret.copy(),
                    publicValue: value
                ).finish(account: account.name, salt: account.salt, clientValue: clientValue, proof: proof)
            }
        }
        #expect(finish(try account.verifier(), begun.copyOfSecret(), publicValue) == nil)
        #expect(finish(try other.verifier(), begun.copyOfSecret(), publicValue) == .proofRefused)
        #expect(finish(try account.verifier(), .random(byteCount: 32), publicValue) == .proofRefused)
        #expect(finish(try account.verifier(), begun.copyOfSecret(), clientValue) == .proofRefused)
        #expect(finish(SecretBytes([]), begun.copyOfSecret(), publicValue) == .wrongLength)
    }
}
#endif
