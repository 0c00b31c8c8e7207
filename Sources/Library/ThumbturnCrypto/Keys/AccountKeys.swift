package import ThumbturnRules

/// The keys in an account's envelope.
///
/// Each wraps the PASSWORD slots of the devices that logged in since it was made, and opens no vault without the
/// device.
package struct AccountKeys: ~Copyable, Sendable {
    /// The length of each key in bytes.
    package static let keyByteCount = 32

    /// The names of the keys, newest first.
    package let names: [Identifier]
    /// The concatenated keys.
    package let bytes: SecretBytes

    /// Creates the keys from their concatenation.
    ///
    /// - Throws: `.malformed` if there are not 32 bytes for each name, there is no name, or a name is repeated.
    package init(names: [Identifier], bytes: consuming SecretBytes) throws(CryptoError) {
        guard !names.isEmpty, bytes.byteCount == names.count * Self.keyByteCount, Set(names).count == names.count
        else { throw .malformed }
        self.names = names
        self.bytes = bytes
    }

    /// Generates the first key of an account.
    package static func make() -> AccountKeys { AccountKeys(known: [.make()], bytes: .random(byteCount: keyByteCount)) }

    private init(known names: [Identifier], bytes: consuming SecretBytes) {
        self.names = names
        self.bytes = bytes
    }

    /// Duplicates the keys for a second owner.
    package borrowing func copy() -> AccountKeys { AccountKeys(known: names, bytes: bytes.copy()) }

    /// The name of the key for new slots.
    package var newest: Identifier { names[0] }

    /// Returns a copy of a key; nil for an unknown name.
    package borrowing func key(_ name: Identifier) -> RandomSecret? {
        guard let index = names.firstIndex(of: name) else { return nil }
        return bytes.withBytes { all in
            let start = index * Self.keyByteCount
            return try? RandomSecret(loading: SecretBytes(copying: all.extracting(start..<(start + Self.keyByteCount))))
        }
    }
}
