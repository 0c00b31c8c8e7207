import Combine
import Thumbturn
import ThumbturnUI

/// The first start, step by step: a PIN, the PIN again, the question for biometrics.
@MainActor final class NewVault: ObservableObject {
    enum Step {
        case choosing
        case repeating
        case asking(BiometricCapability)
        case making
    }

    static let pinLength = 6

    @Published private(set) var step = Step.choosing
    /// What was wrong with the last try, in words.
    @Published private(set) var refusal: String?
    let pin = PINEntry()
    let device: Device
    private let home: String
    private let configuration: VaultConfiguration
    /// Lies here until the vault is made, and is wiped with this object.
    private var chosen: SecretBytes?

    init(on device: Device, in home: String, _ configuration: VaultConfiguration) {
        self.device = device
        self.home = home
        self.configuration = configuration
    }

    /// Takes the PIN that was typed.
    func enter() async {
        let typed = pin.take()
        refusal = nil
        switch step {
        case .choosing:
            chosen = consume typed
            step = .repeating
        case .repeating:
            guard let first = chosen.take(), SecretBytes.constantTimeEqual(first, typed) else {
                return start(over: .confirmationDiffers)
            }
            chosen = consume first
            step = .asking(await device.capability())
        case .asking, .making:
            break
        }
    }

    /// Makes the vault; nil when the PIN was refused, and another has to be chosen.
    func make(_ consent: BiometricConsent?) async -> WalletCore? {
        guard let pin = chosen.take() else { return nil }
        step = .making
        do throws(VaultError) {
            return try await WalletCore.create(
                on: device,
                in: home,
                pin: pin,
                biometrics: consent,
                configuration: configuration
            )
        } catch {
            start(over: error.code)
            return nil
        }
    }

    private func start(over why: ErrorCode) {
        chosen = nil
        refusal = why.message(in: .english)
        step = .choosing
    }
}
