package import ThumbturnRules

/// Keys by which a service recognises a device: each signs on the device, and never leaves it.
///
/// On a chip, the chip makes the key and signs; elsewhere software does, with a scalar that the store keeps like a
/// device secret. A key is an item of the device: it can be described and deleted, but never read.
package protocol DeviceKeyStore: Sendable {
    /// Makes a key for ECDSA on P-256 with SHA-256.
    ///
    /// - Returns: its public half, SubjectPublicKeyInfo in DER, 91 bytes.
    /// - Throws: `.unavailable`, `.hardwareMissing`; a name that is taken is refused as for an item.
    func makeDeviceKey(_ name: ItemName) async throws(DeviceRefusal) -> [UInt8]

    /// Returns the public half of a key.
    ///
    /// - Throws: `.absent` when the key is confirmed missing, `.damaged`, `.unavailable`.
    func devicePublicKey(_ name: ItemName) async throws(DeviceRefusal) -> [UInt8]

    /// Signs the SHA-256 of `message`.
    ///
    /// - Returns: ECDSA-Sig-Value in DER, as `P256.verify` accepts it.
    /// - Throws: `.absent` when the key is confirmed missing, `.damaged`, `.unavailable`.
    func sign(_ message: [UInt8], with name: ItemName) async throws(DeviceRefusal) -> [UInt8]
}
