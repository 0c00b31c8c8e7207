package import ThumbturnRules

/// Keys by which a service knows a device: each signs there, and never leaves.
///
/// Where there is a chip, the chip makes the key and signs; elsewhere software does, with what the store keeps as it keeps a
/// device secret. A key is a device's own item: it is described and deleted as one, and never read.
package protocol DeviceKeyStore: Sendable {
    /// Makes a key for ECDSA on P-256 with SHA-256.
    ///
    /// - Returns: its public half, SubjectPublicKeyInfo in DER, 91 bytes.
    /// - Throws: `.unavailable`, `.hardwareMissing`; a name that is taken is refused as it is for an item.
    func makeDeviceKey(_ name: ItemName) async throws(DeviceRefusal) -> [UInt8]

    /// The public half of a key.
    ///
    /// - Throws: `.absent` when the key is confirmed missing, `.damaged`, `.unavailable`.
    func devicePublicKey(_ name: ItemName) async throws(DeviceRefusal) -> [UInt8]

    /// Signs the SHA-256 of `message`.
    ///
    /// - Returns: ECDSA-Sig-Value in DER, as `P256.verify` takes it.
    /// - Throws: `.absent` when the key is confirmed missing, `.damaged`, `.unavailable`.
    func sign(_ message: [UInt8], with name: ItemName) async throws(DeviceRefusal) -> [UInt8]
}
