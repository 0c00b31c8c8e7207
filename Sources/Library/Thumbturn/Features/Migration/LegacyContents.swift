import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// What a former app sealed under a PIN, read once: what is opened is what the vault later erases.
final class LegacyContents: Sendable {
    let migration: LegacyMigration
    let sealed: LegacySealed
    /// SHA-256 of all its bytes.
    let digest: [UInt8]

    private init(migration: LegacyMigration, sealed: LegacySealed, digest: [UInt8]) {
        (self.migration, self.sealed, self.digest) = (migration, sealed, digest)
    }

    /// Reads and parses it.
    ///
    /// - Returns: nil when it is certain that there is nothing.
    static func read(_ migration: LegacyMigration) async throws(VaultError) -> LegacyContents? {
        guard let bytes = try await readSealed(migration) else { return nil }
        return LegacyContents(migration: migration, sealed: try LegacySealed(reading: bytes), digest: digest(of: bytes))
    }

    /// The same where there has to be something.
    static func require(_ migration: LegacyMigration?) async throws(VaultError) -> LegacyContents {
        guard let migration, let former = try await read(migration) else { throw VaultError(.legacyMissing) }
        return former
    }

    /// The same of many, which the vault does not wait for one by one: a way there and back costs as much as a wallet.
    ///
    /// - Parameter besideRemains: whether what an interrupted erase left is told apart, since no wallet lies in it.
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

    /// Reads what is sealed under the PIN; nil when it is certain that there is nothing.
    static func readSealed(_ migration: LegacyMigration) async throws(VaultError) -> SecretBytes? {
        do { return try await migration.wallet.readSealed() } catch .absent {
            return nil  // Another process erased it since it was found.
        } catch {
            throw VaultError(error, at: .errand("the former wallet"))
        }
    }

    /// Tells what lies behind biometrics; nil when it is certain that there is nothing.
    static func findBiometric(_ migration: LegacyMigration) async throws(VaultError) -> LegacyBiometric? {
        do { return try await migration.wallet.findBiometric() } catch {
            throw VaultError(error, at: .errand("the former wallet"))
        }
    }

    /// What is sealed under the former PIN: still what was taken over, or something that the former app sealed since then.
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

    /// Erases what a vault took over.
    ///
    /// - Returns: how many are gone, and why the last one of the others is not.
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
            case .mnemonic?: throw .unclassified  // Nobody has compared it.
            case .pin?:
                // It may be the only PIN of what was sealed since then.
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

    /// Names a wallet within a vault, so that two copies are recognised as one; no digest reveals 128 random bits or more.
    ///
    /// - Parameter digest: the SHA-256 of its entropy.
    static func fingerprint(_ digest: [UInt8], in vault: Identifier) -> [UInt8] {
        SHA256.digest(Array("thumbturn.v1.former-wallet".utf8), vault.bytes, digest)
    }

    /// Opens it; see `LegacySealed.open`.
    func open(with secret: borrowing SecretBytes) throws(VaultError) -> SecretBytes {
        try sealed.open(with: secret, argon2id: migration.argon2id, as: migration.kind)
    }

    /// The entropy of a mnemonic that a former app kept as it is.
    static func entropy(of mnemonic: borrowing SecretBytes) throws(VaultError) -> SecretBytes {
        do throws(VaultError) {
            return try Mnemonic.entropy(of: mnemonic)
        } catch {
            throw VaultError(error.code == .mnemonicChecksumWrong ? .legacyChecksumWrong : .legacyMalformed)
        }
    }
}
