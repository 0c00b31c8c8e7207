import Testing
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnCredentials

/// The vault whose states are types.
@Suite struct CredentialHandleTests {
    private static let words = TestCredentials.words

    private func open(_ made: TestCredentials) async throws -> AnyCredentialHandle<Tokens> {
        try await AnyCredentialHandle.open(named: CredentialName("tokens"), in: made.path, device: made.device)
    }

    @Test(.holds("V-03", "V-04")) func `the whole life of credentials, from handle to handle`() async throws {
        let made = try await TestCredentials.make()
        guard case .ready(let ready) = try await open(made) else { return #expect(Bool(false), "not ready") }
        let plain = try await ready.enableKeychainVault(saving: .sample).get()
        #expect(try await plain.credentials() == .sample)

        try made.simulated.simulate(.finger(.match))
        let secured = try await plain.upgradeKeychainWithBiometrics(Self.words).get()
        #expect(try await secured.credentials() == .sample)
        let locked = try await secured.lock().get()

        try made.simulated.simulate(.finger(.match))
        let unlocked = try await locked.unlockWithBiometrics(Self.words).get()
        #expect(try await unlocked.credentials() == .sample)
        let downgraded = try await unlocked.downgradeBiometricsToKeychain(Self.words).get()
        #expect(try await downgraded.credentials() == .sample)
        let empty = try await downgraded.reset().get()

        try made.simulated.simulate(.finger(.match))
        let again = try await empty.enableSecureVaultWithBiometrics(saving: .sample, Self.words).get()
        let last = try await again.disableBiometricsSecureVault().get()
        #expect(await last.snapshot.state == .ready)
        await last.close()
        #expect(try made.simulated.itemNames().isEmpty)
    }

    @Test(.holds("V-05")) func `a transition that fails gives the same handle back, and it goes on`() async throws {
        let made = try await TestCredentials.make(in: .keychainSecured)
        guard case .keychainSecured(let plain) = try await open(made) else { return #expect(Bool(false), "not plain") }
        try made.simulated.simulate(.finger(.mismatch))
        switch await plain.upgradeKeychainWithBiometrics(Self.words) {
        case .moved: Issue.record("a stranger's finger upgraded")
        case .stayed(let same, let error):
            #expect(error.code == .biometricsNotRecognised)
            #expect(try await same.credentials() == .sample)
            try made.simulated.simulate(.finger(.match))
            let secured = try await same.upgradeKeychainWithBiometrics(Self.words).get()
            #expect(await secured.snapshot.state == .biometricsSecured)
        }
    }

    @Test(.holds("V-02"), arguments: CredentialVaultMachine.State.allCases)
    func `credentials open as a handle of the state they are in`(state: CredentialVaultMachine.State) async throws {
        let made = try await TestCredentials.make(in: state)
        await made.vault.close()
        // What was unlocked in another object is locked in a new one.
        let expected = state == .biometricsSecured ? .locked : state
        switch try await open(made) {
        case .unavailable(let handle):
            #expect(expected == .unavailable)
            try made.simulated.simulate(.enroll)
            guard case .ready = try await handle.looking() else { return #expect(Bool(false), "not ready") }
        case .ready: #expect(expected == .ready)
        case .keychainSecured: #expect(expected == .keychainSecured)
        case .biometricsSecured: Issue.record("open without a prompt")
        case .locked(let handle):
            #expect(expected == .locked)
            try made.simulated.simulate(.finger(.match))
            let unlocked = try await handle.unlockWithBiometrics(Self.words).get()
            guard case .biometricsSecured = try await unlocked.looking() else { return #expect(Bool(false), "locked") }
        }
    }

    @Test func `what the compiler can't know is told when it happens`() async throws {
        let made = try await TestCredentials.make(in: .locked)
        guard case .locked(let handle) = try await open(made) else { return #expect(Bool(false), "not locked") }
        try made.simulated.simulate(.enroll)
        guard case .stayed(let same, let error) = await handle.unlockWithBiometrics(Self.words) else {
            return #expect(Bool(false), "opened")
        }
        #expect(error.code == .biometricsChanged)
        try await made.vault.reset()
        guard case .ready = try await same.looking() else { return #expect(Bool(false), "not ready") }
    }
}
