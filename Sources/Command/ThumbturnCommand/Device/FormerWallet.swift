import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnSimulator

/// What `simulate legacy` leaves on the simulated device, as another app would have.
///
/// A mnemonic behind a finger, and one sealed under a PIN. Everybody knows both.
enum FormerWallet: String, Hashable, Sendable, CaseIterable {
    /// One wallet, under a PIN that the vault takes as its own.
    case wallet
    /// One wallet, under a PIN that our rules refuse.
    case weakPIN = "weak-pin"
    /// Two: one behind the finger, another one under the PIN.
    case twoWallets = "two-wallets"

    /// What opens what is sealed.
    var pin: String { self == .weakPIN ? "123456" : "571923" }

    /// What lies behind the finger.
    private var mnemonic: String {
        self == .twoWallets
            ? "letter advice cage absurd amount doctor acoustic avoid letter advice cage above"
            : "legal winner thank year wave sausage worth useful legal winner thank yellow"
    }

    /// What `openssl enc -aes-256-cbc -md md5 -a -A` made of "legal winner…".
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

    /// Leaves it there, in the place of what lay there.
    func leave(on device: Device) async throws(DeviceRefusal) {
        guard let sealedItem = Self.sealedItem, let biometricItem = Self.biometricItem else { return }
        for item in [sealedItem, biometricItem] { try await device.store.delete(item) }
        try await device.store.save(SecretBytes(utf8: sealed), as: sealedItem, access: .deviceOnly)
        try await device.store.save(SecretBytes(utf8: mnemonic), as: biometricItem, access: .currentBiometrySet)
    }

    /// How it comes into a vault; nil where it does not lie there, or no more.
    ///
    /// What a vault still has to erase may lie elsewhere: looked for here, it would be taken for gone.
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
