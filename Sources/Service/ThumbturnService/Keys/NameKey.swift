package import ThumbturnCrypto

/// The key of names: 32 random bytes, created once, the same for all instances, and never rotated.
///
/// The hash that finds an account and every answer about an unknown name depend on it, so they never change.
package struct NameKey: Sendable {
    private let secret: HeldSecret

    /// Reads the name key from the database; in a new database, creates it and makes the file's newest key the sealing
    /// key.
    ///
    /// - Throws: `.keyMissing` if the file does not belong to the database.
    package static func establish(in store: any Store, _ keys: ServiceKeys) throws(StoreError) -> NameKey {
        // Opened in the transaction: behind it a rotation may have removed the box's key from the file.
        let secret = try store.transaction { transaction throws(StoreError) in
            if let row = try transaction.row("SELECT value FROM keys WHERE purpose = 'name'") {
                return HeldSecret(try keys.open(try row.blob(0), .nameKey))
            }
            let sealer = Sealer(key: try keys.newest())
            let secret = SecretBytes.random(byteCount: 32)
            let box = try sealer.seal(secret, .nameKey)
            let insertion: StaticString = "INSERT INTO keys (purpose, value) VALUES ($1, $2)"
            try transaction.run(insertion, .text("sealing"), .blob(sealer.key.identifier.bytes))
            try transaction.run(insertion, .text("name"), .blob(box))
            return HeldSecret(secret)
        }
        return NameKey(secret: secret)
    }

    /// Returns a tag of 32 bytes that can't be computed without the key: HMAC-SHA256 of `purpose` ‖ 0x00 ‖ `message`.
    ///
    /// - Parameter purpose: a plain name, such as `account`, without a zero byte.
    package func tag(_ purpose: StaticString, _ message: [UInt8]) -> [UInt8] {
        HMACSHA256.tag(Self.input(purpose, message), key: secret.bytes)
    }

    /// Returns the tag as a secret, for deriving further values.
    package func secret(_ purpose: StaticString, _ message: [UInt8]) -> SecretBytes {
        HMACSHA256.secret(of: Self.input(purpose, message), key: secret.bytes)
    }

    private static func input(_ purpose: StaticString, _ message: [UInt8]) -> [UInt8] {
        Array(purpose.description.utf8) + [0] + message
    }
}

extension NameKey {
    /// Returns whether the database already has a name key, and so requires its service key.
    package static func isEstablished(in store: any Store) throws(StoreError) -> Bool {
        try store.reading { transaction throws(StoreError) in
            try transaction.row("SELECT purpose FROM keys WHERE purpose = 'name'") != nil
        }
    }
}
