import Foundation
import Testing
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnAccount
@testable import ThumbturnCrypto

@Suite("What a client sends") struct SentBytesTests {
    @Test(.holds("P-107-08", "A49"))
    func `nothing that opens a vault, and the token in its header alone, whatever happens to an account`() async throws
    {
        let room = try AccountRoom()
        let client = try room.client("ada.l@example.org")
        let (old, new) = (AccountClientTests.old, AccountClientTests.new)
        let registered = try await client.register(old)
        let login = try await client.login(old)
        let key = try P256PrivateKey.make()
        _ = try await client.addDevice(login.session, registered.device, publicKey: key.publicKey)
        _ = try await client.contact(
            from: registered.device,
            to: AccountRoom.origin,
            at: room.now,
            provedBy: login.session.contactKey()
        ) { message throws(VaultError) in
            do throws(CryptoError) { return try key.sign(message) } catch { throw VaultError(.storageUnavailable) }
        }
        _ = try await client.account(login.session)
        let opened = try client.open(login)
        let noted = try opened.noting(.make(), wrappedUnder: opened.keys.newest)
            .sealed(under: login.envelopeKey, of: client.account, at: AccountRoom.origin)
        try await client.putEnvelope(login.session, noted, replacing: login.envelope)
        let fresh = try await client.login(old)
        _ = try await client.change(fresh, to: new)
        let last = try await client.login(new)
        await failing(.passwordRefused) { try await client.login(old) }
        try await client.revokeDevice(last.session, registered.device)
        try await client.closeAccount(last.session)

        var secrets = ["old": Array(old.utf8), "new": Array(new.utf8)]
        func add(_ name: String, _ login: borrowing AccountLogin, _ password: String) throws {
            secrets["\(name) key"] = login.envelopeKey.bytes.withBytes { $0.exposed }
            secrets["\(name) K"] = login.session.login.key.withBytes { $0.exposed }
            let (salt, kdf) = (login.envelopeKey.salt, login.envelopeKey.kdf)
            let made = try AccountPassword(SecretBytes(text: password), salt: salt, kdf: kdf)
            secrets["\(name) text"] = made.srpText.withBytes { $0.exposed }
            secrets["\(name) bytes"] = TextCode.hexadecimal.decode(secrets["\(name) text"] ?? [])
            let envelope = try client.open(login)
            for (index, key) in envelope.keys.names.enumerated() {
                secrets["\(name) account key \(index)"] = envelope.bytes(of: key)
            }
        }
        try add("first", login, old)
        try add("second", fresh, old)
        try add("third", last, new)
        #expect(secrets.count == 18)

        let sent = room.wire.sent
        let calls = Set(
            sent.map { request in
                let path = request.path.split(separator: "/").map { Identifier(text: $0) == nil ? String($0) : "id" }
                return ([request.method.rawValue] + path).joined(separator: " ")
            }
        )
        #expect(
            calls == [
                "POST v1 accounts", "POST v1 login", "POST v1 login id", "GET v1 account", "PUT v1 account password",
                "PUT v1 account envelope", "DELETE v1 account", "POST v1 devices", "POST v1 devices id contact",
                "DELETE v1 devices id",
            ]
        )
        let scanner = LeakScanner(secrets)
        for request in sent {
            #expect(scanner.leaks(in: request.path).isEmpty && scanner.leaks(in: request.token ?? "").isEmpty)
            #expect(scanner.leaks(in: Data(request.body)).isEmpty, "\(request.path)")
        }

        let tokens = LeakScanner(
            Dictionary(uniqueKeysWithValues: [
                ("first", login.session.token.withBytes { $0.exposed }),
                ("second", fresh.session.token.withBytes { $0.exposed }),
                ("third", last.session.token.withBytes { $0.exposed }),
            ])
        )
        for request in sent {
            #expect(tokens.leaks(in: request.path).isEmpty && tokens.leaks(in: Data(request.body)).isEmpty)
            let isSigned = request.path.hasSuffix("/contact")
            let takesToken =
                request.path.hasPrefix("/v1/account") && request.path != "/v1/accounts"
                || request.path.hasPrefix("/v1/devices") && !isSigned
            #expect((request.token != nil) == takesToken)
            #expect(tokens.leaks(in: request.token ?? "").isEmpty != takesToken)
        }
        // The scanner sees what is there: the envelope, in base64.
        #expect(!LeakScanner(["envelope": noted]).leaks(in: Data(sent.flatMap(\.body))).isEmpty)
    }
}
