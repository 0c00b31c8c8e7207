import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import Thumbturn

/// What is stored is read back as it was written, has one form, and nothing else is read.
@Suite struct FormatTests {
    @Test func `a head is read back as it was written`() throws {
        for head in Samples.heads { #expect(try Head(parsing: head.bytes) == head) }
    }

    @Test func `a ledger is read back as it was written`() throws {
        for ledger in Samples.ledgers { #expect(try Ledger(parsing: ledger.bytes) == ledger) }
    }

    @Test func `a ledger whose banked time is negative is refused`() throws {
        var ledger = Samples.ledgers[1]
        ledger.attempts.banked = Milliseconds(-1)
        #expect(throws: CryptoError.malformed) { try Ledger(parsing: ledger.bytes) }
    }

    @Test func `a slot is read back as it was written`() throws {
        for slot in Samples.slots { #expect(try SlotRecord(parsing: slot.bytes) == slot) }
    }

    @Test func `another format is not read`() throws {
        for format in [0, Head.format + 1, 255] {
            var head = Samples.heads[0].bytes
            head[0] = format
            #expect(failure(of: { () throws(VaultError) in _ = try Head(parsing: head) })?.code == .vaultDamaged)
        }
        for format in [0, SlotRecord.format + 1, 255] {
            var slot = try Samples.slots[0].bytes
            slot[4] = format
            #expect(failure(of: { () throws(VaultError) in _ = try SlotRecord(parsing: slot) })?.code == .vaultDamaged)
        }
        for format in [0, Ledger.format + 1, 255] {
            var ledger = Samples.ledgers[0].bytes
            ledger[0] = format
            #expect(throws: CryptoError.malformed) { try Ledger(parsing: ledger) }
        }
    }

    @Test func `a slot's kind, purpose, cost and item belong together`() throws {
        for slot in Samples.slots {
            let bytes = try slot.bytes
            // The kind lies behind the lengths, the format, the suite, the purpose and two ids.
            try #require(bytes[50] == slot.kind.rawValue)
            for kind in SlotKind.allCases where kind != slot.kind {
                var other = bytes
                other[50] = kind.rawValue
                let fault = failure { () throws(VaultError) in _ = try SlotRecord(parsing: other) }
                #expect(fault?.code == .vaultDamaged, "\(slot.kind) as \(kind)")
            }
            // What belongs to it is left out, or what does not is there.
            for part in Samples.Part.allCases {
                let other = try Samples.slot(slot.kind, changing: part).bytes
                let fault = failure { () throws(VaultError) in _ = try SlotRecord(parsing: other) }
                #expect(fault?.code == .vaultDamaged, "\(slot.kind), \(part)")
            }
        }
    }

    @Test(.holds("A41"), arguments: 0..<4)
    func `changed bytes are read as what they canonically say, or are refused with a typed error`(part: Int) throws {
        let seed = 0xF0_0000 + UInt64(part)
        var numbers = SeededGenerator(seed: seed)
        var accepted = 0
        for round in 0..<5_000 {
            let slot = try numbers.mutate(Samples.slots[round % Samples.slots.count].bytes)
            if let parsed = try? SlotRecord(parsing: slot) {
                accepted += 1
                #expect(try parsed.bytes == slot, "seed \(seed), round \(round)")
            }
            let head = numbers.mutate(Samples.heads[round % Samples.heads.count].bytes)
            if let parsed = try? Head(parsing: head) {
                accepted += 1
                #expect(parsed.bytes == head, "seed \(seed), round \(round)")
            }
            let ledger = numbers.mutate(Samples.ledgers[round % Samples.ledgers.count].bytes)
            if let parsed = try? Ledger(parsing: ledger) {
                accepted += 1
                #expect(parsed.bytes == ledger, "seed \(seed), round \(round)")
            }
        }
        #expect(accepted > 100)
    }

    @Test(.holds("A41")) func `a length that lies takes no memory and is refused`() throws {
        let huge = [0xFF, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 64)
        #expect(failure(of: { () throws(VaultError) in _ = try SlotRecord(parsing: huge) })?.code == .vaultDamaged)
        #expect(failure(of: { () throws(VaultError) in _ = try Head(parsing: []) })?.code == .vaultDamaged)
        #expect(failure(of: { () throws(VaultError) in _ = try SlotRecord(parsing: []) })?.code == .vaultDamaged)
    }

    @Test func `a head does not grow with the wallets, and lists eight slots at most`() throws {
        var head = Samples.heads[0]
        let count = head.bytes.count
        head.walletCount = 10_000
        #expect(head.bytes.count == count)
        head.slots = Array(repeating: Samples.listed(.recovery), count: 9)
        let bytes = head.bytes
        #expect(failure(of: { () throws(VaultError) in _ = try Head(parsing: bytes) })?.code == .vaultDamaged)
    }
}

@Suite struct WalletIndexTests {
    private static func row(_ numbers: inout SeededGenerator, _ label: [UInt8] = [1]) -> WalletRecord {
        let tag = Identifier(high: numbers.next(), low: numbers.next())
        return WalletRecord(id: Identifier(high: numbers.next(), low: 1), tag: tag, label: label, secret: [1])
    }

    @Test func `the order in which rows come does not matter, their content does`() {
        var numbers = SeededGenerator(seed: 17)
        let rows = (0..<600).map { _ in Self.row(&numbers) }
        let entries = rows.map { WalletIndex.Entry($0) }
        let index = WalletIndex(entries: entries)
        #expect(WalletIndex(entries: entries.shuffled(using: &numbers)) == index)
        for edit: (inout WalletRecord) -> Void in [{ $0.label = [2] }, { $0.secret = [2] }, { $0.tag = $0.id }] {
            var changed = rows
            edit(&changed[50])
            #expect(WalletIndex(entries: changed.map { WalletIndex.Entry($0) }).hash != index.hash)
        }
        #expect(WalletIndex(entries: entries.dropLast()).hash != index.hash)
        #expect(WalletIndex.empty.hash != index.hash)
    }

    @Test func `rows added and removed one by one are the index of what is left`() throws {
        var numbers = SeededGenerator(seed: 18)
        var index = WalletIndex.empty
        var rows: [WalletRecord] = []
        for round in 0..<500 {
            if round % 3 == 2, let place = rows.indices.randomElement(using: &numbers) {
                index.remove(rows.remove(at: place))
            } else {
                var row = Self.row(&numbers)
                // Names that are not in ASCII may share a tag.
                if round % 5 == 0, let other = rows.randomElement(using: &numbers) { row.tag = other.tag }
                rows.append(row)
                index.add([WalletIndex.Entry(row)])
            }
            #expect(index.count == rows.count)
        }
        let expected = WalletIndex(entries: rows.map { WalletIndex.Entry($0) })
        #expect(index == expected && index.hash == expected.hash)
        for row in rows {
            #expect(index.contains(row.id) && index.vouches(for: row) && index.wallets(of: row.tag).contains(row.id))
            var other = row
            other.secret = [2]
            #expect(!index.vouches(for: other))
        }
    }

    @Test(.holds("A7")) func `of stored digests each bucket is believed by its own rows alone`() throws {
        var numbers = SeededGenerator(seed: 19)
        let rows = (0..<600).map { _ in Self.row(&numbers) }
        let whole = WalletIndex(entries: rows.map { WalletIndex.Entry($0) })
        var index = try #require(WalletIndex(stored: whole.bytes, count: 600))
        #expect(index.hash == whole.hash && !index.isWhole)
        for bucket in 0..<WalletIndex.bucketCount {
            var entries = rows.filter { $0.tag.bucket == bucket }.map { WalletIndex.Entry($0) }
            #expect(index.knows(bucket) == entries.isEmpty)
            guard let first = entries.first else { continue }
            let other = WalletRecord(id: first.id, tag: first.tag, label: [7], secret: [1])
            #expect(!index.vouches(for: rows[0]) || index.knows(rows[0].tag.bucket))
            for wrong in [entries.dropLast(), entries + [first], [WalletIndex.Entry(other)] + entries.dropFirst()] {
                let isLearned = index.learn(Array(wrong), in: bucket)
                #expect(!isLearned && !index.knows(bucket))
            }
            entries.shuffle(using: &numbers)
            let isLearned = index.learn(entries, in: bucket)
            #expect(isLearned)
        }
        #expect(index == whole && index.isWhole)
        #expect(WalletIndex(stored: whole.bytes.dropLast(), count: 600) == nil)
    }

    @Test func `bytes moved from a label to its secret are another row`() {
        let id = Identifier(high: 1, low: 2)
        let one = WalletRecord(id: id, tag: id, label: [1, 2], secret: [3])
        let two = WalletRecord(id: id, tag: id, label: [1], secret: [2, 3])
        #expect(one.digest != two.digest)
    }
}

/// One of each form.
private enum Samples {
    static let vault = Identifier(high: 1, low: 2)
    static let item = ItemName(vault: vault, purpose: .deviceSecret, unique: Identifier(high: 3, low: 4))
    static let clock = ClockReading(wall: .days(20_000), boottime: .hours(3), bootID: Identifier(high: 5, low: 6))

    static func listed(_ kind: SlotKind) -> Head.Slot {
        Head.Slot(
            id: Identifier(high: 7, low: UInt64(kind.rawValue)),
            kind: kind,
            digest: SHA256.digest([kind.rawValue]),
            assurance: .osKeychain
        )
    }

    static let account = VaultAccount(
        service: VaultAccount.Service(
            name: "https://accounts.example",
            address: "https://accounts.example:8107",
            authority: "/etc/ca.pem",
            pin: "cGlu"
        ),
        name: "ada",
        userID: Identifier(high: 10, low: 11),
        device: Identifier(high: 12, low: 13),
        deviceKey: ItemName(vault: vault, purpose: .deviceKey, unique: Identifier(high: 14, low: 15)),
        login: VaultAccount.Login(
            group: .bits4096,
            cost: Argon2Parameters(memoryKiB: 65_536, passes: 3),
            saltDigest: SHA256.digest([5])
        )
    )

    static let heads: [Head] = withoutAccount + [withAccount] + waiting

    private static let withAccount: Head = {
        var head = withoutAccount[0]
        head.account = account
        head.policy.allowsOfflinePassword = true
        return head
    }()

    private static let waiting: [Head] = [withoutAccount[0], withAccount].map { head in
        var head = head
        head.nextPolicy = head.policy
        head.nextPolicy?.locksAfterIdle = .hours(2)
        head.awaitedRecoveryKey = SHA256.digest([4])
        return head
    }

    private static let withoutAccount: [Head] = [VaultPolicy.wallet, .pd107].map { policy in
        var head = Head(
            vault: vault,
            key: Identifier(high: 8, low: 9),
            device: .linux,
            installation: vault,
            policy: policy
        )
        head.generation = 12
        head.policyEpoch = 3
        head.walletCount = 7
        head.slots = SlotKind.allCases.map(listed)
        head.policy.allowsSystemModeFromBiometrics = policy == .pd107
        head.policy.allowsSystemModeWithoutRecovery = policy == .wallet
        head.policy.minimumSecretAssurance = policy == .pd107 ? .osKeychain : nil
        let sealed = [UInt8](repeating: 6, count: 32)
        head.migration = policy == .pd107 ? .half(sealed: sealed, wallet: sealed.reversed()) : .erasing(sealed: sealed)
        return head
    }

    static let ledgers: [Ledger] = [
        Ledger(founding: vault),
        {
            let position = LedgerPosition(sequence: .max, mark: vault)
            var ledger = Ledger(vault: vault, position: position, parent: vault)
            ledger.head = [UInt8](repeating: 3, count: 32)
            ledger.beforeAttempt = AttemptRecord(failures: 3, since: clock)
            ledger.attempts = AttemptRecord(failures: 4, since: clock, banked: .seconds(29), isReliable: false)
            ledger.biometricFailures = 2
            ledger.wasLockedOut = true
            ledger.lastStrongAuthentication = clock
            ledger.lastUse = clock
            ledger.lastServerContact = clock
            ledger.revocation = Ledger.Revocation(slot: vault, reason: .reinstalled)
            return ledger
        }(),
        {
            var ledger = Ledger(founding: vault)
            ledger.policyEpoch = 1 << 40
            ledger.lastServerContact = clock
            ledger.lastOfflineAttempt = clock
            ledger.deviceIsRevoked = true
            return ledger
        }(),
    ]

    static let slots: [SlotRecord] = SlotKind.allCases.map { slot($0) }

    /// What only some kinds of slot have.
    enum Part: CaseIterable {
        case cost, item, epoch
        /// The account's key.
        case account
    }

    /// A slot of a kind, where `part` is given with that left out, or with one that is not the kind's.
    static func slot(_ kind: SlotKind, changing part: Part? = nil) -> SlotRecord {
        func has(_ belongs: Bool, unless changed: Part) -> Bool { belongs != (changed == part) }
        var slot = SlotRecord(
            vault: vault,
            id: Identifier(high: 7, low: UInt64(kind.rawValue)),
            kind: kind,
            device: .simulated,
            key: Identifier(high: 8, low: 9),
            generation: 12,
            argon2: has(kind == .localSecret, unless: .cost) ? Argon2Parameters(memoryKiB: 65_536, passes: 3) : nil,
            item: has(kind != .recovery, unless: .item) ? item : nil,
            accountKey: has(kind == .password, unless: .account) ? Identifier(high: 16, low: 17) : nil,
            policyEpoch: has(kind == .biometric, unless: .epoch) ? 3 : nil,
            createdAt: clock.wall
        )
        slot.box = [UInt8](repeating: 9, count: 60)
        return slot
    }
}
