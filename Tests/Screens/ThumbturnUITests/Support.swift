import Observation
import Testing
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnUI

/// Waits until `condition` holds; it is asked again when something changes that it has read of a model.
///
/// What it reads first must be observed: `PINEntry` and the simulated device are not.
@MainActor func until(_ condition: () -> Bool, at location: SourceLocation = #_sourceLocation) async {
    while true {
        let (changes, change) = AsyncStream.makeStream(of: Void.self)
        if withObservationTracking(condition, onChange: { change.finish() }) { return }
        for await _ in changes {}
        guard !Task.isCancelled else {
            Issue.record("what was waited for never came", sourceLocation: location)
            return
        }
    }
}

extension Trait where Self == TimeLimitTrait {
    /// Names the test whose wait never ends; far more than the slowest machine needs.
    static var waitsEnd: Self { .timeLimit(.minutes(20)) }
}

/// A model that keeps all it ever showed.
@MainActor final class RecordedModel: AppUnlockObject {
    private(set) var shown: [AppUnlockFields] = []

    /// Keeps what it shows from now on.
    func record() { changed = { [unowned self] in shown.append(fields) } }
}

extension AppUnlockObject {
    /// A model of a test's vault that is about to be told where its app stands.
    static func watching(_ made: TestVault, secret: SecretKind = .pin(length: 6)) async -> RecordedModel {
        // No test waits for a clock: the one that counts down moves it itself.
        let model = RecordedModel(made.vault, secret: secret, prompt: nil) { _ in
            try? await Task.sleep(nanoseconds: .max)
        }
        model.record()
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
///
/// What a class inherits is a mirror of its own.
func everything(in value: Any, depth: Int = 12) -> String {
    guard depth > 0, !(value is Vault) else { return "" }
    var text = "\(value) \(String(reflecting: value)) "
    for mirror in sequence(first: Mirror(reflecting: value), next: \.superclassMirror) {
        for child in mirror.children { text += everything(in: child.value, depth: depth - 1) }
    }
    return text
}

/// Whether such a text shows a secret: as it was typed, or in a list of its characters, of its bytes or of its digits.
func reveals(_ text: String, _ secret: String) -> Bool {
    let lists = [
        secret.map { String(reflecting: $0) }, secret.utf8.map { "\($0)" },
        secret.compactMap { $0.wholeNumberValue.map(String.init) },
    ]
    return ([secret] + lists.filter { $0.count == secret.count }.map { $0.joined(separator: ", ") }).contains {
        text.contains($0)
    }
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
