import Testing
@testable import Thumbturn
@testable import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnTestKit

/// Every secret of a vault, derived again from its files, its device and the PIN, as whoever has all three could.
///
/// They lie in plain arrays: this is what the scan looks for. The file lies in the tests of Android too, as a link.
struct DerivedSecrets {
    private(set) var all: [String: [UInt8]] = [:]
    /// What the device released for that; each is worth nothing without the vault's files.
    private(set) var released: [String: [UInt8]] = [:]

    /// Derives the secrets of the vault in a folder.
    ///
    /// - Parameters:
    ///   - limits: the cost of its PIN.
    ///   - mnemonic: what the vault's one wallet holds, if it has one.
    ///   - touch: puts the owner's finger on the sensor.
    init(
        of folder: String,
        on device: Device,
        limits: Argon2Limits,
        pin: [UInt8],
        mnemonic: [UInt8]? = nil,
        touch: () throws -> Void
    ) async throws {
        let store = try VaultStore(openingIn: folder, vfs: nil)
        defer { store.close() }
        let slots = try store.contents().slots.map { try SlotRecord(parsing: $0.record) }
        for slot in slots where slot.kind == .biometric {
            try touch()
            try await add(slot, of: device)
        }
        let slot = try #require(slots.first { $0.kind == .localSecret })
        let stretched = try StretchedSecret(
            stretching: Self.secret(pin),
            salt: slot.salt,
            parameters: try #require(slot.argon2),
            limits: limits
        )
        let share = try await device.store.evaluate(#require(slot.item), input: slot.shareInput)
        released["share of the PIN's key"] = Self.bytes(share)
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

    private mutating func add(_ slot: SlotRecord, of device: Device) async throws {
        let read = try await device.store.read(#require(slot.item), prompt: TestVault.words)
        released["secret of the finger's item"] = Self.bytes(read)
        let key = KeyEncryptionKey(secret: try RandomSecret(loading: read), salt: slot.salt, purpose: slot.purpose)
        all["key of the biometric slot"] = Self.bytes(key.bytes)
    }

    private static func secret(_ bytes: [UInt8]) -> SecretBytes {
        unsafe SecretBytes(byteCount: bytes.count) { buffer in unsafe buffer.copyBytes(from: bytes) }
    }

    private static func bytes(_ secret: borrowing SecretBytes) -> [UInt8] {
        secret.withBytes { $0.exposed }
    }
}
