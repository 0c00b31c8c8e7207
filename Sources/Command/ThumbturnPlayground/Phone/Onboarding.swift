import Thumbturn
import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON

/// The app before there is a vault: a PIN, the same once more, and "Enable biometric unlock?".
struct Onboarding {
    enum Step: String, CaseIterable {
        case start, importing, choosing, repeating, asking, making
    }

    var step = Step.start
    /// Whether a former app left a wallet on the device.
    var hasFormer = false
    var refusal: ErrorCode?
    /// The mnemonic that the owner has, as it was typed.
    var words: HeldSecret?
    /// The PIN that was chosen.
    var chosen: HeldSecret?

    /// Takes the mnemonic, and asks for a PIN.
    mutating func take(words typed: HeldSecret) {
        refusal = nil
        do throws(VaultError) {
            _ = try Mnemonic.entropy(of: typed.bytes)
            words = typed
            step = .choosing
        } catch {
            refusal = error.code
        }
    }

    /// Takes a PIN, the first time or the second.
    ///
    /// - Parameter weakness: what speaks against it on this device.
    mutating func take(secret typed: HeldSecret, weakness: ErrorCode?, asksForBiometrics: Bool) {
        refusal = nil
        switch step {
        case .choosing:
            refusal = weakness
            guard weakness == nil else { return }
            chosen = typed
            step = .repeating
        case .repeating:
            guard let first = chosen, SecretBytes.constantTimeEqual(first.bytes, typed.bytes) else {
                chosen = nil
                (refusal, step) = (.confirmationDiffers, .choosing)
                return
            }
            step = asksForBiometrics ? .asking : .making
        case .start, .importing, .asking, .making: refusal = .consentMissing
        }
    }

    func json(_ capability: BiometricCapability?, in language: Language) -> JSON {
        let obstacle = capability?.obstacle(under: .playground)
        return [
            "error": refusal?.json(in: language) ?? .null, "hasFormer": .bool(hasFormer),
            "isBusy": .bool(step == .making),
            "obstacle": obstacle.map { .string(Words($0).in(language)) } ?? .null, "step": .string(step.rawValue),
        ]
    }
}

extension VaultPolicy {
    /// The wallet's policy, on a device that guards nothing.
    static let playground = VaultPolicy.wallet.allowing(.simulated)
}
