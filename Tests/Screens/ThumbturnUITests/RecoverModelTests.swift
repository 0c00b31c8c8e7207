import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnUI

@MainActor @Suite("The way back", .waitsEnd)
struct RecoverModelTests {
    private static let newPIN = "730519"
    private let end = Ended()

    @Test(.holds("P-107-04")) func `the recovery key and a new PIN open the vault, and the new one from then on`()
        async throws
    {
        let (made, key) = try await Self.withKey()
        let (model, lock) = await watching(made)
        #expect(model.fields.step == .key)
        await model.enter(SecretBytes(text: key))
        #expect(model.fields.step == .newSecret && lock.scope == nil, "nothing opens before all is known")
        await model.type(Self.newPIN)
        #expect(model.fields.step == .repeated)
        await model.type(Self.newPIN)
        #expect(model.fields.step == .done && end.count == 1 && model.key == nil && model.chosen == nil)
        await until { lock.screen == .content }
        await made.vault.lock()
        await #expect(throws: VaultError.self) { try await made.strong() }
        try await made.vault.unlock(with: SecretBytes(text: Self.newPIN))
    }

    @Test(arguments: ["", "0123", "legal winner"]) func `a mistyped key is refused at once`(
        typed: String
    ) async throws {
        let (made, _) = try await Self.withKey()
        let (model, _) = await watching(made)
        await model.enter(SecretBytes(text: typed))
        #expect(model.fields.step == .key && model.fields.error?.errorCode == .recoveryKeyMalformed)
        #expect(model.key == nil)
    }

    @Test func `another vault's key is refused, and asked for again`() async throws {
        let (made, _) = try await Self.withKey()
        let (_, other) = try await Self.withKey()
        let (model, lock) = await watching(made)
        await model.enter(SecretBytes(text: other))
        await model.type(Self.newPIN)
        await model.type(Self.newPIN)
        #expect(model.fields.step == .key && model.fields.error?.errorCode == .strongFactorRefused)
        #expect(lock.scope == nil && end.count == 0 && model.key == nil && model.chosen == nil)
    }

    @Test func `a weak new PIN is refused, and two different ones are asked for again`() async throws {
        let (made, key) = try await Self.withKey()
        let (model, _) = await watching(made)
        await model.enter(SecretBytes(text: key))
        await model.type("123456")
        #expect(model.fields.step == .newSecret && model.fields.error?.errorCode == .secretTooCommon)
        await model.type(Self.newPIN)
        await model.type("730518")
        #expect(model.fields.step == .newSecret && model.fields.error?.errorCode == .confirmationDiffers)
        await model.type(Self.newPIN)
        await model.type(Self.newPIN)
        #expect(model.fields.step == .done)
    }

    @Test(.holds("A26")) func `it opens a vault whose device secret is gone`() async throws {
        let (made, key) = try await Self.withKey()
        await made.vault.close()
        try made.simulated.simulate(.restoreElsewhere)
        let (model, lock) = await watching(try await made.reopened())
        #expect(lock.screen == .recovery(.keyMissing) && lock.fields.leadsOut)
        await model.enter(SecretBytes(text: key))
        await model.type(Self.newPIN)
        await model.type(Self.newPIN)
        await until { lock.screen == .content }
        #expect(end.count == 1)
    }

    @Test func `where the policy lets the key only export, it asks for no new PIN`() async throws {
        var policy = TestVault.policy
        policy.recoveryOpensFully = false
        let made = try await TestVault.make(policy: policy)
        let key = try await made.makeRecoveryKey()
        await made.vault.lock()
        let (model, lock) = await watching(made)
        await model.enter(SecretBytes(text: key))
        await until { lock.scope == .exportOnly }
        #expect(model.fields.step == .done && end.count == 1)
        await made.vault.lock()
        try await made.strong()
    }

    @Test(.holds("A7", "ERR-107-050")) func `an older copy is led out by the recovery key, and gets a new PIN`()
        async throws
    {
        let (made, key) = try await Self.putBack()
        let (model, lock) = await watching(made)
        await model.enter(SecretBytes(text: key))
        #expect(model.fields.step == .olderCopy && lock.scope == nil)
        await model.acceptOlderCopy(typed: "older")
        #expect(model.fields.step == .olderCopy && model.fields.error?.errorCode == .confirmationMissing)
        // Reading takes longer than a proof lasts; the key makes a new one.
        try made.advance(.minutes(5))
        await model.acceptOlderCopy(typed: OlderCopyConfirmation.phrase)
        #expect(model.fields.step == .newSecret && model.fields.error == nil)
        await model.type(Self.newPIN)
        await model.type(Self.newPIN)
        await until { lock.scope == .full }
        #expect(lock.screen == .content && end.count == 1)
        try await made.add("Later")
    }

