import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// A vault under seed 002's own policy, whose password a service answers for.
@Suite struct AccountVaultTests {
    private func refusal(_ body: () async throws -> Void) async -> ErrorCode? {
        do {
            try await body()
            return nil
        } catch { return (error as? VaultError)?.code }
    }

    @Test(.holds("F-107-02", "F-107-04", "F-107-05"))
    func `the password opens it, then the finger, and no PIN does`() async throws {
        let account = TestAccount()
        let made = try await TestVault.make(of: account, biometrics: true)
        let wallet = try await made.add("Main")
        await made.vault.lock()
        try await made.touch()
        #expect(try await made.secret(of: wallet.id) == "a secret of many words")
        let again = try await made.restarted()
        #expect(await again.vault.snapshot.slots.map(\.kind).contains(.password))
        #expect(await refusal { try await again.strong() } == .accountRequired)
        try await again.strong(account)
        #expect(try await again.secret(of: wallet.id) == "a secret of many words")
        #expect(again.log.kinds.last == .passwordFallback)
    }

    @Test(.holds("F-107-05"))
    func `a password that the service refused is one failure, and the vault counts none of its own`()
        async throws
    {
        let account = TestAccount()
        let made = try await TestVault.make(of: account).restarted()
        for _ in 0..<12 {
            #expect(await refusal { try await made.vault.refuseAccountPassword() } == .strongFactorRefused)
        }
        #expect(made.log.count(.passwordFailure) == 12)
        #expect(await made.vault.snapshot.failedAttempts == 0)
        try await made.strong(account)
        #expect(await made.isOpen)
    }

    @Test(.holds("F-107-09")) func `the finger dies of an epoch that rose, and the next login opens and seals anew`()
        async throws
    {
        let account = TestAccount()
        let made = try await TestVault.make(of: account, biometrics: true)
        let former = try made.slot(.password)
        await made.vault.lock()
        account.changePassword()
        try await made.vault.accept(.epoch(account.epoch))
        #expect(await made.vault.snapshot.biometrics == .revoked(.passwordChanged))
        #expect(await refusal { try await made.touch() } == .securityEventMissing)
        try await made.strong(account)
        #expect(await made.vault.snapshot.biometrics == .disabled)
        let newer = try made.slot(.password)
        #expect(newer.id != former.id && newer.accountKey != former.accountKey && newer.item != former.item)
        account.dropFormerKeys()
        let again = try await made.restarted()
        try await again.strong(account)
        #expect(await again.isOpen)
        #expect(made.log.kinds.filter { $0 == .biometricDisabled }.count == 1)
    }

    @Test(.holds("F-107-09", "A51"))
    func `an epoch that fell, and a device that is listed no more, disable the finger too`()
        async throws
    {
        for word in [ServiceAnswer.epoch(4), .deviceRevoked] {
            let account = TestAccount()
            account.setEpoch(5)
            let made = try await TestVault.make(of: account, biometrics: true)
            await made.vault.lock()
            try await made.vault.accept(word)
            #expect(await made.vault.snapshot.biometrics == .revoked(.serverWordMissing))
            #expect(await refusal { try await made.touch() } == .securityEventMissing)
        }
    }

    @Test(.holds("F-107-09", "A50"))
    func `the finger dies of the server's silence at the first look past the age, to the millisecond`()
        async throws
    {
        let account = TestAccount()
        let week = Milliseconds.days(7)
        let steps = Milliseconds.minutes(29)
        let made = try await TestVault.make(of: account, biometrics: true)
        await made.vault.lock()
        var passed = Milliseconds.zero
        while passed + steps < week {
            try made.advance(steps)
            passed = passed + steps
            try await made.touch()
            await made.vault.lock()
        }
        try made.advance(week - passed)
        _ = try await made.look()
        #expect(await made.vault.snapshot.biometrics == .enabled)
        try made.advance(Milliseconds(1))
        _ = try await made.look()
        #expect(await made.vault.snapshot.biometrics == .revoked(.serverWordMissing))
    }

    @Test(.holds("F-107-09")) func `a contact before the look is no silence`() async throws {
        let account = TestAccount()
        let made = try await TestVault.make(of: account, biometrics: true)
        await made.vault.close()
        try made.advance(.days(8))
        let again = try await Vault.open(
            FoundVault(in: made.path),
            device: made.device,
            configuration: TestVault.configuration()
        ) { known in
            known.account.userID == account.userID ? .epoch(account.epoch) : nil
        }
        #expect(await again.snapshot.biometrics == .enabled)
        await again.close()
        let silent = try await made.reopened()
        #expect(await silent.vault.snapshot.biometrics == .enabled)
    }

