import Testing
@testable import Thumbturn
@testable import ThumbturnCrypto
import ThumbturnTestKit

/// Every secret of a vault, derived again from its files, its device and the PIN, as whoever has all three could.
///
/// They lie in plain arrays: this is what the scan looks for.
struct DerivedSecrets {
    private(set) var all: [String: [UInt8]] = [:]

    init(of scene: CrashScene, pin: [UInt8], mnemonic: [UInt8]) async throws {
        all["PIN"] = pin
        all["mnemonic"] = mnemonic
        all["entropy"] = Self.bytes(try Mnemonic.entropy(of: Self.secret(mnemonic)))

        let store = try VaultStore(openingIn: scene.vaultFolder, vfs: nil)
        let slots = try store.contents().slots.map { try SlotRecord(parsing: $0.record) }
        for slot in slots { try await add(slot, of: scene, pin: pin) }
        let local = try #require(slots.first { $0.kind == .localSecret })
        let masterKey = try KeyEncryptionKey(
            stretched: StretchedSecret(
                stretching: Self.secret(pin),
                salt: local.salt,
                parameters: try #require(local.argon2),
                limits: .standard
            ),
            deviceShare: await Self.share(local, scene),
            salt: local.salt,
            purpose: local.purpose
        ).unwrap(local.box, associatedData: local.header)
        all["master key"] = Self.bytes(masterKey.bytes)
        all["manifest key"] = Self.bytes(masterKey.manifestKey(of: local.vault))
        all["label key"] = Self.bytes(masterKey.labelKey(of: local.vault))
        var record: WalletRecord?
        try store.forEachWallet { record = $0 }
        let sealed = try #require(record).secret
        all["wallet key"] = Self.bytes(
            masterKey.derive("wallet-key", context: Array(sealed[..<34]), salt: Array(sealed[34..<66]))
        )
        store.close()
    }

    private mutating func add(_ slot: SlotRecord, of scene: CrashScene, pin: [UInt8]) async throws {
        switch slot.kind {
        case .localSecret:
            let stretched = try StretchedSecret(
                stretching: Self.secret(pin),
                salt: slot.salt,
                parameters: try #require(slot.argon2),
                limits: .standard
            )
            all["stretched PIN"] = Self.bytes(stretched.bytes)
            let key = try await KeyEncryptionKey(
                stretched: stretched,
                deviceShare: Self.share(slot, scene),
                salt: slot.salt,
                purpose: slot.purpose
            )
            all["key of the PIN slot"] = Self.bytes(key.bytes)
        case .biometric:
            try scene.device.simulate(.finger(.match))
            let item = try #require(slot.item)
            let secret = try RandomSecret(
                loading: await scene.device.device.store.read(item, prompt: CrashTransition.prompt)
            )
            let key = KeyEncryptionKey(secret: secret, salt: slot.salt, purpose: slot.purpose)
            all["key of the biometric slot"] = Self.bytes(key.bytes)
        case .recovery:
            break
        }
    }

    private static func share(_ slot: SlotRecord, _ scene: CrashScene) async throws -> SecretBytes {
        let input = Array("thumbturn.v1.pin-slot".utf8) + slot.id.bytes + slot.salt
        return try await scene.device.device.store.evaluate(#require(slot.item), input: input)
    }

    private static func secret(_ bytes: [UInt8]) -> SecretBytes {
        unsafe SecretBytes(byteCount: bytes.count) { buffer in unsafe buffer.copyBytes(from: bytes) }
    }

    private static func bytes(_ secret: borrowing SecretBytes) -> [UInt8] {
        secret.withBytes { bytes in unsafe bytes.withUnsafeBytes { bytes in unsafe Array(bytes) } }
    }
}