    @Test(.holds("A7")) func `an older copy can be only exported with it`() async throws {
        let (made, key) = try await Self.putBack()
        let (model, lock) = await watching(made)
        await model.enter(SecretBytes(text: key))
        await model.onlyExport()
        await until { lock.scope == .exportOnly }
        #expect(model.fields.step == .done && end.count == 1)
    }

    @Test func `where no recovery key exists everything can be erased, by its word`() async throws {
        let made = try await TestVault.make().restarted()
        let (model, lock) = await watching(made)
        #expect(model.fields.step == .erase && !model.fields.recoveryKeyMayOpen)
        model.useRecoveryKey()
        #expect(model.fields.step == .erase)
        await model.erase(typed: "reset")
        #expect(model.fields.error?.errorCode == .confirmationMissing && end.count == 0)
        await model.erase(typed: ResetConfirmation.phrase)
        #expect(lock.screen == .erased && end.count == 1)
        await #expect(throws: VaultError.self) { try await made.strong() }
    }

    @Test func `an owner who has lost the recovery key goes to the erase and back`() async throws {
        let (made, _) = try await Self.withKey()
        let (model, _) = await watching(made)
        model.askToErase()
        #expect(model.fields.step == .erase && model.fields.recoveryKeyMayOpen)
        model.useRecoveryKey()
        #expect(model.fields.step == .key)
    }

    @Test(.holds("P-107-04"), arguments: ["background", "close", "lock"])
    func `a key and a PIN do not outlive the foreground, the screen or the lock`(end: String) async throws {
        let (made, key) = try await Self.withKey()
        let (model, _) = await watching(made, locking: end != "lock")
        await model.enter(SecretBytes(text: key))
        await model.type(Self.newPIN)
        weak let (heldKey, heldPIN) = (model.key, model.chosen)
        model.pin.type("73")
        #expect(heldKey != nil && heldPIN != nil)
        switch end {
        case "background": model.appBecame(.background)
        case "close": model.clear()
        default: await made.vault.lock()
        }
        await until { model.fields.step == .key }
        #expect(heldKey == nil && heldPIN == nil && model.pin.count == 0)
    }

    @Test(.holds("P-107-04")) func `no field of the model shows what was typed`() async throws {
        let (made, key) = try await Self.withKey()
        let (model, _) = await watching(made)
        await model.enter(SecretBytes(text: key))
        await model.type(Self.newPIN)
        let seen = everything(in: model)
        #expect(!reveals(seen, key) && !reveals(seen, Self.newPIN))
    }

    @Test func `a screen that goes in mid-call shows nothing of it, and leaves no task`() async throws {
        let (made, key) = try await Self.withKey()
        let held = HeldVault(vault: made.vault)
        var watched: (RecoverModel, AppUnlockObject)? = await watching(made, as: held)
        weak let model = watched?.0
        await model?.enter(SecretBytes(text: key))
        await model?.type(Self.newPIN)
        let call = Task { [model] in await model?.type(Self.newPIN) }
        await held.call.arrives()
        #expect(model?.fields.step == .working)
        model?.clear()
        await call.value
        #expect(model?.fields.step == .key && model?.fields.error == nil && end.count == 0)
        watched = nil
        while model != nil {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    @Test func `a preview shows each step, and opens nothing`() async throws {
        for step in RecoverFields.Step.allCases {
            #expect(RecoverModel(showing: VaultSnapshot(), step: step).fields.step == step)
        }
        let model = RecoverModel(showing: VaultSnapshot())
        await model.erase(typed: ResetConfirmation.phrase)
        #expect(model.fields.step == .erase)
    }

    private static func withKey() async throws -> (TestVault, String) {
        let made = try await TestVault.make()
        let key = try await made.makeRecoveryKey()
        return (made, key)
    }

    /// A vault with a recovery key, into whose place an older copy was put.
    private static func putBack() async throws -> (TestVault, String) {
        let (made, key) = try await withKey()
        await made.vault.close()
        let copy = try made.folder.read("vault/vault.sqlite")
        let changed = try await made.reopened()
        try? await changed.guess()
        await changed.vault.close()
        try made.folder.write(copy, to: "vault/vault.sqlite")
        return (try await made.reopened(), key)
    }

    /// A model of the way back, and of the lock that it leads out of.
    private func watching(
        _ made: TestVault,
        locking: Bool = true,
        as vault: (any RecoverVault)? = nil
    ) async -> (RecoverModel, AppUnlockObject) {
        if locking { await made.vault.lock() }
        let lock = await AppUnlockObject.watching(made)
        lock.appBecame(.active)
        await until { !lock.isCovered }
        let model = RecoverModel(vault ?? made.vault, outOf: lock) { [end] in end.count += 1 }
        await until { model.fields.step != .opening }
        return (model, lock)
    }
}

/// How often a screen said that it is over.
@MainActor private final class Ended {
    var count = 0

    nonisolated init() {}
}

extension RecoverModel {
    /// Types a PIN, digit by digit, and sends it.
    func type(_ text: String) async {
        pin.type(text)
        await submitPIN()
    }
}
