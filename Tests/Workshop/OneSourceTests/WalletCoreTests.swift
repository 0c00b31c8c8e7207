import Testing
import Thumbturn
import ThumbturnTestKit

#if canImport(OneSource)
@testable import OneSource
#else
@testable import WalletApp
#endif

// Compiled twice, like what it tests: here, where `Stage` is a simulated device, and in Apple/StandIns, where it is an iPhone
// of stand-ins.
@Suite("The core of an app, from one source", .timeLimit(.minutes(20)))
struct WalletCoreTests {
    private static let pin = "480295"
    private static let words = "legal winner thank year wave sausage worth useful legal winner thank yellow"
    private static let prompt = PromptText(reason: "Open the wallet", cancelTitle: "Not now", fallbackTitle: "Use PIN")
    private var pin: SecretBytes { SecretBytes(text: Self.pin) }

    @Test(.holds("P-107-03")) func `a wallet that was imported opens with a finger, and the app is told of each step`()
        async throws
    {
        let stage = try await Stage.make()
        let core = try await WalletCore.create(on: stage.device, in: stage.home, pin: pin, biometrics: stage.consent)
        let wallet = try await core.importWallet(named: "Savings", words: SecretBytes(text: Self.words))
        let screen = Screen()
        let following = Task { await core.follow { await screen.show($0) } }
        while await screen.states.isEmpty { await Task.yield() }
        await core.vault.lock()
        try stage.touch()
        try await core.unlock(Self.prompt)
        #expect(try await core.vault.withSecret(of: wallet.id) { _, entropy in entropy.byteCount } == 16)
        while await screen.states.count < 4 { await Task.yield() }
        following.cancel()
        await following.value
        #expect(await screen.states == [.unlocked, .locked, .promptingBiometric, .unlocked])
    }

    @Test(.holds("K-05")) func `the words come back after a restart, for the PIN alone`() async throws {
        let stage = try await Stage.make()
        let made = try await WalletCore.create(on: stage.device, in: stage.home, pin: pin)
        let wallet = try await made.importWallet(named: "Savings", words: SecretBytes(text: Self.words))
        await made.vault.close()

        let core = try #require(try await WalletCore.open(on: stage.device, in: stage.home))
        let refusal = await #expect(throws: VaultError.self) { try await core.vault.wallets() }
        #expect(refusal?.code == .locked)
        let authorization = try await core.unlock(pin: pin)
        let words = try await core.vault.exportWallet(wallet.id, authorization) { _, words in words.exposedText }
        #expect(words == Self.words)
    }

    @Test(.holds("A28")) func `another finger opens nothing, and the PIN opens all`() async throws {
        let stage = try await Stage.make()
        let core = try await WalletCore.create(on: stage.device, in: stage.home, pin: pin, biometrics: stage.consent)
        _ = try await core.importWallet(named: "Savings", words: SecretBytes(text: Self.words))
        await core.vault.lock()
        try stage.enrolAnother()
        try stage.touch()
        let refusal = await #expect(throws: VaultError.self) { try await core.unlock(Self.prompt) }
        #expect(refusal?.code == .biometricsChanged)
        #expect(refusal?.code.recovery == .strongFactorThenReenable)
        try await core.unlock(pin: pin)
        #expect(try await core.vault.wallets().map(\.name.text) == ["Savings"])
    }

    @Test(.holds("S-04")) func `the device's own authentication opens in the place of PIN and finger`() async throws {
        let stage = try await Stage.make()
        let core = try await WalletCore.create(on: stage.device, in: stage.home, pin: pin, biometrics: stage.consent)
        let wallet = try await core.importWallet(named: "Savings", words: SecretBytes(text: Self.words))
        let offer = try #require(SystemModeFlag(list: "*").offer(to: "ada"))
        let early = await #expect(throws: VaultError.self) { try await core.trustDevice(offer, pin: pin) }
        #expect(early?.code == .recoveryKeyRequired)

        let key = try await core.makeRecoveryKey(pin: pin) { $0.exposedText }
        try await core.confirm(recoveryKey: SecretBytes(text: key), pin: pin)
        try await core.trustDevice(offer, pin: pin)
        await core.vault.lock()
        let refusal = await #expect(throws: VaultError.self) { try await core.unlock(pin: pin) }
        #expect(refusal?.code == .systemModeOnly)
        try stage.touch()
        try await core.vault.unlockWithSystem(Self.prompt)
        #expect(await core.vault.snapshot.mode == .system)
        #expect(try await core.vault.withSecret(of: wallet.id) { _, entropy in entropy.byteCount } == 16)
    }

    @Test func `where no vault is there is nothing to open`() async throws {
        let stage = try await Stage.make()
        #expect(try await WalletCore.open(on: stage.device, in: stage.home) == nil)
    }
}

/// What an app would show, state by state.
private actor Screen {
    private(set) var states: [VaultSnapshot.AppUnlockState] = []

    func show(_ snapshot: VaultSnapshot) {
        if states.last != snapshot.appUnlockState { states.append(snapshot.appUnlockState) }
    }
}
