import SwiftUI
import Synchronization
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit
import ThumbturnUI

@testable import ThumbturnAccount
@testable import ThumbturnAccountUI

/// Lets everything else run until `condition` holds; the suite's time limit is its end.
@MainActor func until(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
}

/// Holds a window's text against what is expected; a word that is in no catalogue is in no expectation either.
@MainActor func shows(
    _ window: Window<some View>,
    _ expected: String,
    at location: SourceLocation = #_sourceLocation
) {
    #expect(window.screen == expected, sourceLocation: location)
}

/// Holds what every screen has to keep: it shows something, in words of the catalogue, with controls for a finger.
@MainActor func isWhole(_ window: Window<some View>, at location: SourceLocation = #_sourceLocation) {
    let screen = window.screen
    #expect(!screen.isEmpty && !screen.contains("⟨"), "\(screen)", sourceLocation: location)
    #expect(window.smallControls.isEmpty, sourceLocation: location)
    #expect(window.spoken.allSatisfy { !$0.isEmpty }, sourceLocation: location)
}

/// An account's vault without a service: a password that a test names enters it.
final class AccountStage: AccountScreensVaults {
    static let password = "correct horse 41 battery"

    private let account = TestAccount()
    private let simulated = SimulatedDevice()
    private let made = Mutex<TestVault?>(nil)
    /// What the next entry is refused with.
    let refusal = Mutex<VaultError?>(nil)
    let isHeld = Mutex(false)

    func find() async throws(VaultError) -> AccountFound { .nothing }

    func register(_ name: String, password: borrowing SecretBytes) async throws(VaultError) -> AccountVault.Enrolled {
        try await enter(password)
    }

    func logIn(_ name: String, password: borrowing SecretBytes) async throws(VaultError) -> AccountVault.Enrolled {
        try await enter(password)
    }

    private func enter(_ password: borrowing SecretBytes) async throws(VaultError) -> AccountVault.Enrolled {
        while isHeld.withLock({ $0 }) {
            guard !Task.isCancelled else { throw VaultError(.serviceUnreachable) }
            await Task.yield()
        }
        if let refused = refusal.withLock({ $0 }) { throw refused }
        guard SecretBytes.constantTimeEqual(password, SecretBytes(text: Self.password)) else {
            throw VaultError(.strongFactorRefused)
        }
        do {
            let vault = try await TestVault.make(of: account, on: simulated)
            made.withLock { $0 = vault }
            let transport = AccountTransport(origin: "https://accounts.example") { _ throws(TransportFailure) in
                throw .unreachable
            }
            return AccountVault.Enrolled(
                account: AccountVault(vault.vault, over: transport),
                authorization: try await vault.strong(account)
            )
        } catch let error as VaultError {
            throw error
        } catch {
            throw VaultError(.storageUnavailable)
        }
    }
}
