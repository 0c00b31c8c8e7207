import Foundation
package import Thumbturn
package import ThumbturnSimulator
@_spi(InsecureTestParameters) import ThumbturnCrypto
package import ThumbturnDevice
package import ThumbturnRules

/// A simulated device with a former app's wallet, and a folder without a vault.
package struct FormerApp: Sendable {
    package static let pin = "571923"
    package static let wrongPIN = "640285"
    /// A PIN that our rules refuse.
    package static let weakPIN = "123456"
    package static let words = "legal winner thank year wave sausage worth useful legal winner thank yellow"
    package static let otherWords = "letter advice cage absurd amount doctor acoustic avoid letter advice cage above"
    package static let prompt = PromptText(reason: "Read the former wallet")

    /// The output of `openssl enc -aes-256-cbc -md md5 -a -A` for the words.
    package enum Sealed: String, Sendable, CaseIterable {
        /// `words` under `pin`.
        case first =
            """
            U2FsdGVkX1+a4qUXsyq8StkUhuFF0sJlEPl5B6cC3Ft4TKrNT11F/9K5v7kw3qoEXobVJWOjZUCns14xOgA5RVM4CY9jpuFO9Opwkali88gI\
            UOTLdNpL5QHHhfRsASdr
            """
        /// `words` under `pin` with another salt.
        case again =
            """
            U2FsdGVkX1/UBZe79Mr1BPznUUjrPYQ9s1ooomxU+SJBKNXuiYFzAlIhbiZDz/OHuAEFTpbUwKX8Do5fQyOxpDaMr1EdhCl/tTJ8RrfuGoyX\
            izWj5pTUNlNY7N9ddsvx
            """
        /// `otherWords` under `pin`.
        case other =
            """
            U2FsdGVkX1+l8zOlvmHPXbQLBwEeEYiofK9g/mRNlHjKm9ikmzl2SL3ugoRyTcN5jcTETF5ZhQaMho1a3OexQM0BR8NthtkD0CSG9rRAOtYC\
            leKFSFurrSI0e8hjOboC
            """
        /// `words` under `weakPIN`.
        case weak =
            """
            U2FsdGVkX1/T2v3ViD4OkgNA8H6iyp0KG8rTJG7a+4bcDJ+CpJjpbm4SqTr+YXfaONKxUjS8J4DsckWkpfUAXs9kYSZy8a2leyBgUAd9b0C0\
            +qSM7mrfFFzqGJeMFDfw
            """
        /// BIP-39 words that are not a valid mnemonic, under `pin`.
        case badChecksum =
            """
            U2FsdGVkX18GvZwagBgR4HaJkMH5m+OtqHvfw6EKTccbv7QBDgyN2ZUvnybL843EnswF8MRgeeO+v9w6+0v7ZTUPaIET7/KtIv4FaCssLWQ5\
            N/IaznoFO++YJTNsmCzw
            """
    }

    package let folder: TemporaryFolder
    package let simulated: SimulatedDevice
    package let log = EventLog()
    package var policy = TestVault.policy
    /// What the former app stored behind biometrics.
    package var holds = LegacyBiometric.mnemonic

    package var path: String { folder.file("vault") }
    package var device: Device { simulated.silent }

    /// Creates the device.
    ///
    /// - Parameters:
    ///   - sealed: the item sealed under the PIN.
    ///   - biometric: the item behind biometrics.
    package init(
        sealed: Sealed? = .first,
        biometric: String? = nil,
        holding holds: LegacyBiometric = .mnemonic,
        on simulated: SimulatedDevice = SimulatedDevice()
    ) async throws {
        folder = try TemporaryFolder()
        self.simulated = simulated
        self.holds = holds
        if let sealed { try await store(sealed.rawValue) }
        if let biometric {
            try await simulated.save(SecretBytes(text: biometric), as: Self.biometricItem, access: .currentBiometrySet)
        }
    }

    /// The name of the item sealed under the PIN.
    package static var sealedItem: ItemName { name("former-app.mnemonic") }
    /// The name of the item behind biometrics.
    package static var biometricItem: ItemName { name("former-app.mnemonic-bio") }

    /// Returns the name of an item of the former app.
    package static func name(_ text: String) -> ItemName {
        guard let name = ItemName(former: text) else { preconditionFailure("no name of a former app") }
        return name
    }

    /// Replaces the item sealed under the PIN, as the former app would.
    package func store(_ sealed: String) async throws {
        try await simulated.delete(Self.sealedItem)
        try await simulated.save(SecretBytes(text: sealed), as: Self.sealedItem, access: .deviceOnly)
    }

    package var migration: LegacyMigration { migration(seenAs: device) }

    package func migration(seenAs device: Device) -> LegacyMigration {
        LegacyMigration(
            of: LegacyItems(in: device.store, sealed: Self.sealedItem, biometric: Self.biometricItem, holding: holds),
            named: WalletName(stored: "Former"),
            policy: policy
        )
    }

    package func configuration(seenAs device: Device? = nil, vfs: String? = nil) -> VaultConfiguration {
        var configuration = TestVault.configuration(log)
        configuration.legacy = migration(seenAs: device ?? self.device)
        configuration.vfs = vfs
        return configuration
    }
}

