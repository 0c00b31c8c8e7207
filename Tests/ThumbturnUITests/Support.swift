import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnUI

/// Lets everything else run until `condition` holds; the suite's time limit is its end.
@MainActor func until(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
}

extension AppUnlockObject {
    /// A model of a test's vault that speaks for an app in front.
    static func watching(_ made: TestVault, secret: SecretKind = .pin(length: 6)) async -> AppUnlockObject {
        let model = AppUnlockObject(made.vault, secret: secret)
        await until { model.screen != .opening }
        return model
    }

    /// Types a PIN, digit by digit, and sends it.
    func type(_ text: String) async {
        pin.type(text)
        await submitPIN()
    }

    /// Waits until the model shows this.
    func shows(_ screen: AppUnlockFields.Screen) async { await until { fields.screen == screen && !fields.isBusy } }

    /// Sends the app away and back.
    func leaveAndReturn() async {
        appBecame(.inactive)
        appBecame(.background)
        await until { fields.isCovered }
        appBecame(.active)
        await until { !fields.isCovered }
    }
}

extension PINEntry {
    func type(_ text: String) {
        for digit in text.utf8 { append(digit - 0x30) }
    }
}

/// Every child of a value, and theirs, as text: what a debugger or a careless log would show.
func everything(in value: Any, depth: Int = 12) -> String {
    guard depth > 0 else { return "" }
    var text = "\(value) \(String(reflecting: value)) "
    for child in Mirror(reflecting: value).children { text += everything(in: child.value, depth: depth - 1) }
    return text
}

extension VaultPolicy {
    /// Seed 002's rules over a PIN of this device: the background locks, and turning biometrics off asks for nothing.
    static let localPD107: VaultPolicy = {
        var policy = TestVault.policy
        policy.locksInBackground = true
        policy.requiresSecretToDisable = false
        return policy
    }()
}
