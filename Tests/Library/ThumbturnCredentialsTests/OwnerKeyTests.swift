import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnCredentials

/// Bytes of an app's own, behind any finger or face or the device's passcode.
@Suite struct OwnerKeyTests {
    private let words = PromptText(reason: "Open your wallet", fallbackTitle: "")
    private let simulated = SimulatedDevice()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func opened(seenAs device: Device? = nil) async throws -> OwnerKey {
        try await OwnerKey.open(
            named: CredentialName("key"),
            in: folder.file("credentials"),
            device: device ?? simulated.device
        )
    }

    private func bytes(of key: OwnerKey, by touch: SimulatedTouch = .match) async throws -> [UInt8] {
        try simulated.simulate(.finger(touch))
        return try await key.withBytes(words) { span in unsafe span.withUnsafeBytes { unsafe Array($0) } }
    }

    private func made() async throws -> OwnerKey {
        let key = try await opened()
        try simulated.simulate(.finger(.match))
        try await key.make(words)
        return key
    }

    @Test(.holds("S-02")) func `the same 32 bytes come back, by a finger and by the passcode, also after a restart`()
        async throws
    {
        let key = try await made()
        let first = try await bytes(of: key)
        #expect(first.count == OwnerKey.byteCount && Set(first).count > 8)
        #expect(try await bytes(of: key, by: .passcode) == first)
        await key.close()
        let again = try await opened()
        #expect(await again.isStored)
        #expect(try await bytes(of: again) == first)
    }

    @Test func `each call asks, and a stranger gets nothing`() async throws {
        let key = try await made()
        let asked = simulated.promptsShown
        _ = try await bytes(of: key)
        _ = try await bytes(of: key)
        #expect(simulated.promptsShown == asked + 2)
        #expect(await refusal { _ = try await bytes(of: key, by: .mismatch) } == .biometricsNotRecognised)
        #expect(await refusal { _ = try await bytes(of: key, by: .cancel) } == .promptCancelled)
    }

    @Test(.holds("S-02", "C2")) func `a new finger changes nothing, and the passcode's end is the key's end`()
        async throws
    {
        let key = try await made()
        let first = try await bytes(of: key)
        try simulated.simulate(.unenroll)
        #expect(try await bytes(of: key, by: .passcode) == first)
        try simulated.simulate(.passcodeOff)
        #expect(await refusal { _ = try await bytes(of: key, by: .passcode) } != nil)
    }

    @Test func `there is one, until it is erased`() async throws {
        let key = try await made()
        let first = try await bytes(of: key)
        try simulated.simulate(.finger(.match))
        #expect(await refusal { try await key.make(words) } == .credentialsLockedAlreadyStored)
        try await key.erase()
        #expect(await !key.isStored)
        #expect(await refusal { _ = try await bytes(of: key) } == .credentialsMissing)
        try simulated.simulate(.finger(.match))
        try await key.make(words)
        #expect(try await bytes(of: key) != first)
    }

    @Test func `without a passcode it is refused, and nothing is stored`() async throws {
        try simulated.simulate(.passcodeOff)
        let key = try await opened()
        #expect(await refusal { try await key.make(words) } == .credentialsUnavailable)
        #expect(await !key.isStored)
    }

    @Test func `a device without a sensor that has a passcode keeps one`() async throws {
        try simulated.simulate(.sensor(.none))
        let key = try await opened()
        try simulated.simulate(.finger(.passcode))
        try await key.make(words)
        #expect(try await bytes(of: key, by: .passcode).count == OwnerKey.byteCount)
    }

    @Test(.holds("V-01", "V-02"))
    func `credentials behind the owner's presence have the five states, and say how they are kept`()
        async throws
    {
        let vault = try await CredentialVault<Tokens>.open(
            named: CredentialName("tokens"),
            in: folder.file("credentials"),
            device: simulated.device,
            guardedBy: .ownerPresence
        )
        try await vault.enableKeychainVault(saving: .sample)
        #expect(await vault.snapshot.protection == .keychain)
        try simulated.simulate(.finger(.passcode))
        try await vault.upgradeKeychainWithBiometrics(words)
        var snapshot = await vault.snapshot
        #expect(snapshot.state == .biometricsSecured && snapshot.protection == .ownerPresence)
        #expect(!snapshot.biometricsEnabled)
        try await vault.lock()
        try simulated.simulate(.finger(.passcode))
        #expect(try await vault.unlockWithBiometrics(words) == .sample)
        await vault.close()
        // A vault opened with the default keeps what is stored as it was stored.
        let other = try await CredentialVault<Tokens>.open(
            named: CredentialName("tokens"),
            in: folder.file("credentials"),
            device: simulated.device
        )
        snapshot = await other.snapshot
        #expect(snapshot.state == .locked && snapshot.protection == .ownerPresence)
        try simulated.simulate(.finger(.passcode))
        #expect(try await other.unlockWithBiometrics(words) == .sample)
    }
}
