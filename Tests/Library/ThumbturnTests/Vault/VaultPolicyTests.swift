import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// The owner changes the policy: what is stricter counts at once, what is laxer once the strong factor is given again.
@Suite struct VaultPolicyTests {
    private func set(
        _ made: TestVault,
        _ change: @Sendable (inout VaultPolicy) -> Void
    ) async throws {
        try await made.vault.setPolicy(made.strong(), change)
    }

    private func reasons(_ made: TestVault) -> [String?] {
        made.log.events.filter { $0.kind == .policyChanged }.map(\.reason)
    }

    @Test(.holds("C17", "INV-107-09")) func `what is stricter counts at once, and in every process`() async throws {
        let made = try await TestVault.make(biometrics: true)
        let other = try await made.reopened()
        try await other.strong()
        try await set(made) {
            $0.locksAfterIdle = .minutes(1)
            $0.locksInBackground = true
            $0.strongFactorAfterIdle = .minutes(10)
        }
        let snapshot = await made.vault.snapshot
        #expect(snapshot.policy.locksAfterIdle == .minutes(1) && snapshot.policy.locksInBackground)
        #expect(snapshot.nextPolicy == nil && snapshot.isAuthentic == true && reasons(made) == ["stricter"])
        await made.vault.enterBackground()
        #expect(await !made.isOpen)
        _ = try await other.look()
        try made.advance(.minutes(1) + Milliseconds(1))
        #expect(await refusal { try await other.vault.wallets() } == .locked)
        let again = try await made.restarted()
        try made.advance(.minutes(10))
        #expect(try await again.look().decision == .requireStrongFactor(.idle))
        #expect(again.log.alarms.isEmpty)
    }

    @Test(.holds("INV-107-01", "C15"))
    func `what is laxer waits for the PIN, and neither finger, recovery key nor a new start is that`() async throws {
        let made = try await TestVault.make(biometrics: true)
        let key = try await made.makeRecoveryKey()
        try await set(made) { $0.strongFactorMaxAge = nil }
        func isWaiting(_ vault: TestVault) async throws -> Bool {
            let snapshot = try await vault.look()
            return snapshot.policy.strongFactorMaxAge == .hours(72) && snapshot.nextPolicy?.strongFactorMaxAge == nil
                && snapshot.nextPolicy != nil
        }
        #expect(try await isWaiting(made) && reasons(made) == ["laxerLater"])
        await made.vault.lock()
        try await made.touch()
        #expect(try await isWaiting(made))
        try await made.vault.unlock(withRecoveryKey: SecretBytes(text: key))
        #expect(try await isWaiting(made))
        let again = try await made.restarted()
        try await again.touch()
        #expect(try await isWaiting(again))
        #expect(await refusal { try await again.guess() } == .strongFactorRefused)
        #expect(try await isWaiting(again))

        try await again.strong()
        let snapshot = try await again.look()
        #expect(snapshot.policy.strongFactorMaxAge == nil && snapshot.nextPolicy == nil)
        #expect(reasons(again) == ["laxer"] && again.log.alarms.isEmpty)
        try made.advance(.hours(100))
        try await again.strong()
        #expect(reasons(again) == ["laxer"])
    }

    @Test func `of one change the stricter part counts at once and the laxer one later`() async throws {
        let made = try await TestVault.make()
        try await set(made) {
            $0.locksAfterIdle = .hours(1)
            $0.strongFactorAfterIdle = .minutes(1)
        }
        let snapshot = await made.vault.snapshot
        #expect(snapshot.policy.locksAfterIdle == .minutes(5) && snapshot.policy.strongFactorAfterIdle == .minutes(1))
        #expect(snapshot.nextPolicy?.locksAfterIdle == .hours(1))
        #expect(snapshot.nextPolicy?.strongFactorAfterIdle == .minutes(1))
        #expect(reasons(made) == ["stricter", "laxerLater"])
        try await made.strong()
        #expect(await made.vault.snapshot.policy == snapshot.nextPolicy)
    }

    @Test func `a second change goes on from what waits, and setting it back withdraws that`() async throws {
        let made = try await TestVault.make()
        let proof = Held(try await made.strong())
        try await made.vault.setPolicy(proof.take()) { $0.locksAfterIdle = .hours(1) }
        // Without the PIN in between, which would let it count.
        let second = Held(try await made.vault.vouch())
        try await made.vault.setPolicy(second.take()) { policy in
            #expect(policy.locksAfterIdle == .hours(1))
            policy.strongFactorMaxAge = .hours(1)
        }
        #expect(await made.vault.snapshot.nextPolicy?.locksAfterIdle == .hours(1))
        let third = Held(try await made.vault.vouch())
        try await made.vault.setPolicy(third.take()) { $0.locksAfterIdle = .minutes(5) }
        let snapshot = await made.vault.snapshot
        #expect(snapshot.nextPolicy == nil && snapshot.policy.locksAfterIdle == .minutes(5))
        #expect(snapshot.policy.strongFactorMaxAge == .hours(1))
        #expect(reasons(made) == ["laxerLater", "stricter", "laxerLater", "withdrawn"])
    }

