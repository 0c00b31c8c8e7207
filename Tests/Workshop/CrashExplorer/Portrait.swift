import Foundation
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

/// Everything that owner and device can tell of a scene, found out by really opening it in every way there is.
package struct Portrait: Sendable {
    /// Whether there is nothing to open.
    package private(set) var isAbsent = false
    /// What is so, line by line and in order; equal lines mean that nothing was lost, gained or left behind.
    package private(set) var facts: [String] = []
    /// Of the PINs that exist, those that open.
    package private(set) var pins: [String] = []
    /// The wallets' ids, which lie in the clear before each secret.
    private(set) var ids: [[UInt8]] = []
    /// The failures that were counted when the vault was first opened.
    var failures: UInt32 = 0
    var biometricFailures: UInt32 = 0
    /// What was told to whoever came first that only somebody who changes files should cause.
    var alarms: Set<AuditEventKind> = []

    /// Looks at a scene; that uses up a touch, and clears what a right PIN clears.
    ///
    /// - Parameter isFirst: whether nobody came before, who would have opened the vault once.
    /// - Throws: what stood in the way, other than that there is no vault.
    package static func take(of scene: CrashScene, isFirst: Bool = true) async throws -> Portrait {
        var portrait = Portrait()
        if scene.hasCredentials {
            portrait.facts += try await scene.credentialFacts()
        } else {
            do {
                try await portrait.lookInside(scene)
            } catch let error as VaultError where error.isAbsence {
                portrait.isAbsent = try !scene.hasFormer
                portrait.note("no vault")
            }
        }
        // Whatever was left over is gone once the vault was opened twice.
        if isFirst {
            let party = Party(in: scene)
            try? await party.open()
            await party.close()
        }
        // One that died with the fingers enrolled then opens nothing; who reads it makes it vanish.
        for name in try scene.device.itemNames() {
            guard let item = ItemName(text: name), try await scene.device.describe(item) != nil else { continue }
            portrait.note("item \(item.purpose.map(\.rawValue) ?? "")")
        }
        for _ in try scene.device.anchorNames() { portrait.note("anchor") }
        portrait.facts += try await scene.formerFacts()
        if FileManager.default.fileExists(atPath: scene.backup) {
            let key = SecretBytes(text: scene.text(at: scene.oldKey))
            let isWhole = (try? OpenedBackup(at: scene.backup, recoveryKey: key).inventory.isAuthentic) == true
            portrait.note(isWhole ? "backup that is whole" : "backup")
        }
        portrait.facts.sort()
        return portrait
    }

    /// What differs in practice; no secrets.
    package func differences(from other: Portrait) -> String { Self.differences(of: facts, from: other.facts) }

    static func differences(of facts: [String], from others: [String]) -> String {
        let gained = facts.filter { !others.contains($0) }.map { "+ \($0)" }
        let lost = others.filter { !facts.contains($0) }.map { "- \($0)" }
        let changes = gained + lost
        return changes.isEmpty ? "\(facts.count) facts for \(others.count)" : changes.joined(separator: ", ")
    }

    /// Whether facts are the allowed ones; a change that came once more between those of another call is told once more.
    static func tells(_ facts: [String], as allowed: [String]) -> Bool {
        let (found, known) = (Told(facts), Told(allowed))
        return found.others == known.others
            && known.counts.allSatisfy { kind, count in
                let more = found.counts[kind, default: 0] - count
                return more == 0 || more == 1
            } && found.counts.keys.allSatisfy { known.counts[$0] != nil }
    }

    /// Facts, with how often the trail tells of each change apart.
    private struct Told {
        var counts: [Substring: Int] = [:]
        var others: [String] = []

        init(_ facts: [String]) {
            for fact in facts {
                let words = fact.split(separator: " ")
                if words.count == 3, words[1] == "times", let count = Int(words[0]) {
                    counts[words[2]] = count
                } else {
                    others.append(fact)
                }
            }
        }
    }

    /// The same with how whoever came first fared.
    func after(_ first: String) -> Portrait {
        var portrait = self
        portrait.note("first \(first)")
        portrait.facts.sort()
        return portrait
    }

    private mutating func note(_ fact: String) { facts.append(fact) }

    private mutating func lookInside(_ scene: CrashScene) async throws {
        let vault = try await scene.open()
        let snapshot = await vault.snapshot
        failures = snapshot.failedAttempts
        biometricFailures = snapshot.failedBiometricAttempts
        note("\(snapshot.mode) mode, biometrics \(snapshot.biometrics)")
        note("now \(snapshot.policy.words)")
        if let next = snapshot.nextPolicy { note("next \(next.words)") }
        for slot in snapshot.slots { note("slot \(slot.kind.name)") }
        if snapshot.recoveryKeyAwaitsCheck { note("a recovery key waits to be typed back") }

        if snapshot.biometrics == .enabled || snapshot.mode == .system,
            await Self.works({ try await WayIn.finger.enter(vault, in: scene) })
        {
            note("opens by finger")
        }
        for (name, path) in [("old", scene.oldKey), ("new", scene.newKey)] {
            let key = scene.text(at: path)
            if !key.isEmpty, await Self.works({ try await vault.unlock(withRecoveryKey: SecretBytes(text: key)) }) {
                note("opens by the \(name) recovery key")
            }
        }
        if scene.hasAccount { try await lookAtAccount(vault, scene) }
        if scene.hasLog { facts += try await scene.logFacts(of: vault) }
        for pin in scene.hasAccount ? [] : [CrashScene.firstPIN, CrashScene.secondPIN]
        where await Self.works({ try await vault.unlock(with: SecretBytes(text: pin)) }) {
            pins.append(pin)
            note("opens by PIN \(pin)")
        }
        _ = await Self.works { try await WayIn.eraseFormer(vault, in: scene) }
        note("migration \(await vault.snapshot.migration)")
        try await lookAtTrail(vault)
        for wallet in try await vault.wallets() {
            let digest = try await vault.withSecret(of: wallet.id) { _, bytes in SHA256.digest(bytes.exposed) }
            ids.append(wallet.id.bytes)
            note("wallet \(wallet.name.text), \(wallet.kind), \(digest.prefix(8))")
        }
        await vault.close()
    }

    /// Notes which changes the trail tells of, and how often: each exactly if it was made (INV-107-10).
    ///
    /// Who came first has opened the vault in one way or another, so what opens it is left out.
    private mutating func lookAtTrail(_ vault: Vault) async throws {
        let entries = try await vault.trail(limit: .max)
        if let reason = entries.first?.reason, ["lost", "damaged", "cut", "putBack"].contains(reason) {
            alarms.insert(.trailBegun)
        }
        let changes = Dictionary(grouping: entries.map(\.kind).filter(\.isChange)) { $0 }
        for (kind, told) in changes { note("\(told.count) times \(kind.name)") }
    }

    /// Notes what only an account's vault has; it is open afterwards where the password opens it.
    private mutating func lookAtAccount(_ vault: Vault, _ scene: CrashScene) async throws {
        if let account = await vault.account { note("dials \(account.service.address)") }
        if let key = await vault.accountKey { note("sealed under key \(key.low)") }
        if let account = await vault.account, await Self.works({ try await vault.publicKey(of: account.deviceKey) }) {
            note("\(scene.isFirstDevice(of: account) ? "the first" : "another") device signs")
        }
        for change in try scene.changes {
            await vault.lock()
            if await Self.works({ try await scene.unlockOffline(vault, after: change) }) {
                note("opens without the service by password \(change)")
            }
        }
        await vault.lock()
        if await Self.works({ try await scene.logIn(to: vault) }) { note("opens by password") }
        note("then the envelope has \(try scene.service().keys) keys, biometrics \(await vault.snapshot.biometrics)")
    }

    private static func works<Result: ~Copyable>(_ body: () async throws -> Result) async -> Bool {
        do {
            _ = try await body()
            return true
        } catch {
            return false
        }
    }
}