    @Test(.holds("F-107-08")) func `a clock that makes no sense demands the password and disables nothing`()
        async throws
    {
        let account = TestAccount()
        let made = try await TestVault.make(of: account, biometrics: true)
        await made.vault.lock()
        try made.simulated.simulate(.clock(.zero - .days(365)))
        #expect(await refusal { try await made.touch() } == .sessionExpired)
        try made.simulated.simulate(.reboot)
        #expect(await refusal { try await made.touch() } == .sessionExpired)
        #expect(await made.vault.snapshot.biometrics == .enabled)
    }

    @Test(.holds("A51")) func `a head that somebody edited is no word of the service's`() async throws {
        let account = TestAccount()
        let made = try await TestVault.make(of: account, biometrics: true)
        await made.vault.close()
        func lastWord() throws -> ClockReading? {
            try Ledger(parsing: #require(made.contents().ledger).body).lastServerContact
        }
        let former = try #require(try lastWord())
        try made.advance(.days(8))
        try made.tamper { store in
            let stored = try #require(try store.contents().head)
            var head = try Head(parsing: stored.body)
            head.generation += 1
            try store.setHead(VaultStore.TaggedRow(body: head.bytes, mac: stored.mac))
        }
        let again = try await Vault.open(
            FoundVault(in: made.path),
            device: made.device,
            configuration: TestVault.configuration()
        ) { _ in .epoch(account.epoch) }
        #expect(former.wall != again.now.wall)
        #expect(try lastWord() == former)
    }

    @Test func `where the slot of its password is lost no service is asked, and a PIN opens nothing`() async throws {
        let account = TestAccount()
        let made = try await TestVault.make(of: account, biometrics: true)
        let slot = try made.slot(.password)
        try made.tamper { try $0.removeSlot(slot.id) }
        await made.vault.close()
        let asked = Counter()
        let opened = try await Vault.open(FoundVault(in: made.path), device: made.device) { _ in
            _ = asked.next()
            return .epoch(account.epoch)
        }
        #expect(await opened.account == nil && asked.count == 0)
        #expect(await refusal { _ = try await opened.requiredAccount } == .keyMissing)
        #expect(
            await refusal { try await opened.unlock(with: SecretBytes(text: TestVault.pin)) } == .accountRequired
        )
    }

    /// A policy by which the recovery key opens fully gives no PIN either.
    @Test(.holds("P-107-01"), arguments: [false, true])
    func `the recovery key exports, and makes no PIN`(opensFully: Bool) async throws {
        let account = TestAccount()
        var policy = TestVault.accountPolicy
        policy.recoveryOpensFully = opensFully
        let made = try await TestVault.make(of: account, policy: policy)
        let wallet = try await made.add("Main")
        let key = try await made.vault.createRecoveryKey(try await made.strong(account)) { $0.exposedText }
        try await made.vault.confirmRecoveryKey(SecretBytes(text: key), try await made.strong(account))
        await made.vault.lock()
        let code = await refusal {
            try await made.vault.recover(with: SecretBytes(text: key), newSecret: SecretBytes(text: TestVault.pin))
        }
        #expect(code == .exportOnly)
        #expect(try await made.secret(of: wallet.id) == "a secret of many words")
        #expect(try made.slots().allSatisfy { $0.kind != .localSecret })
    }

