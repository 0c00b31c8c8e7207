import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnUI

/// A ledger that was put back leads out on the screen.
@MainActor @Suite("An older copy in the model", .waitsEnd)
struct OlderCopyTests {
    @Test(.holds("A7", "ERR-107-050")) func `the PIN opens an older copy, and a word makes it the vault`()
        async throws
    {
        let made = try await Self.putBack()
        let model = await AppUnlockObject.watching(made)
        model.appBecame(.active)
        await model.shows(.secret)
        #expect(model.notice?.code == "ERR-107-050")
        await model.type(TestVault.pin)
        await model.shows(.olderCopy(.question))
        #expect(model.state == .unlocked && model.scope == .exportOnly && model.error == nil)
        await model.acceptOlderCopy(typed: "older")
        #expect(model.error?.errorCode == .confirmationMissing && model.screen == .olderCopy(.question))
        await model.acceptOlderCopy(typed: OlderCopyConfirmation.phrase)
        await until { model.scope == .full }
        #expect(model.screen == .content && model.error == nil)
        try await made.add("Later")
        try await made.touch()
    }

    @Test(.holds("A7", "A61")) func `whoever reads longer than a proof lasts is asked for the PIN, which goes on`()
        async throws
    {
        let made = try await Self.putBack()
        let model = await AppUnlockObject.watching(made)
        model.appBecame(.active)
        await model.shows(.secret)
        await model.type(TestVault.pin)
        await model.shows(.olderCopy(.question))
        try made.advance(.seconds(61))
        await model.acceptOlderCopy(typed: OlderCopyConfirmation.phrase)
        await model.shows(.olderCopy(.secret))
        #expect(model.error == nil)
        await model.type("730000")
        #expect(model.error?.errorCode == .strongFactorRefused && model.screen == .olderCopy(.secret))
        await model.type(TestVault.pin)
        await until { model.scope == .full }
        #expect(model.screen == .content)
    }

    @Test(.holds("A7")) func `who only exports is asked no more until the lock, unless the app asks`() async throws {
        let made = try await Self.putBack()
        let model = await AppUnlockObject.watching(made)
        model.appBecame(.active)
        await model.shows(.secret)
        await model.type(TestVault.pin)
        await model.shows(.olderCopy(.question))
        model.onlyExport()
        #expect(model.screen == .content && model.scope == .exportOnly)
        await #expect(throws: VaultError.self) { try await made.add("Later") }
        model.askAboutOlderCopy()
        #expect(model.screen == .olderCopy(.question))
        model.onlyExport()
        await model.lock()
        await model.shows(.secret)
        await model.type(TestVault.pin)
        await model.shows(.olderCopy(.question))
    }

    @Test(.holds("A7")) func `the recovery key, which the app asks for, accepts it too`() async throws {
        let made = try await TestVault.make()
        let key = try await made.makeRecoveryKey()
        let again = try await Self.putBack(made, waiting: false)
        let model = await AppUnlockObject.watching(again)
        model.appBecame(.active)
        await until { if case .wait = model.screen { true } else { false } }
        let given = try await again.vault.unlock(withRecoveryKey: SecretBytes(text: key))
        await model.shows(.olderCopy(.question))
        await model.acceptOlderCopy(typed: OlderCopyConfirmation.phrase, given)
        await until { model.scope == .full }
        #expect(model.screen == .content)
    }

    @Test(.holds("A36")) func `a lock ends the question, and what vouched for its answer`() async throws {
        let made = try await Self.putBack()
        let model = await AppUnlockObject.watching(made)
        model.appBecame(.active)
        await model.shows(.secret)
        await model.type(TestVault.pin)
        await model.shows(.olderCopy(.question))
        await model.lock()
        await model.shows(.secret)
        await model.acceptOlderCopy(typed: OlderCopyConfirmation.phrase)
        #expect(model.screen == .secret && model.scope == nil)
        #expect(await made.vault.snapshot.isOlderCopy)
    }

    /// A vault into whose place an older copy was put, once its wait is over.
    private static func putBack(_ former: TestVault? = nil, waiting: Bool = true) async throws -> TestVault {
        let made: TestVault
        if let former { made = former } else { made = try await TestVault.make(biometrics: true) }
        await made.vault.close()
        let copy = try made.folder.read("vault/vault.sqlite")
        let changed = try await made.reopened()
        try? await changed.guess()
        await changed.vault.close()
        try made.folder.write(copy, to: "vault/vault.sqlite")
        let again = try await made.reopened()
        if waiting { try made.advance(.hours(24)) }
        return again
    }
}
