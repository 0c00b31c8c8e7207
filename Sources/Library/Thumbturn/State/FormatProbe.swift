import ThumbturnBase
import ThumbturnCrypto
package import ThumbturnDevice
package import ThumbturnRules

/// Entry points for a vault's rows, each the one through which unverified bytes arrive: for a fuzzer.
package struct FormatProbe: Sendable {
    /// The kind of row.
    package enum Door: String, CaseIterable, Sendable {
        case head, slot, ledger, label, secret
    }

    private let head: [UInt8]
    private let slots: [[UInt8]]
    private let ledger: [UInt8]
    private let secret: [UInt8]
    private let device: Device

    /// Reads samples from the vault in `folder`, which has a wallet.
    package init(samplesIn folder: String, device: Device) throws(VaultError) {
        let store = try VaultStore(openingIn: folder, vfs: nil)
        defer { store.close() }
        let contents = try store.contents()
        var secrets: [[UInt8]] = []
        try store.forEachWallet { (record) throws(VaultError) in secrets.append(record.secret) }
        guard let head = contents.head, let ledger = contents.ledger, let secret = secrets.first else {
            throw VaultError(.walletMissing)
        }
        self.head = head.body
        self.slots = contents.slots.map(\.record)
        self.ledger = ledger.body
        self.secret = secret
        self.device = device
    }

    /// Returns valid rows for a door, to start from.
    package func samples(for door: Door) -> [[UInt8]] {
        switch door {
        case .head: return [head]
        case .slot: return slots
        case .ledger: return [ledger]
        case .secret: return [secret]
        case .label:
            var writer = ByteWriter()
            writer.writeUInt8(WalletRecord.format)
            writer.writeUInt8(WalletKind.mnemonic.rawValue)
            writer.writeInt64(device.clock().wall.count)
            let name = Array("savings".utf8)
            writer.writeUInt32(UInt32(name.count))
            writer.writeFixed(name)
            return [writer.bytes]
        }
    }

    /// Processes bytes as far as the vault would without the right key, and makes every query that the vault makes.
    ///
    /// - Throws: a refusal, as for most inputs.
    package func enter(_ door: Door, with bytes: [UInt8]) throws(VaultError) {
        switch door {
        case .head:
            try ask(head: bytes)
        case .slot:
            try open(SlotRecord(parsing: bytes))
        case .ledger:
            try ask(head: head, ledger: translating { () throws(CryptoError) in try Ledger(parsing: bytes) })
        case .label:
            _ = try translating { () throws(CryptoError) in try WalletSummary(parsing: bytes, of: .make()) }
        case .secret:
            for kind in WalletKind.allCases {
                _ = try MasterKey.make().open(bytes, kind: kind, wallet: .make(), vault: .make())
            }
        }
    }

    private func ask(head: [UInt8], ledger: Ledger? = nil) throws(VaultError) {
        var contents = VaultStore.Contents()
        contents.head = VaultStore.TaggedRow(body: head, mac: [])
        contents.slots = slots.compactMap { record in
            (try? SlotRecord(parsing: record)).map { (id: $0.id.bytes, record: record) }
        }
        var state = try LockedState(reading: contents, on: device.kind)
        if let ledger { state = state.holding(ledger) }
        let now = device.clock()
        let policy = state.head.policy
        _ = state.summaries
        _ = state.attemptDecision(at: now)
        _ = policy.decision(for: state.context(at: now))
        _ = policy.sessionIsStale(since: state.ledger.lastUse ?? now, at: now)
        _ = state.ledger.attempts.countingAttempt(at: now)
        _ = state.ledger.attempts.banking(at: now)
        _ = state.ledger.bytes
    }

    /// Opens a slot; a cost beyond the limits must be refused before anything is computed (A4, A5).
    private func open(_ slot: SlotRecord) throws(VaultError) {
        switch slot.kind {
        case .localSecret:
            let stretched = try slot.stretch(.random(byteCount: 6), limits: .standard)
            let secret = LocalSecret(stretched: stretched, deviceShare: .random(byteCount: 32))
            _ = try slot.open(with: .local(secret))
        case .biometric:
            _ = try slot.open(with: .biometric(.make()))
        case .recovery:
            _ = try slot.open(with: .recovery(.make()))
        case .system:
            _ = try slot.open(with: .system(.make()))
        case .password:
            _ = try slot.open(with: .account(AccountSecret(key: .make(), deviceShare: .random(byteCount: 32))))
        }
    }
}
