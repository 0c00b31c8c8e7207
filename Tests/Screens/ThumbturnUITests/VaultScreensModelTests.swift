import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnUI

@MainActor @Suite("The screens of a vault", .waitsEnd)
struct VaultScreensModelTests {
    private let folder: TemporaryFolder
    private let simulated = SimulatedDevice()
    private let opened = Opened()

    init() throws { folder = try TemporaryFolder() }

    @Test(.holds("B-02")) func `the first start makes the vault, and the next one finds it`() async throws {
        let first = model()
        #expect(first.fields.screen == .opening)
        await first.start()
        #expect(first.fields.screen == .onboarding && opened.count == 0)
        try await makeVault(in: first)
        #expect(first.fields.screen == .vault && first.onboarding == nil && opened.count == 1)
        let lock = try #require(first.lock)
        await until { lock.screen == .content }
        await first.vault?.close()

        let second = model()
        await second.start()
        #expect(second.fields.screen == .vault && opened.count == 2)
        let locked = try #require(second.lock)
        locked.appBecame(.active)
        await until { locked.screen == .secret && !locked.isCovered }
    }

    @Test func `it keeps one device, one vault and one lock, however often it is started`() async throws {
        let counter = Counter()
        let model = model { [simulated] in
            _ = counter.next()
            return simulated.device
        }
        async let left: Void = model.start()
        async let right: Void = model.start()
        _ = await (left, right)
        let onboarding = try #require(model.onboarding)
        await model.start()
        #expect(model.onboarding === onboarding && counter.count == 1)
        try await makeVault(in: model)
        let (vault, lock) = (model.vault, model.lock)
        await model.start()
        #expect(model.vault === vault && model.lock === lock && opened.count == 1)
    }

    @Test(.holds("A25")) func `what was started while the phone was locked finds its vault at the return`() async throws
    {
        let first = model()
        await first.start()
        try await makeVault(in: first)
        await first.vault?.close()
        let phone = Shared(false)
        let model = model { [simulated] in
            guard phone.value else { throw VaultError(.storageUnavailable) }
            return simulated.device
        }
        model.language = .french
        await model.start()
        guard case .failed(let error) = model.fields.screen else {
            Issue.record("\(model.fields.screen)")
            return
        }
        #expect(error.errorCode == .storageUnavailable && error.language == .french)
        #expect(model.onboarding == nil, "only a missing vault is none")
        phone.value = true
        await model.start()
        #expect(model.fields.screen == .vault)
    }

    @Test func `a damaged vault is told, and never taken for none`() async throws {
        let first = model()
        await first.start()
        try await makeVault(in: first)
        await first.vault?.close()
        try folder.write(Array("no database".utf8), to: "vault/vault.sqlite")
        let model = model()
        await model.start()
        guard case .failed = model.fields.screen else {
            Issue.record("\(model.fields.screen)")
            return
        }
        #expect(model.onboarding == nil)
    }

    @Test func `what is missing in the project is named`() async throws {
        struct SetupFault: Error, CustomStringConvertible {
            let description = "Add the Keychain Sharing capability."
        }
        let model = model { throw SetupFault() }
        await model.start()
        #expect(model.fields.screen == .misconfigured("Add the Keychain Sharing capability."))
    }

    @Test func `an owner who can't open it gets the way back, and returns from it`() async throws {
        let model = try await withVault()
        model.recover()
        let recovery = try #require(model.recovery)
        #expect(model.fields.isRecovering && recovery.secret == model.secret)
        await until { recovery.fields.step == .erase }
        recovery.cancel()
        #expect(!model.fields.isRecovering && model.recovery == nil)
    }

    @Test func `after an erase a new vault is made in the same place`() async throws {
        let model = try await withVault()
        await model.newWallet()
        #expect(model.fields.screen == .vault, "there is a vault")
        model.recover()
        let recovery = try #require(model.recovery)
        await until { recovery.fields.step == .erase }
        await recovery.erase(typed: ResetConfirmation.phrase)
        #expect(model.recovery == nil && model.lock?.screen == .erased)
        let erased = try #require(model.vault)
        await model.newWallet()
        #expect(model.fields.screen == .onboarding && model.vault == nil && model.lock == nil)
        try await makeVault(in: model)
        #expect(model.fields.screen == .vault && model.vault !== erased && opened.count == 2)
    }

    @Test func `its language is that of all its screens`() async throws {
        let model = model()
        model.language = .french
        await model.start()
        #expect(model.onboarding?.language == .french)
        try await makeVault(in: model)
        #expect(model.lock?.language == .french)
        model.recover()
        #expect(model.recovery?.language == .french)
        model.language = .english
        #expect(model.lock?.language == .english && model.recovery?.language == .english)
    }

    @Test(.holds("P-107-04")) func `a screen that goes forgets what was typed, and leaves no task`() async throws {
        var model: VaultScreensModel? = model()
        weak let remains = model
        await model?.start()
        let onboarding = try #require(model?.onboarding)
        await onboarding.type(TestVault.pin)
        weak let held = onboarding.chosen
        model?.stop()
        #expect(held == nil)
        let starting = Task { [model] in await model?.start() }
        model?.stop()
        await starting.value
        model = nil
        while remains != nil {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    @Test func `a start that was stopped is made up for by the next`() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let model = model { [simulated] in
            for await _ in gate { break }
            try Task.checkCancellation()
            return simulated.device
        }
        let starting = Task { await model.start() }
        await Task.yield()
        model.stop()
        await starting.value
        #expect(model.fields.screen == .opening)
        open.finish()
        await model.start()
        #expect(model.fields.screen == .onboarding)
    }

    private func model(_ device: (@Sendable () async throws -> Device)? = nil) -> VaultScreensModel {
        VaultScreensModel(
            in: folder.path,
            policy: TestVault.policy,
            secret: .pin(length: 6),
            configuration: { _ in TestVault.configuration() },
            opened: { [opened] _, _ in opened.count += 1 },
            device: device ?? { [simulated] in simulated.device }
        )
    }

    private func withVault() async throws -> VaultScreensModel {
        let model = model()
        await model.start()
        try await makeVault(in: model)
        return model
    }

    /// Goes through the first start, without biometrics.
    private func makeVault(in model: VaultScreensModel) async throws {
        let onboarding = try #require(model.onboarding)
        await onboarding.type(TestVault.pin)
        await onboarding.type(TestVault.pin)
        await onboarding.answer(nil)
    }
}

/// How often a vault was opened or made.
@MainActor private final class Opened {
    var count = 0

    nonisolated init() {}
}
