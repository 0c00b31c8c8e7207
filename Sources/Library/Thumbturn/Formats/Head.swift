import ThumbturnBase
import ThumbturnCrypto
import ThumbturnRules

/// The head of the manifest: what the vault is, its rules, its slots, and the hash of its wallet index.
///
/// Its MAC uses a key derived from the master key. Before the unlock the head is untrusted and only decides what to ask
/// for; it is verified once the master key is open, before a session is published. It does not grow with the number of
/// wallets, so an unlock costs the same with 10 or 10,000.
struct Head: Equatable {
    static let format: UInt8 = 1
    static let maximumSlots: UInt8 = 8

    /// A slot as the head lists it.
    struct Slot: Equatable {
        let id: Identifier
        let kind: SlotKind
        /// SHA-256 of the slot's whole record, so that no older record can take its place.
        let digest: [UInt8]
        /// What guards the slot's secret on this device; nil for a recovery key, which is on no device.
        let assurance: Assurance?
    }

    /// The remaining steps of migrating a former app's wallet (K-07, K-08).
    enum Migration: Equatable {
        /// Only biometrics open the vault; the data that the former app sealed under the PIN, with this SHA-256, is the
        /// other way to the wallet. The second digest tells whether both are the same wallet when the vault's key is
        /// out of reach.
        case half(sealed: [UInt8], wallet: [UInt8])
        /// The vault has its PIN; erase the data that the former app sealed, if its SHA-256 is still this.
        case erasing(sealed: [UInt8])
    }

    var vault: Identifier
    /// The id of the master key.
    var key: Identifier
    var device: DeviceKind
    /// Increases with every committed change.
    var generation: UInt64
    /// The installation of the app that last opened the vault with a strong factor.
    var installation: Identifier
    var policyEpoch: UInt64
    var policy: VaultPolicy
    /// The policy that takes effect at the next strong unlock: a more lenient one that the owner asked for.
    var nextPolicy: VaultPolicy?
    var slots: [Slot]
    /// A commitment to the recovery key that was shown but not typed back yet; it opens nothing; see
    /// `RecoveryKey.commitment`.
    var awaitedRecoveryKey: [UInt8]?
    var walletCount: UInt32
    /// 32 bytes; see `WalletIndex`.
    var walletIndexHash: [UInt8]
    var migration: Migration?
    /// The account whose password opens the vault; nil for a vault with a PIN or password of its own.
    var account: VaultAccount?

    /// Returns whether the head names exactly these wallets.
    func names(_ index: WalletIndex) -> Bool { index.count == Int(walletCount) && index.hash == walletIndexHash }

    func slot(_ kind: SlotKind) -> Slot? { slots.first { $0.kind == kind } }

    var kinds: Set<SlotKind> { Set(slots.map(\.kind)) }

