package import ThumbturnCrypto
package import ThumbturnRules

// A device key that software holds, in the words of the seam.
extension P256PrivateKey {
    /// Makes a key.
    ///
    /// - Throws: `.unavailable`.
    package static func makeForDevice() throws(DeviceRefusal) -> P256PrivateKey {
        do { return try make() } catch { throw .unavailable }
    }

    /// Takes the scalar that a store kept; the store's own copy stays.
    ///
    /// - Throws: `.damaged` for one that is no scalar: from damage nobody may conclude that a key is gone (A25).
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