    @Test(.holds("P-107-01")) func `a backup exports, and makes no vault with a PIN`() async throws {
        let account = TestAccount()
        let made = try await TestVault.make(of: account)
        try await made.add("Main")
        let key = try await made.vault.createRecoveryKey(try await made.strong(account)) { $0.exposedText }
        try await made.vault.confirmRecoveryKey(SecretBytes(text: key), try await made.strong(account))
        try await made.vault.backUp(to: made.folder.file("backup"), made.strong(account))
        let code = await refusal {
            _ = try await Vault.restore(
                from: made.folder.file("backup"),
                in: made.folder.file("restored"),
                device: made.device,
                recoveryKey: SecretBytes(text: key),
                newSecret: SecretBytes(text: TestVault.pin),
                configuration: TestVault.configuration()
            )
        }
        #expect(code == .exportOnly)
        #expect(
            await refusal { _ = try await Vault.open(in: made.folder.file("restored"), device: made.device) }
                == .vaultMissing
        )
    }

    @Test func `a note that somebody plants deletes no key of the device`() async throws {
        let account = TestAccount()
        let made = try await TestVault.make(of: account)
        let key = try #require(await made.vault.account).deviceKey
        try made.tamper { try $0.addLeftover(key) }
        let again = try await made.restarted()
        try await again.strong(account)
        #expect(try await made.simulated.describe(key) != nil)
    }

    @Test func `an envelope without the slot's key, and another account, open nothing and change nothing`() async throws
    {
        let account = TestAccount()
        let made = try await TestVault.make(of: account).restarted()
        let before = try made.contents()
        let known = try #require(await made.vault.account)
        let stranger = TestAccount()
        #expect(await refusal { _ = try await made.vault.unlock(with: stranger.opening(known)) } == .accountKeyMissing)
        let device = AccountDevice(id: known.device, key: known.deviceKey, publicKey: [])
        let other = stranger.identity(device)
        #expect(await refusal { _ = try await made.vault.unlock(with: stranger.opening(other)) } == .accountMismatch)
        #expect(try made.contents().head == before.head)
        try await made.strong(account)
        #expect(await made.isOpen)
    }

    @Test func `the key that signs for the device outlives restarts, is renewed, and goes at a reset`() async throws {
        let account = TestAccount()
        let made = try await TestVault.make(of: account)
        let again = try await made.restarted()
        let known = try #require(await again.vault.account)
        let key = try await made.vault.publicKey(of: known.deviceKey)
        try P256.verify(signature: await again.device.sign([1], by: known.deviceKey), of: [1], publicKey: key)
        let device = try await again.vault.renewDevice()
        _ = try await again.look()
        _ = try await again.vault.unlock(with: account.opening(account.identity(device)))
        let renewed = try await again.restarted()
        #expect(await renewed.vault.account?.deviceKey == device.key)
        // It signs what the service has not got yet.
        #expect(try await made.simulated.describe(known.deviceKey) != nil)
        let signature = try await renewed.device.sign([1], by: device.key)
        try P256.verify(signature: signature, of: [1], publicKey: device.publicKey)
        try await renewed.vault.reset(ResetConfirmation(typed: ResetConfirmation.phrase))
        #expect(try await made.simulated.describe(device.key) == nil)
    }

    @Test func `a login that was begun before the device was renewed brings no key back that is gone`() async throws {
        let account = TestAccount()
        let made = try await TestVault.make(of: account)
        let stale = try #require(await made.vault.account)
        let device = try await made.vault.renewDevice()
        _ = try await made.vault.unlock(with: account.opening(account.identity(device)))
        account.changePassword()
        _ = try await made.vault.unlock(with: account.opening(stale))
        #expect(await made.vault.account?.deviceKey == device.key)
        let signature = try await made.device.sign([1], by: device.key)
        try P256.verify(signature: signature, of: [1], publicKey: device.publicKey)
        #expect(try await made.vault.accountKey == account.envelopeKeys().newest)
    }

    @Test(.holds("F-107-09"))
    func `a risen epoch that was written just before a stop has ended what opens without the service`()
        async throws
    {
        let account = TestAccount()
        var policy = TestVault.accountPolicy
        policy.allowsOfflinePassword = true
        let made = try await TestVault.make(of: account, policy: policy)
        try await made.strong(account, offline: Self.kept)
        await made.vault.lock()
        account.changePassword()
        // The row is stored, and the anchor does not follow.
        made.simulated.interceptor = { call in
            if case .anchorMove = call { throw DeviceRefusal.unavailable }
            return .proceed
        }
        _ = await refusal { try await made.vault.accept(.epoch(account.epoch)) }
        made.simulated.interceptor = nil
        try await made.vault.accept(.epoch(account.epoch))
        #expect(try Ledger(parsing: #require(made.contents().ledger).body).policyEpoch == account.epoch)
        #expect(try made.tamper { try $0.offlineLogin() } == nil)
    }

    @Test func `a vault that was begun and not made leaves nothing behind`() async throws {
        let account = TestAccount()
        let made = try await TestVault.make(of: account)
        let folder = made.folder.file("second")
        let (vault, device) = try await Vault.begin(in: folder, device: made.device, policy: TestVault.accountPolicy)
        await vault.close()
        #expect(try await made.simulated.describe(device.key) != nil)
        let (next, _) = try await Vault.begin(in: folder, device: made.device, policy: TestVault.accountPolicy)
        #expect(try await made.simulated.describe(device.key) == nil)
        await next.close()
    }

    @Test(.holds("F-107-05"))
    func `without the service the password opens where the policy says so, forgives nothing, and guesses are counted`()
        async throws
    {
        let account = TestAccount()
        var policy = TestVault.accountPolicy
        policy.allowsOfflinePassword = true
        let made = try await TestVault.make(of: account, policy: policy, biometrics: true)
        try made.simulated.simulate(.finger(.mismatch))
        await made.vault.lock()
        _ = await refusal { _ = try await made.vault.unlockWithBiometrics(TestVault.words) }
        try await made.strong(account, offline: Self.kept)
        await made.vault.lock()
        try made.simulated.simulate(.finger(.mismatch))
        _ = await refusal { _ = try await made.vault.unlockWithBiometrics(TestVault.words) }
        let before = try Ledger(parsing: #require(made.contents().ledger).body)
        #expect(before.biometricFailures == 1)
        try made.advance(.seconds(5))
        try await made.vault.unlockOffline { login in login == Self.kept ? try? account.envelopeKeys() : nil }
        #expect(await made.isOpen)
        let after = try Ledger(parsing: #require(made.contents().ledger).body)
        #expect(after.biometricFailures == 1 && after.attempts.failures == 0)
        #expect(after.lastStrongAuthentication == before.lastStrongAuthentication)
        await made.vault.lock()
        // Its use dates nothing: the finger's idle time goes on.
        #expect(try Ledger(parsing: #require(made.contents().ledger).body).lastUse == before.lastUse)
        for _ in 0..<4 {
            #expect(await refusal { try await made.vault.unlockOffline { _ in nil } } == .strongFactorRefused)
        }
        #expect(await refusal { try await made.vault.unlockOffline { _ in nil } } == .attemptDelayed)
        // What the service has answered for waits for nothing, and clears the count.
        try await made.strong(account, offline: Self.kept)
        #expect(await made.vault.snapshot.failedAttempts == 0)
    }

    @Test(.holds("F-107-05", "F-107-09"))
    func `what opens without the service goes with a risen epoch, a revoked device and its silence`()
        async throws
    {
        for end in 0..<4 {
            let account = TestAccount()
            var policy = TestVault.accountPolicy
            policy.allowsOfflinePassword = end != 3
            let made = try await TestVault.make(of: account, policy: policy)
            try await made.strong(account, offline: Self.kept)
            #expect(try made.tamper { try $0.offlineLogin() } != nil || end == 3)
            await made.vault.lock()
            switch end {
            case 0:
                account.changePassword()
                try await made.vault.accept(.epoch(account.epoch))
            case 1: try await made.vault.accept(.deviceRevoked)
            case 2:
                try made.advance(.days(7) + Milliseconds(1))
                _ = try await made.look()
            default: break
            }
            #expect(try made.tamper { try $0.offlineLogin() } == nil)
            #expect(
                await refusal { try await made.vault.unlockOffline { _ in try? account.envelopeKeys() } }
                    == .serviceUnreachable
            )
        }
    }

    @Test(.holds("A50", "F-107-09"))
    func `a head that somebody edited does not say how long what opens without the service may stay`() async throws {
        let account = TestAccount()
        var policy = TestVault.accountPolicy
        policy.allowsOfflinePassword = true
        let made = try await TestVault.make(of: account, policy: policy)
        try await made.strong(account, offline: Self.kept)
        await made.vault.close()
        try made.advance(.days(8))
        try made.tamper { store in
            let stored = try #require(try store.contents().head)
            var head = try Head(parsing: stored.body)
            head.policy.maxOfflineAge = nil
            try store.setHead(VaultStore.TaggedRow(body: head.bytes, mac: stored.mac))
        }
        let again = try await made.reopened()
        #expect(
            await refusal { try await again.vault.unlockOffline { _ in try? account.envelopeKeys() } }
                == .serviceUnreachable
        )
    }

    private static let kept = OfflineLogin(
        salt: [UInt8](repeating: 7, count: 16),
        cost: .init(memoryKiB: 19_456, passes: 2),
        envelope: [1]
    )

    @Test(.holds("A21")) func `a new master key, and the password opens as before`() async throws {
        let account = TestAccount()
        let made = try await TestVault.make(of: account, biometrics: true)
        let wallet = try await made.add("Main")
        let known = try #require(await made.vault.account)
        let former = try made.slot(.password)
        let opening = try account.opening(known)
        try await made.vault.rekey(with: opening, recoveryKey: nil, made.strong(account))
        #expect(try made.slot(.password).key != former.key && made.slots().count == 2)
        let again = try await made.restarted()
        try await again.strong(account)
        #expect(try await again.secret(of: wallet.id) == "a secret of many words")
        await again.vault.lock()
        try await again.touch()
    }
}