    /// The progress of migrating a former app's wallet.
    var migrationState: MigrationMachine.State {
        switch migration {
        case .half?: .half
        case .erasing?: .erasing
        case nil: .full
        }
    }

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.writeUInt8(Self.format)
        writer.writeFixed(vault.bytes)
        writer.writeFixed(key.bytes)
        writer.writeUInt8(device.rawValue)
        writer.writeUInt64(generation)
        writer.writeFixed(installation.bytes)
        writer.writeUInt64(policyEpoch)
        policy.write(to: &writer)
        writer.writeUInt8(UInt8(truncatingIfNeeded: slots.count))
        for slot in slots {
            writer.writeFixed(slot.id.bytes)
            writer.writeUInt8(slot.kind.rawValue)
            writer.writeFixed(slot.digest)
            writer.writeOptional(slot.assurance) { writer, assurance in writer.writeUInt8(assurance.rawValue) }
        }
        writer.writeUInt32(walletCount)
        writer.writeFixed(walletIndexHash)
        writer.writeOptional(migration) { writer, migration in migration.write(to: &writer) }
        writer.writeOptional(account) { writer, account in account.write(to: &writer) }
        writer.writeOptional(nextPolicy) { writer, policy in policy.write(to: &writer) }
        writer.writeOptional(awaitedRecoveryKey) { writer, commitment in writer.writeFixed(commitment) }
        return writer.bytes
    }

    /// Reads an unverified head.
    ///
    /// - Throws: `.vaultDamaged` for any non-canonical form.
    init(parsing bytes: [UInt8]) throws(VaultError) {
        self = try translating { () throws(CryptoError) in try Head(ByteReader(bytes)) }
        guard self.bytes == bytes else { throw VaultError(.vaultDamaged) }
    }

    private init(_ reader: consuming ByteReader) throws(CryptoError) {
        guard try reader.readUInt8() == Self.format else { throw .malformed }
        vault = try reader.readIdentifier()
        key = try reader.readIdentifier()
        guard let device = DeviceKind(rawValue: try reader.readUInt8()) else { throw .malformed }
        self.device = device
        generation = try reader.readUInt64()
        guard generation <= UInt64(Int64.max) else { throw .malformed }  // There must always be a next one.
        installation = try reader.readIdentifier()
        policyEpoch = try reader.readUInt64()
        policy = try VaultPolicy(from: &reader)
        let count = try reader.readUInt8()
        guard count <= Self.maximumSlots else { throw .malformed }
        slots = []
        for _ in 0..<count {
            let id = try reader.readIdentifier()
            guard let kind = SlotKind(rawValue: try reader.readUInt8()) else { throw .malformed }
            let digest = try reader.readFixed(32)
            let assurance = try reader.readOptional(Assurance.init(from:))
            slots.append(Slot(id: id, kind: kind, digest: digest, assurance: assurance))
        }
        walletCount = try reader.readUInt32()
        walletIndexHash = try reader.readFixed(32)
        migration = try reader.readOptional(Migration.init)
        account = try reader.readOptional(VaultAccount.init)
        nextPolicy = try reader.readOptional(VaultPolicy.init)
        awaitedRecoveryKey = try reader.readOptional { (reader) throws(CryptoError) in try reader.readFixed(32) }
        try reader.finish()
    }

    init(vault: Identifier, key: Identifier, device: DeviceKind, installation: Identifier, policy: VaultPolicy) {
        self.vault = vault
        self.key = key
        self.device = device
        self.generation = 0
        self.installation = installation
        self.policyEpoch = 0
        self.policy = policy
        self.slots = []
        self.walletCount = 0
        self.walletIndexHash = WalletIndex.empty.hash
    }
}

extension Head.Migration {
    fileprivate func write(to writer: inout ByteWriter) {
        switch self {
        case .half(let sealed, let wallet):
            writer.writeUInt8(1)
            writer.writeFixed(sealed)
            writer.writeFixed(wallet)
        case .erasing(let sealed):
            writer.writeUInt8(2)
            writer.writeFixed(sealed)
        }
    }

    fileprivate init(from reader: inout ByteReader) throws(CryptoError) {
        switch try reader.readUInt8() {
        case 1: self = .half(sealed: try reader.readFixed(32), wallet: try reader.readFixed(32))
        case 2: self = .erasing(sealed: try reader.readFixed(32))
        default: throw .malformed
        }
    }
}

extension VaultPolicy {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.writeUInt8(strongFactor.rawValue)
        for field in Field.all {
            switch field.kind {
            case .flag(let at, _): writer.writeFlag(self[at])
            case .count(let at): writer.writeUInt32(self[at])
            case .span(let at, _): writer.writeInt64(self[at].count)
            case .limit(let at): writer.writeOptional(self[at]) { $0.writeInt64($1.count) }
            case .assurance(let at): writer.writeUInt8(self[at].rawValue)
            case .optionalAssurance(let at): writer.writeOptional(self[at]) { $0.writeUInt8($1.rawValue) }
            }
        }
    }

    fileprivate init(from reader: inout ByteReader) throws(CryptoError) {
        self.init()
        guard let factor = StrongFactor(rawValue: try reader.readUInt8()) else { throw .malformed }
        strongFactor = factor
        for field in Field.all {
            switch field.kind {
            case .flag(let at, _): self[at] = try reader.readFlag()
            case .count(let at): self[at] = try reader.readUInt32()
            case .span(let at, _): self[at] = try Self.readLimit(&reader)
            case .limit(let at): self[at] = try reader.readOptional(Self.readLimit)
            case .assurance(let at): self[at] = try Assurance(from: &reader)
            case .optionalAssurance(let at): self[at] = try reader.readOptional(Assurance.init(from:))
            }
        }
    }

    private static func readLimit(_ reader: inout ByteReader) throws(CryptoError) -> Milliseconds {
        let count = try reader.readInt64()
        guard count >= 0 else { throw .malformed }
        return Milliseconds(count)
    }
}

extension Assurance {
    fileprivate init(from reader: inout ByteReader) throws(CryptoError) {
        guard let assurance = Assurance(rawValue: try reader.readUInt8()) else { throw .malformed }
        self = assurance
    }
}
