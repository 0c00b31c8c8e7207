import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

// What tests of system mode do again and again.
extension TestVault {
    static let newPIN = "905148"

    static var offer: SystemModeOffer {
        get throws { try #require(SystemModeFlag.open.offer(to: "anybody")) }
    }

    /// Makes a vault in system mode, unlocked, with a wallet and a confirmed recovery key.
    static func inSystemMode(
        policy: VaultPolicy = policy,
        biometrics: Bool = false,
        on simulated: SimulatedDevice = SimulatedDevice()
    ) async throws -> (made: TestVault, key: String, wallet: WalletSummary) {
        let made = try await TestVault.make(policy: policy, biometrics: biometrics, on: simulated)
        let wallet = try await made.add("Savings")
        let key = try await made.makeRecoveryKey()
        try await made.enableSystem()
        return (made, key, wallet)
    }

    func consent(to warning: SystemModeWarning) -> SystemModeConsent {
        SystemModeConsent(to: warning, ownerAgreedAt: device.clock())
    }

    func enableSystem() async throws {
        try await vault.enableSystemAuthentication(try Self.offer, consent(to: .enabling), try await strong())
    }

    /// Unlocks with the system's prompt, which ends as `touch` says.
    @discardableResult
    func system(_ touch: SimulatedTouch = .match) async throws -> StrongAuthorization {
        try simulated.simulate(.finger(touch))
        return try await vault.unlockWithSystem(Self.words)
    }

    func confirmExit(_ touch: SimulatedTouch = .match) async throws -> SystemModeExit {
        try simulated.simulate(.finger(touch))
        return try await vault.confirmSystemExit(consent(to: .disabling), Self.words)
    }

    func disableSystem(to pin: String = newPIN) async throws {
        try await vault.disableSystemAuthentication(try await confirmExit(), newSecret: SecretBytes(text: pin))
    }

    func open(with pin: String) async throws { try await vault.unlock(with: SecretBytes(text: pin)) }

    /// What a vault with a PIN has on its device: a secret for slot and ledger, and its anchor.
    static let heldByPIN = ["device-secret", "anchor"]

    /// What the device holds, by purpose, counters included and the trail's items left out.
    var held: [String] {
        get throws {
            try simulated.itemNamesBesideTrail().map { String($0.split(separator: ".")[2]) }.sorted()
                + simulated.anchorNames().map { _ in "anchor" }
        }
    }

    /// Every row of the vault's file but the log's.
    func rows() throws -> [[UInt8]] {
        let contents = try contents()
        return try [contents.head?.body ?? [], contents.head?.mac ?? [], contents.ledger?.body ?? []]
            + contents.slots.map(\.record) + contents.leftovers.map { Array($0.item.text.utf8) }
            + wallets().flatMap { [$0.label, $0.secret] }
    }
}
