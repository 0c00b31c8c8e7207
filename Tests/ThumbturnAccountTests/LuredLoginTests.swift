import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnAccount

/// What a false service has of an owner who types the password: one guess at it for each proof.
@Suite struct LuredLoginTests {
    @Test(.holds("SRP-10")) func `one that ends each handshake gets four proofs for a password, and no more`()
        async throws
    {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, AccountClientTests.old, registering: true)
        await made.vault.lock()
        let before = room.wire.sent.count
        room.wire.answering("/v1/login/*") { _ in Answer(status: 401, body: Array(#"{"code":"HANDSHAKE"}"#.utf8)) }
        let password = SecretBytes(text: AccountClientTests.old)
        #expect(await refusal { try await made.account.unlock(with: password) } == .accountChanged)
        let paths = room.wire.paths[before...]
        #expect(paths.count { $0.hasPrefix("/v1/login/") } == 4 && paths.count == 8)
    }
}