    @Test func `a change to what is already so writes nothing`() async throws {
        let made = try await TestVault.make()
        let proof = Held(try await made.strong())
        let head = try made.contents().head
        try await made.vault.setPolicy(proof.take()) { $0.locksAfterIdle = .minutes(5) }
        #expect(try made.contents().head == head && reasons(made) == [])
    }

    @Test(.holds("A61")) func `it takes the strong factor, given within the minute, in this session`() async throws {
        let made = try await TestVault.make()
        let old = Held(try await made.strong())
        try made.advance(.seconds(60) + Milliseconds(1))
        #expect(
            await refusal { try await made.vault.setPolicy(old.take()) { $0.locksInBackground = true } }
                == .authorizationExpired
        )
        let former = Held(try await made.strong())
        await made.vault.lock()
        try await made.strong()
        #expect(
            await refusal { try await made.vault.setPolicy(former.take()) { $0.locksInBackground = true } }
                == .authorizationExpired
        )
        #expect(await made.vault.snapshot.policy == TestVault.policy)
    }

    @Test(.holds("C6")) func `what is no policy of this vault is refused, and nothing changes`() async throws {
        let made = try await TestVault.make()
        let changes: [@Sendable (inout VaultPolicy) -> Void] = [
            { $0.strongFactor = .accountPassword }, { $0.locksAfterIdle = Milliseconds(-1) },
            { $0.locksAfterIdle = .zero }, { $0.strongFactorMaxAge = Milliseconds(.max) },
            { $0.maxOfflineAge = .days(7) }, { $0.allowsOfflinePassword = true },
        ]
        for change in changes {
            #expect(await refusal { try await set(made, change) } == .usage)
            #expect(await made.vault.snapshot.policy == TestVault.policy)
        }
        #expect(await made.isOpen && reasons(made) == [])
    }

    @Test(.holds("C14", "B-06")) func `a least assurance that the finger's key is below takes the finger out with it`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        try await set(made) { $0.minimumAssurance = .osKeychain }
        let snapshot = try await made.look()
        #expect(snapshot.biometrics == .disabled && snapshot.policy.minimumAssurance == .osKeychain)
        #expect(made.log.events.first { $0.kind == .biometricDisabled }?.reason == "policy")
        #expect(try made.held == TestVault.heldByPIN && made.contents().leftovers.isEmpty)
        #expect(await refusal { try await made.enableBiometrics() } == .assuranceTooLow)
        // Back is laxer, so it takes the PIN once more.
        try await set(made) { $0.minimumAssurance = .simulated }
        try await made.enableBiometrics()
    }

    @Test(.holds("A56")) func `a least assurance that would shut the PIN out is refused`() async throws {
        let made = try await TestVault.make()
        #expect(await refusal { try await set(made) { $0.minimumSecretAssurance = .osKeychain } } == .assuranceTooLow)
        #expect(await made.vault.snapshot.policy == TestVault.policy)
        try await set(made) { $0.minimumSecretAssurance = .simulated }
        try await made.restarted().strong()
    }

    @Test(.holds("A7", "A61")) func `what waits in an older copy never counts, and is gone once that is the vault`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        try await set(made) { $0.strongFactorMaxAge = nil }
        await made.vault.close()
        let copy = try made.folder.read("vault/vault.sqlite")
        let owner = try await made.reopened()
        // It counts with this PIN, and her next command takes it back.
        try await set(owner) { $0.strongFactorMaxAge = .hours(24) }
        #expect(await owner.vault.snapshot.policy.strongFactorMaxAge == .hours(24))
        await owner.vault.close()
        try made.folder.write(copy, to: "vault/vault.sqlite")

        let again = try await made.reopened()
        try made.waitADay()
        for _ in 0..<2 {
            try await again.strong()
            let snapshot = await again.vault.snapshot
            #expect(snapshot.state == .unlocked(.exportOnly) && snapshot.policy.strongFactorMaxAge == .hours(72))
        }
        try await again.acceptOlderCopy()
        try await again.strong()
        let snapshot = try await again.look()
        #expect(snapshot.nextPolicy == nil && snapshot.policy.strongFactorMaxAge == .hours(72))
        #expect(reasons(again) == [])
    }

    @Test(.holds("A7")) func `what waits is authenticated with the rest of the head`() async throws {
        let made = try await TestVault.make(biometrics: true)
        try await set(made) { $0.strongFactorAfterIdle = .hours(1) }
        await made.vault.close()
        let stored = try #require(try made.contents().head)
        var head = try Head(parsing: stored.body)
        head.nextPolicy?.strongFactorAfterIdle = nil
        let body = head.bytes
        try made.editHead { $0 = body }
        let again = try await made.reopened()
        try made.waitADay()
        try await again.strong()
        #expect(await again.state == .unlocked(.exportOnly))
        #expect(await again.vault.snapshot.policy.strongFactorAfterIdle == .minutes(30) && reasons(again) == [])
        #expect(again.log.alarms.contains(.vaultTampered))
    }

    @Test func `a vault that is made of a backup has the rules, and nothing that waited`() async throws {
        let made = try await TestVault.make()
        let key = try await made.makeRecoveryKey()
        try await set(made) {
            $0.locksAfterIdle = .minutes(1)
            $0.strongFactorMaxAge = nil
        }
        try await made.vault.backUp(to: made.folder.file("backup"), made.vault.vouch())
        let target = try TemporaryFolder()
        let vault = try await made.restore(key, into: target, on: SimulatedDevice().device)
        let snapshot = try await vault.refresh()
        #expect(snapshot.policy.locksAfterIdle == .minutes(1) && snapshot.policy.strongFactorMaxAge == .hours(72))
        #expect(snapshot.nextPolicy == nil)
    }

    @Test(.holds("S-06", "C14")) func `in system mode the device's own prompt is the strong factor`() async throws {
        let (made, _, _) = try await TestVault.inSystemMode()
        let proof = Held(try await made.system())
        try await made.vault.setPolicy(proof.take()) {
            $0.locksInBackground = true
            $0.locksAfterIdle = .hours(1)
        }
        #expect(await made.vault.snapshot.policy.locksInBackground)
        #expect(await made.vault.snapshot.policy.locksAfterIdle == .minutes(5))
        let next = Held(try await made.system())
        #expect(await made.vault.snapshot.policy.locksAfterIdle == .hours(1))
        #expect(
            await refusal { try await made.vault.setPolicy(next.take()) { $0.minimumAssurance = .osKeychain } }
                == .assuranceTooLow
        )
        #expect(await made.vault.snapshot.slots.contains { $0.kind == .system })
    }

    @Test(.holds("V-05"), arguments: [Milliseconds(-1), .days(36_501)])
    func `no vault is made with a span that it could not give back`(span: Milliseconds) async throws {
        let made = try TemporaryFolder()
        let changes: [@Sendable (inout VaultPolicy) -> Void] = [
            { $0.locksAfterIdle = span }, { $0.strongFactorAfterIdle = span }, { $0.strongFactorMaxAge = span },
            { $0.maxOfflineAge = span },
        ]
        for change in changes {
            var policy = VaultPolicy.wallet.allowing(.simulated)
            change(&policy)
            let device = SimulatedDevice().device
            let pin = SecretBytes(text: TestVault.pin)
            #expect(
                await refusal { try await Vault.create(in: made.path, device: device, secret: pin, policy: policy) }
                    == .usage
            )
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: made.path).isEmpty)
    }

    private static let kept = OfflineLogin(
        salt: Array(1...16),
        cost: Argon2Parameters(memoryKiB: 19_456, passes: 2),
        envelope: [1, 2, 3]
    )

    @Test(.holds("F-107-05", "C6"))
    func `an account's password opens without its service from the login after the change on, and not a moment longer`()
        async throws
    {
        let account = TestAccount()
        let made = try await TestVault.make(of: account)
        func isKept() throws -> Bool { try made.tamper { try $0.offlineLogin() } != nil }
        let first = Held(try await made.strong(account, offline: Self.kept))
        try await made.vault.setPolicy(first.take()) { $0.allowsOfflinePassword = true }
        #expect(try await !made.look().policy.allowsOfflinePassword && !isKept())
        let second = Held(try await made.strong(account, offline: Self.kept))
        #expect(try await made.look().policy.allowsOfflinePassword && isKept())
        try await made.vault.setPolicy(second.take()) { $0.allowsOfflinePassword = false }
        #expect(try await !made.look().policy.allowsOfflinePassword && !isKept())
    }
}

extension Vault {
    /// What the PIN gave when it opened this session, which a second change needs without the PIN in between.
    fileprivate func vouch() throws -> StrongAuthorization {
        try authorization(by: .localSecret, in: #require(session?.id))
    }
}
