import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// Data that a former app sealed under a PIN, read once: what is opened is what the vault later erases.
final class LegacyContents: Sendable {
    let migration: LegacyMigration
    let sealed: LegacySealed
    /// SHA-256 of all bytes of the sealed data.
    let digest: [UInt8]

    private init(migration: LegacyMigration, sealed: LegacySealed, digest: [UInt8]) {
        (self.migration, self.sealed, self.digest) = (migration, sealed, digest)
    }

    /// Reads and parses the sealed data.
    ///
    /// - Returns: nil when there is certainly none.
    static func read(_ migration: LegacyMigration) async throws(VaultError) -> LegacyContents? {
        guard let bytes = try await readSealed(migration) else { return nil }
        return LegacyContents(migration: migration, sealed: try LegacySealed(reading: bytes), digest: digest(of: bytes))
    }

    /// Reads sealed data that must exist.
    static func require(_ migration: LegacyMigration?) async throws(VaultError) -> LegacyContents {
        guard let migration, let former = try await read(migration) else { throw VaultError(.legacyMissing) }
        return former
    }

    /// Reads many wallets, without switching to the vault's actor for each: a round trip costs as much as a wallet.
    ///
    /// - Parameter besideRemains: whether to list the remains of an interrupted erase separately, since they contain no
    ///   wallet.
    static func read(
        _ migrations: [LegacyMigration],
        besideRemains: Bool
    ) async throws(VaultError) -> (formers: [LegacyContents], remains: [LegacyMigration]) {
        var formers: [LegacyContents] = []
        var remains: [LegacyMigration] = []
        for migration in migrations {
            if besideRemains, try await readSealed(migration)?.isBlank == true {
                remains.append(migration)
            } else {
                formers.append(try await require(migration))
            }
        }
        return (formers, remains)
    }

    /// Reads what is sealed under the PIN; returns nil when there is certainly nothing.
    static func readSealed(_ migration: LegacyMigration) async throws(VaultError) -> SecretBytes? {
        do { return try await migration.wallet.readSealed() } catch .absent {
            return nil  // Another process erased it since it was found.
        } catch {
            throw VaultError(error, at: .errand("the former wallet"))
        }
    }

    /// Returns what is stored behind biometrics; nil when there is certainly nothing.
    static func findBiometric(_ migration: LegacyMigration) async throws(VaultError) -> LegacyBiometric? {
        do { return try await migration.wallet.findBiometric() } catch {
            throw VaultError(error, at: .errand("the former wallet"))
        }
    }

    /// Compares what is sealed under the former PIN with what was migrated: the former app may have sealed something
    /// else since.
    static func copy(
        of migration: LegacyMigration,
        marked mark: [UInt8]
    ) async throws(VaultError) -> MigrationMachine.Copy {
        do throws(VaultError) {
            guard let bytes = try await readSealed(migration) else { return .absent }
            return bytes.isBlank || digest(of: bytes) == mark ? .same : .other
        } catch {
            throw VaultError(.legacyNotErased, error.diagnostic)
        }
    }

    /// Erases the data that a vault has taken over.
    ///
    /// - Returns: how many are gone, and why the last of the others is not.
    static func erase(_ formers: [LegacyContents]) async -> (count: Int, failure: VaultError?) {
        var count = 0
        var failure: VaultError?
        for former in formers {
            do throws(VaultError) {
                try await former.erase()
                count += 1
            } catch {
                failure = error
            }
        }
        return (count, failure)
    }

    private func erase() async throws(VaultError) {
        let wallet = migration.wallet
        do throws(DeviceRefusal) {
            switch try await wallet.findBiometric() {
            case .mnemonic?: throw .unclassified  // It was not compared with the vault's wallets.
            case .pin?:
                // It may be the only PIN for data that was sealed since then.
                let bytes = try await wallet.readSealed()
                if let bytes, !bytes.isBlank, Self.digest(of: bytes) != digest { throw .unclassified }
                try await wallet.eraseBiometric()
            case nil: break
            }
            try await wallet.eraseSealed(digest: digest)
        } catch {
            throw VaultError(error, at: .eraseLegacy)
        }
    }

    static func digest(of bytes: borrowing SecretBytes) -> [UInt8] { bytes.withBytes { SHA256.digest($0) } }

    /// Returns the id of a wallet within a vault, to recognise copies; a digest of at least 128 random bits reveals
    /// nothing.
    ///
    /// - Parameter digest: the SHA-256 of its entropy.
    static func fingerprint(_ digest: [UInt8], in vault: Identifier) -> [UInt8] {
        SHA256.digest(Array("thumbturn.v1.former-wallet".utf8), vault.bytes, digest)
    }

    /// Opens the sealed data; see `LegacySealed.open`.
    func open(with secret: borrowing SecretBytes) throws(VaultError) -> SecretBytes {
        try sealed.open(with: secret, argon2id: migration.argon2id, as: migration.kind)
    }

    /// Returns the entropy of a mnemonic that a former app stored as text.
    static func entropy(of mnemonic: borrowing SecretBytes) throws(VaultError) -> SecretBytes {
        do throws(VaultError) {
            return try Mnemonic.entropy(of: mnemonic)
        } catch {
            throw VaultError(error.code == .mnemonicChecksumWrong ? .legacyChecksumWrong : .legacyMalformed)
        }
    }
}