extension Portrait: Equatable {
    /// Whether both look the same; the ids of wallets that were made meanwhile may differ.
    package static func == (first: Portrait, second: Portrait) -> Bool {
        (first.isAbsent, first.facts, first.pins) == (second.isAbsent, second.facts, second.pins)
            && (first.failures, first.biometricFailures) == (second.failures, second.biometricFailures)
            && first.alarms == second.alarms
    }
}

extension VaultError {
    /// Whether it says that there is no vault; an unfinished creation leaves an empty file, which is none and can become
    /// one.
    var isAbsence: Bool { code == .vaultMissing || code == .vaultDamaged }
}

extension VaultPolicy {
    /// What transitions change of it.
    fileprivate var words: String {
        "locks after \(locksAfterIdle.count), strong after \(strongFactorMaxAge?.count ?? -1), "
            + "at least \(minimumAssurance.name)\(allowsOfflinePassword ? ", offline too" : "")"
    }
}

extension AuditEventKind {
    /// Whether it tells of a change that stays.
    fileprivate var isChange: Bool {
        switch self {
        case .biometricSuccess, .biometricFailure, .passwordFallback, .passwordFailure, .systemSuccess, .systemFailure,
            .ledgerUnreliable, .vaultTampered, .olderCopyFound, .trailBegun:
            false
        default: true
        }
    }
}
