import SwiftUI
import Testing
import Thumbturn
import ThumbturnRules
import ThumbturnTestKit
import ThumbturnUI

/// Lets everything else run until `condition` holds; the suite's time limit is its end.
@MainActor func until(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
}

/// A model of a test's vault that knows where the vault stands.
@MainActor func model(of made: TestVault, secret: SecretKind = .pin(length: 6)) async -> AppUnlockObject {
    let model = AppUnlockObject(made.vault, secret: secret)
    await until { model.screen != .opening }
    return model
}

@MainActor func settings(of made: TestVault, secret: SecretKind = .pin(length: 6)) async -> BiometricSettingsObject {
    let model = BiometricSettingsObject(made.vault, secret: secret)
    await until { !model.loading }
    return model
}

/// Holds a window's text against what is expected; a word that is in no catalogue is in no expectation either.
@MainActor func shows(
    _ window: Window<some View>,
    _ expected: String,
    at location: SourceLocation = #_sourceLocation
) {
    #expect(window.screen == expected, sourceLocation: location)
}

/// The pad, with the dots above it.
func pad(_ dots: String, isOn: Bool = true, last: String = "") -> String {
    let off = isOn ? "" : " off"
    func row(_ keys: String...) -> String { keys.map { "[\($0)]\(off)" }.joined(separator: " ") }
    let signs = dots.map { $0 == "●" ? "(circle.fill)" : "(circle)" }.joined(separator: " ")
    let end = row("(delete.left)", "0") + (last.isEmpty ? "" : " \(last)")
    return [signs, row("1", "2", "3"), row("4", "5", "6"), row("7", "8", "9"), end].joined(separator: "\n")
}

extension Window {
    /// Taps a PIN, key by key.
    func enter(_ pin: String) throws {
        for digit in pin { try tap(String(digit)) }
    }
}

extension VaultPolicy {
    /// The background locks, and turning biometrics off asks for nothing.
    static let strict: VaultPolicy = {
        var policy = TestVault.policy
        policy.locksInBackground = true
        policy.requiresSecretToDisable = false
        return policy
    }()
}
