package import ThumbturnCrypto
package import ThumbturnRules

// A device key in software, with the errors of `DeviceKeyStore`.
extension P256PrivateKey {
    /// Makes a key.
    ///
    /// - Throws: `.unavailable`.
    package static func makeForDevice() throws(DeviceRefusal) -> P256PrivateKey {
        do { return try make() } catch { throw .unavailable }
    }

    /// Creates the key from a stored scalar; the store's own copy stays.
    ///
    /// - Throws: `.damaged` for an invalid scalar: damage is no evidence that a key is gone (A25).
    package init(keptByDevice scalar: borrowing SecretBytes) throws(DeviceRefusal) {
        do { self = try P256PrivateKey(scalar: scalar.copy()) } catch {
            throw error == .outOfMemory ? .unavailable : .damaged
        }
    }

    /// Signs `message`.
    ///
    /// - Throws: `.unavailable`.
    package borrowing func signature(forDevice message: [UInt8]) throws(DeviceRefusal) -> [UInt8] {
        do { return try sign(message) } catch { throw .unavailable }
    }
}
