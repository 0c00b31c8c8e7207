import Foundation
import Testing
import Thumbturn

@testable import WalletApp

/// Runs inside the app, with the app's own signature: only there the system's keychain answers.
struct HostedTests {
    private let home = NSTemporaryDirectory() + "/" + UUID().uuidString

    private func pin(_ text: String = "480295") -> SecretBytes {
        unsafe SecretBytes(copying: ContiguousArray(text.utf8).span.bytes)
    }

    private func device() async throws -> Device {
        try await Device.ofThisApp(accessGroup: WalletApp.accessGroup, home: home)
    }

    @Test func `K-03: the PIN opens what was made before the app was started again`() async throws {
        let made = try await WalletCore.create(on: device(), in: home, pin: pin())
        try await made.vault.addWallet(named: WalletName("Savings"), .newMnemonic(words: .twelve))
        await made.vault.close()
        let core = try #require(try await WalletCore.open(on: device(), in: home))
        await #expect(throws: VaultError.self) { try await core.unlock(pin: pin("730519")) }
        try await core.unlock(pin: pin())
        #expect(try await core.vault.wallets().map(\.name.text) == ["Savings"])
        try await core.vault.reset(ResetConfirmation(typed: ResetConfirmation.phrase))
    }
}
