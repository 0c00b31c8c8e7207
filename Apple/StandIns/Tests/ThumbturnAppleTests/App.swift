import Foundation
import StandIn
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnApple

/// An app that runs on the current stand-in phone.
struct App {
    static let group = "TEAM.app"
    static let pin = "493817"
    static let text = PromptText(reason: "Open the vault", cancelTitle: "Not now", fallbackTitle: "Use PIN")

    /// What goes when the app is deleted, and comes along when a backup is restored elsewhere.
    let container: TemporaryFolder
    let carrier: Carrier
    let device: Device

    var phone: Phone { Phone.current }
    var vaultPath: String { container.file("vault") }

    /// Starts a phone, and an app on it that was just installed.
    static func installed(_ setup: PhoneSetup = PhoneSetup(), _ carrier: Carrier = .enclave) async throws -> App {
        Phone.start(setup)
        return try await launched(in: TemporaryFolder(), carrier)
    }

    /// Starts the app on the current phone.
    static func launched(in container: TemporaryFolder, _ carrier: Carrier = .enclave) async throws -> App {
        var configuration = AppleConfiguration(accessGroup: group, folder: container.file("app"))
        configuration.carrier = carrier
        configuration.faceIDUsage = Phone.current.setup.faceIDUsage
        return App(container: container, carrier: carrier, device: try await Device.apple(configuration))
    }

    /// The same app after it was started again.
    func relaunched() async throws -> App { try await Self.launched(in: container, carrier) }
}

// The seam.
extension App {
    func name(_ number: UInt64 = 1, _ purpose: ItemName.Purpose = .biometric) -> ItemName {
        ItemName(vault: Identifier(high: 1, low: 1), purpose: purpose, unique: Identifier(high: 0, low: number))
    }

    func save(_ number: UInt64 = 1, _ access: AccessControl = .currentBiometrySet) async throws {
        try await device.store.save(.sample, as: name(number), access: access)
    }

    /// Reads an item: the refusal, or nil when it came back whole.
    func refusalOfRead(_ number: UInt64 = 1) async -> DeviceRefusal? {
        await refusal { () async throws(DeviceRefusal) in
            let answer = try await device.store.read(name(number), prompt: Self.text)
            guard SecretBytes.constantTimeEqual(answer, .sample) else { throw .weakerThanAsked }
        }
    }

    /// Uses a device secret: the refusal, or nil when it gave something.
    func refusalOfEvaluation(_ number: UInt64) async -> DeviceRefusal? {
        do throws(DeviceRefusal) {
            let answer = try await device.store.evaluate(name(number, .deviceSecret), input: [1])
            return answer.byteCount == 32 ? nil : .unclassified
        } catch {
            return error
        }
    }

    /// Signs by a device key: the refusal, or nil when it gave something.
    func refusalOfSignature(_ number: UInt64) async -> DeviceRefusal? {
        await refusal { () async throws(DeviceRefusal) in
            _ = try await device.store.sign([1], with: name(number, .deviceKey))
        }
    }

    func refusal(_ body: () async throws(DeviceRefusal) -> Void) async -> DeviceRefusal? {
        do throws(DeviceRefusal) {
            try await body()
            return nil
        } catch {
            return error
        }
    }
}

// The vault.
extension App {
    var policy: VaultPolicy { VaultPolicy.wallet.allowing(carrier.assurance) }

    /// Makes a vault with a wallet in it, unlocked.
    func makeVault(biometrics: Bool = true) async throws -> Vault {
        let creation = try await Vault.create(
            in: vaultPath,
            device: device,
            secret: SecretBytes(text: Self.pin),
            policy: policy,
            biometrics: biometrics ? BiometricConsent(ownerAgreedAt: device.clock()) : nil,
            configuration: TestVault.configuration()
        )
        if let failure = creation.biometricsFailure { throw failure }
        try await creation.vault.addWallet(named: WalletName("Savings"), .opaque(SecretBytes(text: "many words")))
        return creation.vault
    }

    func openVault() async throws(VaultError) -> Vault {
        try await Vault.open(in: vaultPath, device: device, configuration: TestVault.configuration())
    }

    /// The code of the error that `body` ends with; nil when it ends well.
    func failure<R: ~Copyable>(_ body: () async throws -> R) async -> ErrorCode? {
        do {
            _ = try await body()
            return nil
        } catch let error as VaultError {
            return error.code
        } catch {
            Issue.record("an error that is not the library's: \(error)")
            return nil
        }
    }
}

extension Vault {
    @discardableResult
    func unlockWithPIN() async throws(VaultError) -> StrongAuthorization {
        try await unlock(with: SecretBytes(text: App.pin))
    }

    func unlockWithFinger() async throws(VaultError) { try await unlockWithBiometrics(App.text) }

    /// Whether the vault is unlocked, and its wallet is what was put in.
    var isWhole: Bool {
        get async throws {
            guard snapshot.state == .unlocked(.full), let wallet = try await wallets().first else { return false }
            return try await withSecret(of: wallet.id) { _, bytes in bytes.exposedText } == "many words"
        }
    }
}

extension SecretBytes {
    /// 32 bytes that count.
    static var sample: SecretBytes {
        unsafe SecretBytes(byteCount: 32) { buffer in
            for index in buffer.indices { unsafe buffer[index] = UInt8(truncatingIfNeeded: index) }
        }
    }
}

extension Phone {
    /// Prompts that ask who is there; the alert that asks for a permission is another thing.
    var promptsShown: Int { prompts.count { $0.origin != .permission } }

    /// The rows of the app, but those that say nothing of an item.
    var itemRows: [Row] { rows.filter { $0.service != "thumbturn.canary" && $0.service != "thumbturn.installation" } }

    /// The rows of items but the trail's, which a reset leaves.
    var rowsBesideTrail: [Row] {
        itemRows.filter { row in
            let name = row.account ?? ""
            return !name.contains(".trail.") && !name.contains(".device-key.")
        }
    }
}

extension Row {
    var service: String? { text("svce") }
    var account: String? { text("acct") }

    func text(_ name: String) -> String? {
        guard case .text(let text) = attributes[name] else { return nil }
        return text
    }
}
