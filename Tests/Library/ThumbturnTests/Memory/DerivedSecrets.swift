import CrashExplorer
import Testing
import ThumbturnSimulator
@testable import Thumbturn
@testable import ThumbturnCrypto
import ThumbturnTestKit

/// Every secret of a vault, derived again from its files, its device and the PIN, as whoever has all three could.
///
/// They lie in plain arrays: this is what the scan looks for.
struct DerivedSecrets {
    private(set) var all: [String: [UInt8]] = [:]

    /// Takes the PIN, and the mnemonic that the vault's one wallet holds, if it has one.
    init(of scene: CrashScene, pin: [UInt8], mnemonic: [UInt8]? = nil) async throws {
        let store = try VaultStore(openingIn: scene.vaultFolder, vfs: nil)
        defer { store.close() }
        let slots = try store.contents().slots.map { try SlotRecord(parsing: $0.record) }
        let limits = scene.configuration.argon2
        for slot in slots where slot.kind == .biometric { try await add(slot, of: scene) }
        let slot = try #require(slots.first { $0.kind == .localSecret })
        let stretched = try StretchedSecret(
            stretching: Self.secret(pin),
            salt: slot.salt,
            parameters: try #require(slot.argon2),
            limits: limits
        )
        let share = try await scene.device.device.store.evaluate(#require(slot.item), input: slot.shareInput)
        let key = KeyEncryptionKey(stretched: stretched, deviceShare: share, salt: slot.salt, purpose: slot.purpose)
        let masterKey = try key.unwrap(slot.box, associatedData: slot.header)
        all["stretched PIN"] = Self.bytes(stretched.bytes)
        all["key of the PIN slot"] = Self.bytes(key.bytes)
        all["master key"] = Self.bytes(masterKey.bytes)
        all["manifest key"] = Self.bytes(masterKey.manifestKey(of: slot.vault))
        all["label key"] = Self.bytes(masterKey.labelKey(of: slot.vault))

        guard let mnemonic else { return }
        all["PIN"] = pin
        all["mnemonic"] = mnemonic
        all["entropy"] = try Self.bytes(Mnemonic.entropy(of: Self.secret(mnemonic)))
        var sealed: [UInt8] = []
        try store.forEachWallet { sealed = $0.secret }
        // The header of 34 bytes and the salt of 32, in the clear.
        let walletKey = masterKey.derive("wallet-key", context: Array(sealed[..<34]), salt: Array(sealed[34..<66]))
        all["wallet key"] = Self.bytes(walletKey)
    }

    private mutating func add(_ slot: SlotRecord, of scene: CrashScene) async throws {
        try scene.device.simulate(.finger(.match))
        let released = try await scene.device.device.store.read(#require(slot.item), prompt: TestVault.words)
        let key = KeyEncryptionKey(secret: try RandomSecret(loading: released), salt: slot.salt, purpose: slot.purpose)
        all["key of the biometric slot"] = Self.bytes(key.bytes)
    }

    private static func secret(_ bytes: [UInt8]) -> SecretBytes {
        unsafe SecretBytes(byteCount: bytes.count) { buffer in unsafe buffer.copyBytes(from: bytes) }
    }

    private static func bytes(_ secret: borrowing SecretBytes) -> [UInt8] {
        secret.withBytes { $0.exposed }
    }
}
