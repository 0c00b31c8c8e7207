package import ThumbturnCrypto
package import ThumbturnRules

/// What the envelope of an account holds: its keys, and which device wrapped its PASSWORD slot under which of them.
///
/// A device that was away when keys changed still needs a former one, once, at its next login; so a former key stays until no
/// device can need it any more. Each operation gives a new value, to be sealed and put in the place of the one that was read.
package struct AccountEnvelope: ~Copyable, Sendable {
    /// How many former keys there may be beside the newest.
    package static let mostFormerKeys = 32
    /// How many devices may be noted; the service lists 100 at most.
    package static let mostDevices = 128

    /// The keys, the newest first.
    package let keys: AccountKeys
    /// The name of the key under which a device wrapped its slot.
    package let wrapped: [Identifier: Identifier]

    /// - Throws: `.devicesLag` for more than the envelope has room for, and `.keyMissing` for a key that is not there.
    init(keys: consuming AccountKeys, wrapped: [Identifier: Identifier]) throws(AccountFailure) {
        guard keys.names.count <= Self.mostFormerKeys + 1, wrapped.count <= Self.mostDevices else { throw .devicesLag }
        guard wrapped.values.allSatisfy(keys.names.contains) else { throw .keyMissing }
        self.keys = keys
        self.wrapped = wrapped
    }

    /// The first of an account: one key, under which one device wraps its slot.
    package static func first(for device: Identifier) throws(AccountFailure) -> AccountEnvelope {
        let keys = AccountKeys.make()
        return try AccountEnvelope(wrapped: [device: keys.newest], keys: keys)
    }

    private init(wrapped: [Identifier: Identifier], keys: consuming AccountKeys) throws(AccountFailure) {
        try self.init(keys: keys, wrapped: wrapped)
    }

    /// Notes that a device wrapped its slot under a key.
    ///
    /// - Throws: `.keyMissing` for a key that is not here, `.devicesLag` where there is no room for one device more.
    package borrowing func noting(
        _ device: Identifier,
        wrappedUnder key: Identifier
    ) throws(AccountFailure) -> AccountEnvelope {
        var wrapped = wrapped
        wrapped[device] = key
        return try AccountEnvelope(keys: keys.keeping { _ in true }, wrapped: wrapped)
    }

    /// Makes a new key the newest, for a new password or because a device was revoked.
    ///
    /// - Throws: `.devicesLag` where 32 former keys are kept already: who lags has to log in or be revoked.
    package borrowing func changing() throws(AccountFailure) -> AccountEnvelope {
        try AccountEnvelope(keys: keys.withNewKey(), wrapped: wrapped)
    }

    /// Forgets devices.
    package borrowing func withoutDevices(
        where isGone: (Identifier) -> Bool
    ) throws(AccountFailure) -> AccountEnvelope {
        try AccountEnvelope(keys: keys.keeping { _ in true }, wrapped: wrapped.filter { !isGone($0.key) })
    }

    /// Drops the former keys that no device needs any more.
    ///
    /// A slot is sealed before its note is put, so a device may need a newer key than the one it is noted under: what is newer
    /// than the oldest that is noted stays. Where a listed device is not noted at all nobody knows which key it needs, and
    /// nothing is dropped.
    package borrowing func dropping(whenListed listed: [Identifier]) throws(AccountFailure) -> AccountEnvelope {
        let areAllNoted = listed.allSatisfy { wrapped[$0] != nil }
        let oldest = wrapped.values.compactMap { keys.names.firstIndex(of: $0) }.max() ?? 0
        let needed = Set(keys.names.prefix(oldest + 1))
        return try AccountEnvelope(keys: keys.keeping { !areAllNoted || needed.contains($0) }, wrapped: wrapped)
    }

    /// Gives up the keys, for who needs nothing else.
    package consuming func takeKeys() -> AccountKeys { keys }
}

extension AccountKeys {
    /// The same keys but those that are not kept; the newest has to be.
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

    /// The same keys behind a new one.
    fileprivate borrowing func withNewKey() throws(AccountFailure) -> AccountKeys {
        let new = AccountKeys.make()
        return try computing { () throws(CryptoError) in
            try AccountKeys(names: new.names + names, bytes: .concatenating(new.bytes, bytes))
        }
    }
}
