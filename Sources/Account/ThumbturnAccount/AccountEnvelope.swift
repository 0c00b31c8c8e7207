package import ThumbturnCrypto
package import ThumbturnRules

/// The contents of an account's envelope: its keys, and the key under which each device wrapped its PASSWORD slot.
///
/// A device that was offline during a key change needs a former key once, at its next login; so a former key is kept
/// until no device can need it. Each operation returns a new value, to be sealed and stored in place of the one that
/// was read.
package struct AccountEnvelope: ~Copyable, Sendable {
    /// The maximum number of former keys besides the newest.
    package static let mostFormerKeys = 32
    /// The maximum number of devices; the service lists at most 100.
    package static let mostDevices = 128

    /// The keys, newest first.
    package let keys: AccountKeys
    /// The name of the key under which each device wrapped its slot.
    package let wrapped: [Identifier: Identifier]

    /// - Throws: `.devicesLag` if the envelope lacks room, and `.keyMissing` if a device's key is not in `keys`.
    init(keys: consuming AccountKeys, wrapped: [Identifier: Identifier]) throws(AccountFailure) {
        guard keys.names.count <= Self.mostFormerKeys + 1, wrapped.count <= Self.mostDevices else { throw .devicesLag }
        guard wrapped.values.allSatisfy(keys.names.contains) else { throw .keyMissing }
        self.keys = keys
        self.wrapped = wrapped
    }

    /// Returns the first envelope of an account: one key, under which one device wraps its slot.
    package static func first(for device: Identifier) throws(AccountFailure) -> AccountEnvelope {
        let keys = AccountKeys.make()
        return try AccountEnvelope(wrapped: [device: keys.newest], keys: keys)
    }

    private init(wrapped: [Identifier: Identifier], keys: consuming AccountKeys) throws(AccountFailure) {
        try self.init(keys: keys, wrapped: wrapped)
    }

    /// Records the key under which a device wrapped its slot.
    ///
    /// - Throws: `.keyMissing` if the key is not in the envelope, `.devicesLag` if there is no room for another device.
    package borrowing func noting(
        _ device: Identifier,
        wrappedUnder key: Identifier
    ) throws(AccountFailure) -> AccountEnvelope {
        var wrapped = wrapped
        wrapped[device] = key
        return try AccountEnvelope(keys: keys.keeping { _ in true }, wrapped: wrapped)
    }

    /// Adds a new newest key, for a new password or because a device was revoked.
    ///
    /// - Throws: `.devicesLag` if there are already 32 former keys: the lagging devices have to log in or be revoked.
    package borrowing func changing() throws(AccountFailure) -> AccountEnvelope {
        try AccountEnvelope(keys: keys.withNewKey(), wrapped: wrapped)
    }

    /// Removes devices.
    package borrowing func withoutDevices(
        where isGone: (Identifier) -> Bool
    ) throws(AccountFailure) -> AccountEnvelope {
        try AccountEnvelope(keys: keys.keeping { _ in true }, wrapped: wrapped.filter { !isGone($0.key) })
    }

    /// Removes the former keys that no device needs any more.
    ///
    /// A slot is sealed before the envelope records it, so a device may need a newer key than the recorded one: all
    /// keys newer than the oldest recorded one are kept. If a listed device is not recorded at all, the key it needs is
    /// unknown, and nothing is removed.
    package borrowing func dropping(whenListed listed: [Identifier]) throws(AccountFailure) -> AccountEnvelope {
        let areAllNoted = listed.allSatisfy { wrapped[$0] != nil }
        let oldest = wrapped.values.compactMap { keys.names.firstIndex(of: $0) }.max() ?? 0
        let needed = Set(keys.names.prefix(oldest + 1))
        return try AccountEnvelope(keys: keys.keeping { !areAllNoted || needed.contains($0) }, wrapped: wrapped)
    }

    /// Returns the keys, and discards the rest.
    package consuming func takeKeys() -> AccountKeys { keys }
}

extension AccountKeys {
    /// Returns only the keys to keep, which must include the newest.
    fileprivate borrowing func keeping(_ isKept: (Identifier) -> Bool) throws(AccountFailure) -> AccountKeys {
        let kept = names.indices.filter { isKept(names[$0]) }
        let count = Self.keyByteCount
        let bytes = bytes.withBytes { all in
            unsafe SecretBytes(byteCount: kept.count * count) { target in
                for (position, index) in kept.enumerated() {
                    let key = unsafe UnsafeMutableRawBufferPointer(
                        rebasing: target[position * count..<(position + 1) * count]
                    )
                    unsafe all.extracting(index * count..<(index + 1) * count).withUnsafeBytes {
                        unsafe key.copyMemory(from: $0)
                    }
                }
            }
        }
        do throws(CryptoError) { return try AccountKeys(names: kept.map { names[$0] }, bytes: bytes) } catch {
            throw .crypto(error)
        }
    }

    /// Returns the keys with a new one in front.
    fileprivate borrowing func withNewKey() throws(AccountFailure) -> AccountKeys {
        let new = AccountKeys.make()
        return try computing { () throws(CryptoError) in
            try AccountKeys(names: new.names + names, bytes: .concatenating(new.bytes, bytes))
        }
    }
}
