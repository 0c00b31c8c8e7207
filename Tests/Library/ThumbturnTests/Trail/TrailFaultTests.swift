import Testing
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSQLite
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// Disk and device fail, processes die, pages are damaged: an event is there exactly when its change is.
@Suite struct TrailFaultTests {
    /// A way in, whose end the ledger keeps too.
    enum Way: CaseIterable {
        case rightPIN, wrongPIN, finger, wrongFinger

        fileprivate var success: AuditEventKind {
            switch self {
            case .rightPIN, .wrongPIN: .passwordFallback
            case .finger, .wrongFinger: .biometricSuccess
            }
        }

        fileprivate var failure: AuditEventKind {
            switch self {
            case .rightPIN, .wrongPIN: .passwordFailure
            case .finger, .wrongFinger: .biometricFailure
            }
        }

        /// The failures in a row that the stored ledger counts.
        fileprivate func failures(in snapshot: VaultSnapshot) -> Int {
            switch self {
            case .rightPIN, .wrongPIN: Int(snapshot.failedAttempts)
            case .finger, .wrongFinger: Int(snapshot.failedBiometricAttempts)
            }
        }

        fileprivate func enter(_ vault: Vault, on simulated: SimulatedDevice) async throws {
            switch self {
            case .rightPIN: try await vault.unlock(with: SecretBytes(text: TestVault.pin))
            case .wrongPIN: try await vault.unlock(with: SecretBytes(text: "730001"))
            case .finger, .wrongFinger:
                try simulated.simulate(.finger(self == .finger ? .match : .mismatch))
                try await vault.unlockWithBiometrics(TestVault.words)
            }
        }
    }

    enum DiskFault: CaseIterable {
        case full, fails, failsAfterEffect

        fileprivate func stop(at operation: Int) -> FaultyDisk.Stop {
            switch self {
            case .full: .full(from: operation)
            case .fails: .fail(at: operation)
            case .failsAfterEffect: .failAfterEffect(at: operation)
            }
        }
    }

    @Test(.holds("A19", "A40", "F-107-10", "INV-107-10"), arguments: Way.allCases, DiskFault.allCases)
    func `wherever the disk fails in an unlock nothing opens untold, and the event is there if its change is`(
        way: Way,
        fault: DiskFault
    ) async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        _ = await refusal { try await made.touch(.mismatch) }
        _ = await refusal { try await made.guess() }
        let before = try await made.events().count
        await made.vault.close()
        let image = try FolderImage(of: made.path)
        var step = 1
        while true {
            try image.restore(to: made.path)
            let (simulated, disk, log) = (made.simulated.clone(), FaultyDisk(), EventLog())
            let vault = try await made.opened(on: simulated, disk, log)
            disk.arm(fault.stop(at: step))
            let code = await refusal { try await way.enter(vault, on: simulated) }
            let (wasMet, isOpen) = (disk.didStop, await vault.hasSession)
            disk.disarm()
            await vault.close()

            let again = try await made.opened(on: simulated, disk, log)
            let chain = try await again.trail(limit: .max)
            let told = chain.dropFirst(1 + before).map(\.kind)
            let failures = way.failures(in: await again.snapshot)
            await again.close()
            if told.contains(way.success) {
                #expect(told.last == way.success && failures == 0, "at \(step)")
            } else {
                #expect(!isOpen && code != nil, "at \(step)")
                #expect(told.allSatisfy { $0 == way.failure } && failures == 1 + told.count, "at \(step)")
            }
            #expect(chain.compactMap(\.seq) == Array(0..<UInt64(chain.count)), "at \(step)")
            #expect(chain.first?.reason == "created" && log.alarms.isEmpty, "at \(step)")
            guard wasMet else { return #expect(step > 3) }
            step += 1
        }
    }

    @Test(.holds("A19")) func `on a full disk the recovery key opens untold, and the chain goes on`() async throws {
        let made = try await TestVault.make()
        let key = try await made.makeRecoveryKey()
        let told = try await made.told()
        await made.vault.close()
        let disk = FaultyDisk()
        let vault = try await made.opened(on: made.simulated, disk, EventLog())
        disk.arm(.full(from: 1))
        try await vault.unlock(withRecoveryKey: SecretBytes(text: key))
        #expect(await vault.isOpen)
        disk.disarm()
        await vault.close()
        let again = try await made.reopened()
        #expect(try await again.told() == told && again.log.kinds.isEmpty)
        try await again.strong()
        #expect(try await again.told() == told + [.passwordFallback])
        #expect(try await again.beginning() == "created")
    }

