import Observation
import Testing
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnCredentials

/// The credential vault for an interface.
@MainActor
@Suite struct CredentialVaultModelTests {
    private func prepared(
        in state: CredentialVaultMachine.State = .ready
    ) async throws -> (made: TestCredentials, model: CredentialVaultModel<Tokens>) {
        let made = try await TestCredentials.make(in: state)
        let model = CredentialVaultModel(made.vault)
        await model.refresh()
        return (made, model)
    }

    @Test(.holds("V-03")) func `its calls go through the states, and reading returns what was stored`() async throws {
        let (made, model) = try await prepared()
        #expect(model.state == .ready)
        await model.enableKeychainVault(saving: .sample)
        #expect(model.state == .keychainSecured)
        try made.simulated.simulate(.finger(.match))
        await model.upgradeKeychainWithBiometrics(TestCredentials.words)
        #expect(model.state == .biometricsSecured)
        await model.lock()
        await model.refresh()
        #expect(model.state == .locked)
        try made.simulated.simulate(.finger(.match))
        #expect(await model.read(TestCredentials.words) == .sample)
        await model.downgradeBiometricsToKeychain(TestCredentials.words)
        #expect(model.state == .keychainSecured && model.error == nil)
        await model.reset()
        #expect(model.state == .ready)
    }

    @Test(.holds("V-04")) func `a refusal is shown until the next call, and changes nothing`() async throws {
        let (made, model) = try await prepared(in: .locked)
        try made.simulated.simulate(.finger(.cancel))
        #expect(await model.read(TestCredentials.words) == nil)
        #expect(model.error?.code == .promptCancelled && model.state == .locked && !model.isBusy)
        await model.enableKeychainVault(saving: .sample)
        #expect(model.error?.code == .credentialsLockedAlreadyStored)
        await model.refresh()
        #expect(model.error == nil)
    }

    @Test func `it tells its observers`() async throws {
        let (_, model) = try await prepared()
        let told = Shared(false)
        withObservationTracking {
            _ = model.state
        } onChange: {
            told.change { $0 = true }
        }
        await model.enableKeychainVault(saving: .sample)
        #expect(told.value)
    }

    @Test func `what another caller does is followed`() async throws {
        let (made, model) = try await prepared()
        try await made.vault.enableKeychainVault(saving: .sample)
        for _ in 0..<10_000 where model.state != .keychainSecured { await Task.yield() }
        #expect(model.state == .keychainSecured)
    }
}
