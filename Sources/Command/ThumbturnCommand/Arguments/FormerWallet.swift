import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnSimulator

/// What `simulate legacy` stores on the simulated device, as another app would have.
///
/// A mnemonic protected by a finger and one sealed under a PIN, both publicly known.
enum FormerWallet: String, Hashable, Sendable, CaseIterable {
    /// One wallet, under a PIN that the vault accepts as its own.
    case wallet
    /// One wallet, under a PIN that our rules refuse.
    case weakPIN = "weak-pin"
    /// Two wallets: one protected by the finger, the other sealed under the PIN.
    case twoWallets = "two-wallets"

    var pin: String { self == .weakPIN ? "123456" : "571923" }

    /// The mnemonic protected by the finger.
    private var mnemonic: String {
        self == .twoWallets
            ? "letter advice cage absurd amount doctor acoustic avoid letter advice cage above"
            : "legal winner thank year wave sausage worth useful legal winner thank yellow"
    }

    /// The output of `openssl enc -aes-256-cbc -md md5 -a -A` for "legal winner…".
    private var sealed: String {
        self == .weakPIN
            ? """
            U2FsdGVkX1/T2v3ViD4OkgNA8H6iyp0KG8rTJG7a+4bcDJ+CpJjpbm4SqTr+YXfaONKxUjS8J4DsckWkpfUAXs9kYSZy8a2leyBgUAd9b0C0\
            +qSM7mrfFFzqGJeMFDfw
            """
            : """
            U2FsdGVkX1+a4qUXsyq8StkUhuFF0sJlEPl5B6cC3Ft4TKrNT11F/9K5v7kw3qoEXobVJWOjZUCns14xOgA5RVM4CY9jpuFO9Opwkali88gI\
            UOTLdNpL5QHHhfRsASdr
            """
    }

    private static let sealedItem = ItemName(former: "former-app.mnemonic")
    private static let biometricItem = ItemName(former: "former-app.mnemonic-bio")

    /// Stores the wallet on a device, replacing any former one.
    func leave(on device: Device) async throws(DeviceRefusal) {
        guard let sealedItem = Self.sealedItem, let biometricItem = Self.biometricItem else { return }
        for item in [sealedItem, biometricItem] { try await device.store.delete(item) }
        try await device.store.save(SecretBytes(utf8: sealed), as: sealedItem, access: .deviceOnly)
        try await device.store.save(SecretBytes(utf8: mnemonic), as: biometricItem, access: .currentBiometrySet)
    }

    /// Returns the migration into a vault; `nil` if the device has no former wallet.
    ///
    /// An item that a vault still has to erase may be elsewhere: looked up here, it would seem to be gone.
    static func migration(on device: Device, _ words: PromptText) async -> LegacyMigration? {
        guard device.kind == .simulated, let sealedItem, let name = try? WalletName("Former") else { return nil }
        guard let found = try? await device.store.describe(sealedItem), found.access == .deviceOnly else { return nil }
        return LegacyMigration(
            of: LegacyItems(in: device.store, sealed: sealedItem, biometric: biometricItem),
            named: name,
            policy: .wallet.allowing(.simulated),
            prompt: words
        )
    }
}

extension SecretBytes {
    fileprivate init(utf8 text: String) {
        let bytes = Array(text.utf8)
        unsafe self.init(byteCount: bytes.count) { unsafe $0.copyBytes(from: bytes) }
    }
}