// Actions of the owner in the new app.
extension FormerApp {
    @discardableResult
    package func migrate(
        _ pin: String = pin,
        newPIN: String? = nil,
        consents: Bool = false,
        prompt: PromptText? = nil,
        seenAs device: Device? = nil
    ) async throws -> Vault.Migration {
        let device = device ?? self.device
        return try await Vault.migrate(
            in: path,
            device: device,
            secret: SecretBytes(text: pin),
            newSecret: newPIN.map { SecretBytes(text: $0) },
            biometrics: consents ? BiometricConsent(ownerAgreedAt: device.clock()) : nil,
            prompt: prompt,
            configuration: configuration(seenAs: device)
        )
    }

    @discardableResult
    package func migrateByFinger(
        _ touch: SimulatedTouch? = .match,
        newPIN: String? = nil,
        seenAs device: Device? = nil
    ) async throws -> Vault.Migration {
        if let touch { try simulated.simulate(.finger(touch)) }
        let device = device ?? self.device
        return try await Vault.migrateWithBiometrics(
            in: path,
            device: device,
            prompt: Self.prompt,
            newSecret: newPIN.map { SecretBytes(text: $0) },
            configuration: configuration(seenAs: device)
        )
    }

    /// Opens the migrated vault, as a restarted app would.
    package func open(seenAs device: Device? = nil) async throws -> TestVault {
        let device = device ?? self.device
        let vault = try await Vault.open(in: path, device: device, configuration: configuration(seenAs: device))
        return TestVault(folder: folder, simulated: simulated, device: device, log: log, vault: vault)
    }

    /// Returns a half migrated vault, locked, as a restarted app would see it.
    package func half() async throws -> TestVault {
        try await migrateByFinger().vault.close()
        return try await open()
    }

    /// Whether the item sealed under the PIN and the one behind biometrics still exist.
    package var left: (sealed: Bool, biometric: Bool) {
        get throws {
            let names = try simulated.itemNames()
            return (names.contains(Self.sealedItem.text), names.contains(Self.biometricItem.text))
        }
    }
}

extension TestVault {
    /// Unlocks with this PIN.
    @discardableResult
    package func give(_ pin: String) async throws -> StrongAuthorization {
        try await vault.unlock(with: SecretBytes(text: pin))
    }

    /// Unlocks a locked half migrated vault with the former PIN and then a finger (K-08).
    @discardableResult
    package func complete(_ touch: SimulatedTouch = .match) async throws -> StrongAuthorization {
        try simulated.simulate(.finger(touch))
        return try await give(FormerApp.pin)
    }

    /// Unlocks a locked half migrated vault with the former PIN, giving up the finger.
    @discardableResult
    package func completeWithoutFinger() async throws -> StrongAuthorization {
        try await vault.completeMigration(with: SecretBytes(text: FormerApp.pin), withoutBiometrics: true)
    }

    /// Returns the mnemonics in an open vault, by name.
    package func mnemonics() async throws -> [String: String] {
        var found: [String: String] = [:]
        for wallet in try await vault.wallets() {
            found[wallet.name.text] = try await vault.withSecret(of: wallet.id) { _, entropy in
                let text = try Mnemonic.text(of: SecretBytes(copying: entropy))
                return text.withBytes { $0.exposedText }
            }
        }
        return found
    }
}