    @Test(.holds("A40", "INV-107-10"), arguments: [Way.rightPIN, .finger])
    func `a power loss right behind an unlock does not take its event`(way: Way) async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.close()
        let disk = FaultyDisk()
        let vault = try await made.opened(on: made.simulated, disk, EventLog())
        disk.arm(.powerLoss(at: .max, keeping: .none))
        try await way.enter(vault, on: made.simulated)
        #expect(await vault.isOpen)
        disk.die()
        await vault.close()
        disk.settle()
        let again = try await made.reopened()
        #expect(try await again.told().last == way.success)
        #expect(try await again.beginning() == "created")
        #expect(again.log.kinds.isEmpty)
    }

    @Test(.holds("A25", "F-107-10")) func `while the device is locked nothing opens, and then the chain goes on`()
        async throws
    {
        let made = try await TestVault.make()
        let key = try await made.makeRecoveryKey()
        await made.vault.lock()
        let told = try await made.told()
        try made.simulated.simulate(.lockDevice)
        #expect(await refusal { try await made.strong() } == .storageUnavailable)
        #expect(await refusal { try await made.unlock(key) } == .storageUnavailable)
        try made.simulated.simulate(.unlockDevice)
        #expect(try await made.told() == told)
        try await made.strong()
        #expect(try await made.told() == told + [.passwordFallback])
        #expect(try await made.beginning() == "created")
    }

    @Test(.holds("A25", "A43"), arguments: [DeviceRefusal.damaged, .unavailable])
    func `whatever becomes of the trail's secret, the PIN opens, and the next chain says that something is missing`(
        refused: DeviceRefusal
    ) async throws {
        let made = try await TestVault.make()
        let row = try made.trailRow()
        await made.vault.close()
        let secret = row.secret
        made.simulated.interceptor = { call throws(DeviceRefusal) in
            if call == .evaluate(secret) { throw refused }
            return .proceed
        }
        let again = try await made.reopened()
        try await again.strong()
        #expect(await again.isOpen && again.log.kinds == [.passwordFallback])
        if refused == .damaged {
            // That is certain: another chain begins at once, under a secret of its own.
            #expect(try await again.told() == [.trailBegun, .passwordFallback])
            #expect(try await again.beginning() == "lost")
            #expect(try again.trailRow().secret != secret)
        } else {
            #expect(await refusal { try await again.told() } == .storageUnavailable)
            #expect(again.log.tolerated.contains(.storageUnavailable))
        }
        await again.vault.close()
        made.simulated.interceptor = nil
        let third = try await made.reopened()
        if refused == .unavailable {
            // The ledger moved on without the trail.
            #expect(try await third.told() == [.trailBegun])
            #expect(try await third.beginning() == "putBack")
            #expect(try third.trailRow().former?.id == row.epoch.id)
        }
        try await third.strong()
        #expect(try await third.events().last?.kind == .passwordFallback)
        #expect(third.log.alarms.isEmpty)
    }

    @Test(.holds("A42")) func `a row of the trail that somebody else wrote is not believed`() async throws {
        let made = try await TestVault.make()
        try await made.strong()
        await made.vault.close()
        var row = try made.trailRow()
        row.attempt = TrailRow.OpenAttempt(began: .zero, attemptCount: 7)
        let forged = VaultStore.TaggedRow(body: try row.bytes, mac: try #require(made.contents().trail).mac)
        try made.tamper { try $0.setTrail(forged) }
        let again = try await made.reopened()
        #expect(again.log.kinds.isEmpty, "nobody guessed")
        #expect(try await again.beginning() == "damaged")
    }

    @Test(.holds("A42")) func `the box of a record opens in its own place alone`() async throws {
        let made = try await TestVault.make()
        try await made.strong()
        await made.vault.close()
        let first = try made.trailRow().epoch.start
        try made.tamper { store in
            let boxes = [try #require(try store.event(first)), try #require(try store.event(first + 1))]
            try store.database.run("DELETE FROM event WHERE number = ?", .integer(first))
            try store.database.run("DELETE FROM event WHERE number = ?", .integer(first + 1))
            try store.addEvent(first, boxes[1])
            try store.addEvent(first + 1, boxes[0])
        }
        let again = try await made.reopened()
        #expect(try await !again.vault.opensRecord(0))
        #expect(try await !again.vault.opensRecord(1))
        #expect(try await again.vault.opensRecord(2))
        #expect(try await again.told().isEmpty)
    }

    @Test(.holds("A46")) func `a restart of the device ends a run of failures`() async throws {
        let made = try await TestVault.make()
        let wrong = try RecoveryKeySample.another(than: try await made.makeRecoveryKey())
        await made.vault.lock()
        for _ in 0..<2 {
            _ = await refusal { try await made.unlock(wrong) }
            try made.simulated.simulate(.reboot)
            try made.advance(.minutes(1))
        }
        let failures = try await made.events().filter { $0.kind == .passwordFailure }
        #expect(failures.map(\.count) == [1, 1] && !failures.contains { $0.seq == nil })
    }
}

// Two processes, as two objects on one folder are.
extension TrailFaultTests {
    @Test(.holds("A38", "INV-107-10")) func `two processes write one chain, in the order of what they did`()
        async throws
    {
        let one = try await TestVault.make(biometrics: true)
        let two = try await one.reopened()
        let before = try await one.told()
        _ = await refusal { try await one.guess(1) }
        _ = await refusal { try await two.guess(2) }
        try await two.strong()
        try await one.strong()
        await two.vault.lock()
        try await two.touch()
        let wallet = try await two.add("From two")
        try await one.vault.deleteWallet(wallet.id, try await one.strong())
        let entries = try await one.vault.trail(limit: .max)
        #expect(
            entries.map(\.kind) == before + [
                .passwordFailure, .passwordFailure, .passwordFallback, .passwordFallback, .biometricSuccess,
                .passwordFallback, .walletDeleted,
            ]
        )
        #expect(entries.compactMap(\.seq) == Array(0..<UInt64(entries.count)))
        #expect(try await two.vault.trail(limit: .max) == entries)
        #expect(one.log.alarms.isEmpty && two.log.alarms.isEmpty)
        #expect(try await two.beginning() == "created")
        #expect(try await two.export().summary.count == UInt64(entries.count) + 1)
    }

    @Test(.holds("A38", "A43", "INV-107-10"))
    func `an attempt whose process is killed anywhere is told by another process exactly if it counts`()
        async throws
    {
        let made = try await TestVault.make()
        await made.vault.close()
        let image = try FolderImage(of: made.path)
        var step = 1
        var interrupted = 0
        while true {
            try image.restore(to: made.path)
            let (simulated, disk, log) = (made.simulated.clone(), FaultyDisk(), EventLog())
            // A disk of its own that does not fail, since nobody cuts the power.
            let calm = FaultyDisk()
            let other = try await made.opened(on: simulated, calm, log)
            let killed = try await made.opened(on: simulated, disk, EventLog())
            disk.arm(.kill(at: step))
            #expect(await refusal { try await Way.wrongPIN.enter(killed, on: simulated) } != nil)
            let wasCut = disk.didStop
            disk.die()
            await killed.close()
            disk.settle()
            let failures = try await other.refresh().failedAttempts
            let told = try await other.trail(limit: .max)
            #expect(told.count { $0.kind == .passwordFailure } == Int(failures), "at \(step)")
            interrupted += told.count { $0.reason == "interrupted" }
            try await other.unlock(with: SecretBytes(text: TestVault.pin))
            let chain = try await other.trail(limit: .max)
            #expect(chain.map(\.kind) == told.map(\.kind) + [.passwordFallback], "at \(step)")
            #expect(chain.first?.reason == "created" && log.alarms.isEmpty, "at \(step)")
            await other.close()
            guard wasCut else { return #expect(step > 3 && interrupted > 0) }
            step += 1
        }
    }

    @Test(.holds("A7", "A43")) func `a copy of the folder beside the original goes on with a chain of its own`()
        async throws
    {
        let made = try await TestVault.make()
        await made.vault.close()
        let copy = made.folder.file("copy")
        try FolderImage(of: made.path).restore(to: copy)
        let known = ChainsSeen()
        for _ in 0..<3 {
            for path in [made.path, copy] {
                let vault = try await made.opened(in: path)
                _ = await refusal { try await vault.unlock(with: SecretBytes(text: TestVault.pin)) }
                try await known.add(vault.records())
                await vault.close()
            }
        }
        #expect(known.forks == 0)
        #expect(known.epochs > 4, "each that meets the other's ledger begins another chain")

        // The owner accepts the copy: what it tells from then on is a chain of its own.
        try made.waitADay()
        let accepted = try await made.opened(in: copy)
        let proof = try await accepted.unlock(with: SecretBytes(text: TestVault.pin))
        try await accepted.acceptOlderCopy(OlderCopyConfirmation(typed: OlderCopyConfirmation.phrase), proof)
        let chain = try await accepted.trail(limit: .max)
        #expect(chain.map(\.kind) == [.trailBegun, .olderCopyAccepted])
        #expect(chain.first?.reason == "putBack")
        try await known.add(accepted.records())
        #expect(known.forks == 0)
    }
}

// Pages that are not what they were.
extension TrailFaultTests {
    @Test(.holds("A20", "A43", "V-05"), arguments: ["event", "trail"])
    func `whatever byte of the trail's pages is flipped, the PIN opens, and another chain begins or none is told`(
        table: String
    ) async throws {
        let made = try await TestVault.make()
        try await made.add("One", "a secret")
        for _ in 0..<2 { try await made.strong() }
        let before = try await made.told()
        await made.vault.close()
        let whole = try made.folder.read("vault/vault.sqlite")
        let page = (try made.rootPage(of: table) - 1) * 4_096
        let image = try FolderImage(of: made.path)
        var begun = 0
        for place in Array(0..<24) + stride(from: 24, to: 4_096, by: 97) {
            var damaged = whole
            damaged[page + place] ^= 5
            try image.restore(to: made.path)
            try made.folder.write(damaged, to: "vault/vault.sqlite")
            let simulated = made.simulated.clone()
            var items: [Int] = []
            for _ in 1...2 {
                let vault = try await made.opened(on: simulated)
                try await vault.unlock(with: SecretBytes(text: TestVault.pin))
                #expect(await vault.isOpen, "byte \(place)")
                #expect(try await vault.wallets().count == 1, "byte \(place)")
                items.append(try simulated.itemNames().count)
                await vault.close()
            }
            #expect(items[1] == items[0], "no item is made at each look, byte \(place)")
            let vault = try await made.opened(on: simulated)
            let chain = try await vault.trail(limit: .max)
            await vault.close()
            guard let first = chain.first else { continue }
            let reason = try #require(first.reason)
            #expect(first.kind == .trailBegun, "byte \(place)")
            if reason == "created" {
                // It ends where a record can't be read.
                #expect(chain.last?.kind == .passwordFallback || chain.count < before.count, "byte \(place)")
            } else {
                begun += 1
                #expect(["damaged", "lost", "cut", "putBack"].contains(reason), "byte \(place): \(reason)")
                #expect(chain.last?.kind == .passwordFallback || chain.count == 1, "byte \(place)")
            }
        }
        #expect(begun > 0)
    }

    @Test(.holds("V-05")) func `an event takes no page of a wallet that a damaged list calls free`() async throws {
        let long = { (name: String) in String(repeating: "\(name) is long. ", count: 6_000) }
        let made = try await TestVault.make()
        let names = ["A", "B", "C"]
        var wallets: [WalletSummary] = []
        for name in names { wallets.append(try await made.add(name, long(name))) }
        try await made.vault.deleteWallet(wallets[1].id, try await made.strong())
        await made.vault.close()
        let whole = try made.folder.read("vault/vault.sqlite")
        let number = { (place: Int) -> Int in whole[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        let trunk = (number(32) - 1) * 4_096
        try #require(trunk > 0)
        let count = number(trunk + 4)
        try #require(count > 4)
        let image = try FolderImage(of: made.path)
        for leaf in 2..<min(30, count) {
            var damaged = whole
            damaged[trunk + 11 + 4 * (count - 1)] = UInt8(truncatingIfNeeded: leaf)
            try image.restore(to: made.path)
            try made.folder.write(damaged, to: "vault/vault.sqlite")
            let simulated = made.simulated.clone()
            // So many records need pages.
            let vault = try await made.opened(on: simulated)
            for _ in 0..<16 { try await vault.unlock(with: SecretBytes(text: TestVault.pin)) }
            await vault.close()
            let again = try await made.opened(on: simulated)
            let proof = try await again.unlock(with: SecretBytes(text: TestVault.pin))
            let inventory = try await again.inventory()
            #expect(inventory.wallets.count == 2, "leaf \(leaf)")
            let refused = try await again.exportWallets(inventory.wallets.map(\.id), proof) { _, _ in }
            #expect(refused.isEmpty, "leaf \(leaf)")
            await again.close()
        }
    }
}

extension TestVault {
    /// Opens the vault's folder, or a copy of it, on a device, a disk and a log.
    fileprivate func opened(
        in folder: String? = nil,
        on simulated: SimulatedDevice? = nil,
        _ disk: FaultyDisk? = nil,
        _ log: EventLog = EventLog()
    ) async throws -> Vault {
        var configuration = Self.configuration(log)
        configuration.vfs = disk?.vfsName
        return try await Vault.open(
            in: folder ?? path,
            device: (simulated ?? self.simulated).device,
            configuration: configuration
        )
    }
}

extension Vault {
    /// Whether the record of a place opens there.
    fileprivate func opensRecord(_ seq: UInt64) async throws(VaultError) -> Bool {
        try await turn { (_) async throws(VaultError) -> Bool in
            guard let row = trail.row else { return false }
            do throws(VaultError) { return try trail.record(seq, of: row.epoch) != nil } catch { return false }
        }
    }
}

/// The records of several folders by their place, which each may have once.
private final class ChainsSeen {
    private struct Place: Hashable {
        let epoch: Identifier
        let seq: UInt64
    }

    private var hashes: [Place: [UInt8]] = [:]
    private(set) var forks = 0

    var epochs: Int { Set(hashes.keys.map(\.epoch)).count }

    func add(_ records: [AuditRecord]) {
        for record in records {
            let place = Place(epoch: record.epoch, seq: record.seq)
            if let known = hashes[place], known != record.hash { forks += 1 }
            hashes[place] = record.hash
        }
    }
}
