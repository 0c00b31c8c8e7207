import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnCredentials

/// What an app may keep.
struct Tokens: Codable, Hashable, Sendable {
    var access: String
    var refresh: String

    static let sample = Tokens(access: "access/4f1d9c", refresh: "refresh \"8817\"")
}

/// Credentials in a folder of their own, on a simulated device whose clocks stand still.
struct TestCredentials {
    static let words = PromptText(reason: "Use your tokens")

    let folder: TemporaryFolder
    let simulated: SimulatedDevice
    let device: Device
    let vault: CredentialVault<Tokens>

    var path: String { folder.file("credentials") }

    static func make(
        on simulated: SimulatedDevice = SimulatedDevice(),
        seenAs device: Device? = nil
    ) async throws -> TestCredentials {
        let folder = try TemporaryFolder()
        let device = device ?? simulated.device
        let vault = try await Self.open(in: folder.file("credentials"), device)
        return TestCredentials(folder: folder, simulated: simulated, device: device, vault: vault)
    }

    /// A vault in a state of V-02, with the sample where something is stored.
    static func make(
        in state: CredentialVaultMachine.State,
        on simulated: SimulatedDevice = SimulatedDevice(),
        seenAs device: Device? = nil
    ) async throws -> TestCredentials {
        if state == .unavailable { try simulated.simulate(.unenroll) }
        let made = try await make(on: simulated, seenAs: device)
        switch state {
        case .unavailable, .ready: break
        case .keychainSecured: try await made.vault.enableKeychainVault(saving: .sample)
        case .biometricsSecured, .locked:
            try await made.touching { try await $0.enableSecureVaultWithBiometrics(saving: .sample, words) }
            if state == .locked { try await made.vault.lock() }
        }
        #expect(await made.state == state)
        return made
    }

    static func open(
        named name: String = "tokens",
        in path: String,
        _ device: Device
    ) async throws -> CredentialVault<Tokens> {
        try await CredentialVault.open(named: CredentialName(name), in: path, device: device)
    }

    /// The same credentials through another object, as a restarted app has them.
    func reopened(seenAs device: Device? = nil) async throws -> TestCredentials {
        let device = device ?? self.device
        let vault = try await Self.open(in: path, device)
        return TestCredentials(folder: folder, simulated: simulated, device: device, vault: vault)
    }

    var state: CredentialVaultMachine.State { get async { await vault.snapshot.state } }

    /// Does something while a finger lies on the sensor.
    func touching<Result: Sendable>(
        _ touch: SimulatedTouch = .match,
        _ body: (CredentialVault<Tokens>) async throws -> Result
    ) async throws -> Result {
        try simulated.simulate(.finger(touch))
        return try await body(vault)
    }

    @discardableResult
    func unlock(_ touch: SimulatedTouch = .match) async throws -> Tokens {
        try await touching(touch) { try await $0.unlockWithBiometrics(Self.words) }
    }

    func upgrade(_ touch: SimulatedTouch = .match) async throws {
        try await touching(touch) { try await $0.upgradeKeychainWithBiometrics(Self.words) }
    }

    /// What the store holds, with what guards it.
    func items() async throws -> [AccessControl] {
        var items: [AccessControl] = []
        for name in try simulated.itemNames() {
            let item = try #require(ItemName(text: name))
            items.append(try #require(try await simulated.describe(item)).access)
        }
        return items
    }

    /// Changes the stored rows behind the vault's back.
    func tamper<Result>(_ body: (CredentialStore) throws -> Result) throws -> Result {
        let store = try CredentialStore(in: path, vfs: nil)
        defer { store.close() }
        return try body(store)
    }

    func record() throws -> CredentialRecord {
        try #require(try tamper { try $0.record(named: CredentialName("tokens")) })
    }
}

extension CredentialVault {
    /// Asks for what V-03 names, as an interface would that shows every button in every state.
    func ask(
        for request: CredentialVaultMachine.Request,
        saving credentials: Credentials,
        _ prompt: PromptText
    ) async throws(VaultError) {
        switch request {
        case .enableKeychainVault: try await enableKeychainVault(saving: credentials)
        case .enableSecureVaultWithBiometrics: try await enableSecureVaultWithBiometrics(saving: credentials, prompt)
        case .upgradeKeychainWithBiometrics: try await upgradeKeychainWithBiometrics(prompt)
        case .downgradeBiometricsToKeychain: try await downgradeBiometricsToKeychain(prompt)
        case .disableBiometricsSecureVault: try await disableBiometricsSecureVault()
        case .unlockWithBiometrics: _ = try await unlockWithBiometrics(prompt)
        case .lock: try lock()
        case .read: _ = try await self.credentials()
        case .reauthenticateOwner: try await reauthenticateOwner(prompt)
        case .reset: try await reset()
        }
    }

    /// Whether the key is in memory.
    var holdsKey: Bool { key != nil }
}
