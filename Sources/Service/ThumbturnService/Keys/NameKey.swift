package import ThumbturnCrypto

/// The key of names: 32 random bytes, made once, the same for all instances, and never rotated.
///
/// It makes what an account is found by, and every answer about a name that no account has, so those stay the same for ever.
package struct NameKey: Sendable {
    private let secret: HeldSecret

    /// Takes the name key from the database; in one that is new, makes it, and lets the file's newest key seal.
    ///
    /// - Throws: `.keyMissing` where the file is not the one that belongs to the database.
    package static func establish(in store: any Store, _ keys: ServiceKeys) throws(StoreError) -> NameKey {
        let box = try store.transaction { transaction throws(StoreError) in
            if let row = try transaction.row("SELECT value FROM keys WHERE purpose = 'name'") { return try row.blob(0) }
            let sealer = Sealer(key: try keys.newest())
            let box = try sealer.seal(SecretBytes.random(byteCount: 32), .nameKey)
            let insertion: StaticString = "INSERT INTO keys (purpose, value) VALUES ($1, $2)"
            try transaction.run(insertion, .text("sealing"), .blob(sealer.key.identifier.bytes))
            try transaction.run(insertion, .text("name"), .blob(box))
            return box
        }
        return NameKey(secret: HeldSecret(try keys.open(box, .nameKey)))
    }

    /// A tag of 32 bytes that can't be computed without the key: HMAC-SHA256 of `purpose` ‖ 0x00 ‖ `message`.
    ///
    /// - Parameter purpose: a plain name, such as `account`, without a zero byte.
    package func tag(_ purpose: StaticString, _ message: [UInt8]) -> [UInt8] {
        HMACSHA256.tag(Self.input(purpose, message), key: secret.bytes)
    }

    /// The same as a secret, from which more may be derived.
    package func secret(_ purpose: StaticString, _ message: [UInt8]) -> SecretBytes {
        HMACSHA256.secret(of: Self.input(purpose, message), key: secret.bytes)
    }

    private static func input(_ purpose: StaticString, _ message: [UInt8]) -> [UInt8] {
        Array(purpose.description.utf8) + [0] + message
    }
}

extension NameKey {
    /// Whether the database has one already, and so needs the service key that it belongs to.
    package static func isEstablished(in store: any Store) throws(StoreError) -> Bool {
        try store.reading { transaction throws(StoreError) in
            try transaction.row("SELECT purpose FROM keys WHERE purpose = 'name'") != nil
        }
    }
}
