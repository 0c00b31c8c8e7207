package import ThumbturnRules

/// The keys of an account, as its envelope holds them: each wraps the PASSWORD slots of the devices that logged in since it was
/// made, and opens no vault without the device.
package struct AccountKeys: ~Copyable, Sendable {
    /// The length of each, in bytes.
    package static let keyByteCount = 32

    /// The names of the keys, the newest first.
    package let names: [Identifier]
    /// All of them, one behind the other.
    package let bytes: SecretBytes

    /// Takes keys as they lie behind one another.
    ///
    /// - Throws: `.malformed` where the bytes are not 32 for each name, there is none, or a name stands twice.
    package init(names: [Identifier], bytes: consuming SecretBytes) throws(CryptoError) {
        guard !names.isEmpty, bytes.byteCount == names.count * Self.keyByteCount, Set(names).count == names.count
        else { throw .malformed }
        self.names = names
        self.bytes = bytes
    }

    /// The first key of an account.
    package static func make() -> AccountKeys {
        AccountKeys(known: [.make()], bytes: .random(byteCount: keyByteCount))
    }

    private init(known names: [Identifier], bytes: consuming SecretBytes) {
        self.names = names
        self.bytes = bytes
    }

    /// Duplicates the keys, for a second owner.
    package borrowing func copy() -> AccountKeys { AccountKeys(known: names, bytes: bytes.copy()) }

    /// The name of the key that slots are sealed under from now on.
    package var newest: Identifier { names[0] }

    /// A key, for as long as its copy is used; nil for a name that is not here.
    package borrowing func key(_ name: Identifier) -> RandomSecret? {
        guard let index = names.firstIndex(of: name) else { return nil }
        return bytes.withBytes { all in
            let start = index * Self.keyByteCount
            return try? RandomSecret(
                loading: SecretBytes(copying: all.extracting(start..<(start + Self.keyByteCount)))
            )
        }
    }
}
