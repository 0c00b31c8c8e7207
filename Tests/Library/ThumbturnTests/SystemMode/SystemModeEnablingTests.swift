import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

@Suite struct SystemModeEnablingTests {
    @Test(.holds("S-02", "S-04"))
    func `the PIN turns it on: 32 random bytes behind any finger or the passcode, this device only`()
        async throws
    {
        let (made, _, wallet) = try await TestVault.inSystemMode()
        let slot = try made.slot(.system)
        let item = try #require(slot.item)
        let expected = ItemDescription(access: .anyBiometryOrPasscode, staysOnDevice: true)
        #expect(try await made.simulated.describe(item) == expected)
        try made.simulated.simulate(.finger(.match))
        let released = try await made.simulated.read(item, prompt: TestVault.words)
        #expect(released.byteCount == 32)
        let snapshot = try await made.look()
        #expect(snapshot.mode == .system && snapshot.state == .unlocked(.full) && snapshot.isAuthentic == true)
        #expect(snapshot.slots.map(\.kind).sorted { $0.rawValue < $1.rawValue } == [.recovery, .system])
        #expect(made.log.count(.systemEnabled) == 1)
        #expect(try await made.secret(of: wallet.id) == "a secret of many words")
    }

    @Test(.holds("S-02")) func `each time there are other bytes under another name`() async throws {
        let (made, _, _) = try await TestVault.inSystemMode()
        let first = try made.slot(.system)
        let bytes = try await made.released(by: first)
        try await made.disableSystem(to: TestVault.pin)
        try await made.strong()
        try await made.enableSystem()
        let second = try made.slot(.system)
        #expect(first.item != second.item && first.salt != second.salt && first.id != second.id)
        let others = try await made.released(by: second)
        #expect(bytes.count == 32 && others.count == 32 && bytes != others)
    }

    @Test(.holds("S-03")) func `only one mode holds a key in the store, before and after either change`() async throws {
        let made = try await TestVault.make(biometrics: true)
        _ = try await made.makeRecoveryKey()
        #expect(try made.held == ["biometric"] + TestVault.heldByPIN)
        try await made.enableSystem()
        #expect(try made.held == ["system"])
        #expect(try made.contents().ledger == nil && made.contents().leftovers.isEmpty)
        try await made.disableSystem()
        #expect(try made.held == TestVault.heldByPIN)
        #expect(try made.slots().allSatisfy { $0.kind == .localSecret || $0.kind == .recovery })
    }

    @Test(.holds("C20", "A21")) func `no wallet is sealed anew by either change`() async throws {
        let made = try await TestVault.make()
        for number in 1...20 { try await made.add("Wallet \(number)") }
        _ = try await made.makeRecoveryKey()
        let before = try made.wallets()
        try await made.enableSystem()
        #expect(try made.wallets() == before)
        try await made.disableSystem()
        #expect(try made.wallets() == before && before.count == 20)
    }

    @Test(.holds("S-04")) func `every other way in is the system's, so a recovery key that was typed back comes first`()
        async throws
    {
        let made = try await TestVault.make()
        #expect(await refusal { try await made.enableSystem() } == .recoveryKeyRequired)
        _ = try await made.makeRecoveryKey(confirming: false)
        let before = try made.rows()
        #expect(await refusal { try await made.enableSystem() } == .recoveryKeyRequired)
        #expect(try made.rows().count == before.count && made.held == TestVault.heldByPIN)
        _ = try await made.makeRecoveryKey()
        try await made.enableSystem()
    }

    @Test(.holds("S-04"))
    func `without a passcode, on a weaker device, under an account's policy it is refused, and says why`()
        async throws
    {
        let simulated = SimulatedDevice()
        let made = try await TestVault.make(on: simulated)
        _ = try await made.makeRecoveryKey()
        try simulated.simulate(.passcodeOff)
        #expect(await refusal { try await made.enableSystem() } == .passcodeMissing)
        // Where the sensor's absence is all that the device tells, the store says it.
        try simulated.simulate(.sensor(.none))
        #expect(await refusal { try await made.enableSystem() } == .passcodeMissing)
        #expect(try made.held == TestVault.heldByPIN && made.contents().leftovers.isEmpty)
        try simulated.simulate(.passcodeOn)
        try await made.enableSystem()

        var heard = TestVault.policy
        heard.maxOfflineAge = .days(7)
        for (policy, code) in [(VaultPolicy.wallet, ErrorCode.assuranceTooLow), (heard, .systemModeNotOffered)] {
            let phone = SimulatedDevice()
            let keychain = WatchedDevice(phone, worth: { .osKeychain }) { _ in }.device
            let other = try await TestVault.make(policy: policy, on: phone, seenAs: keychain)
            _ = try await other.makeRecoveryKey()
            let before = try other.held
            #expect(await refusal { try await other.enableSystem() } == code)
            #expect(try other.held == before)
            #expect(try await other.look().mode == .local)
        }
    }

    @Test(.holds("S-04")) func `it asks for consent to its own warning, given just before and not in the future`()
        async throws
    {
        let made = try await TestVault.make()
        _ = try await made.makeRecoveryKey()
        let later = SystemModeConsent(to: .enabling, ownerAgreedAt: made.device.clock().after(.minutes(7)))
        let old = made.consent(to: .enabling)
        try made.advance(.minutes(5) + Milliseconds(1))
        for consent in [made.consent(to: .disabling), later, old] {
            let code = await refusal {
                try await made.vault.enableSystemAuthentication(try TestVault.offer, consent, try await made.strong())
            }
            #expect(code == .consentMissing)
        }
        #expect(try await made.look().mode == .local)
    }

    @Test(.holds("C5", "A61")) func `it asks for the PIN or recovery key of the last sixty seconds, in this session`()
        async throws
    {
        let made = try await TestVault.make()
        let key = try await made.makeRecoveryKey()
        let old = Held(try await made.strong())
        try made.advance(.seconds(60) + Milliseconds(1))
        let consent = made.consent(to: .enabling)
        let enable = { (authorization: Held<StrongAuthorization>) in
            try await made.vault.enableSystemAuthentication(try TestVault.offer, consent, authorization.take())
        }
        #expect(await refusal { try await enable(old) } == .authorizationExpired)
        let former = Held(try await made.strong())
        await made.vault.lock()
        #expect(await refusal { try await enable(former) } == .locked)
        let recovered = Held(try await made.vault.unlock(withRecoveryKey: SecretBytes(text: key)))
        try await enable(recovered)
        #expect(try await made.look().mode == .system)
        // Once more is refused by name.
        #expect(await refusal { try await enable(Held(try await made.system())) } == .systemModeOnly)
    }

    @Test(.holds("A32"), arguments: [SimulatedFault.droppedAccess, .droppedDeviceOnly])
    func `a platform that keeps the key less well is refused, and nothing is left`(fault: SimulatedFault)
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        _ = try await made.makeRecoveryKey()
        let before = try made.held
        let authorization = Held(try await made.strong())
        try made.simulated.simulate(.fault(fault))
        let code = await refusal {
            try await made.vault.enableSystemAuthentication(
                try TestVault.offer,
                made.consent(to: .enabling),
                authorization.take()
            )
        }
        #expect(code == .protectionDropped)
        #expect(try made.held == before && made.contents().leftovers.isEmpty)
        try await made.strong()
        await made.vault.lock()
        try await made.touch()
    }

    @Test(.holds("S-01"))
    func `the flag offers to whom it names; a list has comments, blank lines, and a star for all`() throws {
        let list = SystemModeFlag(list: "# trusted\n ada \r\n\ngrace # reviews\n")
        for user in ["ada", "grace"] { #expect(list.offer(to: user) != nil) }
        for user in ["", "Ada", "adagrace", "ada grace", "*", "# trusted", "grace # reviews"] {
            #expect(list.offer(to: user) == nil, "\(user)")
        }
        #expect(SystemModeFlag(list: "ada\n*").offer(to: "anybody") != nil)
        for closed in [
            SystemModeFlag.closed, SystemModeFlag(list: ""), SystemModeFlag(list: "#*"), SystemModeFlag(list: "**"),
        ] {
            #expect(closed.offer(to: "ada") == nil && closed.offer(to: "") == nil)
        }
        #expect(SystemModeFlag(trustedUsers: ["ada"]) == SystemModeFlag(list: "ada"))
        #expect(SystemModeFlag(trustedUsers: ["ada"]).offer(to: "grace") == nil)
    }

    @Test(.holds("S-01", "A58"))
    func `what a flag says is no part of a vault: without an offer nothing is enabled and all else works`()
        async throws
    {
        let made = try await TestVault.make()
        _ = try await made.makeRecoveryKey()
        let rows = try made.rows()
        let counts = made.simulated.counts
        for flag in [SystemModeFlag.open, .closed, SystemModeFlag(trustedUsers: ["ada"]), .open] {
            let obstacle = await made.vault.obstacleToSystemAuthentication(flag.offer(to: "grace"))
            #expect((obstacle == nil) == (flag == .open))
        }
        #expect(try made.rows() == rows && made.simulated.counts == counts)
        try await made.enableSystem()
        // From here on nobody is asked for an offer: the vault opens and leaves the mode with the flag closed.
        await made.vault.lock()
        try await made.system()
        try await made.disableSystem()
        try await made.open(with: TestVault.newPIN)
    }

    @Test(.holds("C15")) func `a finger enables it only where the policy says so, and with a prompt of its own`()
        async throws
    {
        let strict = try await TestVault.make(biometrics: true)
        _ = try await strict.makeRecoveryKey()
        let byFinger = { (made: TestVault) in
            try await made.vault.enableSystemAuthentication(
                try TestVault.offer,
                made.consent(to: .enabling),
                byBiometrics: TestVault.words
            )
        }
        try strict.simulated.simulate(.finger(.match))
        #expect(await refusal { try await byFinger(strict) } == .authorizationExpired)
        #expect(strict.simulated.promptsShown == 0)

        var policy = TestVault.policy
        policy.allowsSystemModeFromBiometrics = true
        let made = try await TestVault.make(policy: policy, biometrics: true)
        _ = try await made.makeRecoveryKey()
        // The session that is open proves nothing, and a stranger's finger ends it.
        try made.simulated.simulate(.finger(.mismatch))
        #expect(await refusal { try await byFinger(made) } == .biometricsNotRecognised)
        #expect(await !made.vault.holdsKey)
        #expect(try await made.look().mode == .local)
        try made.simulated.simulate(.finger(.match))
        try await byFinger(made)
        #expect(made.simulated.promptsShown == 2 && made.log.count(.systemEnabled) == 1)
        #expect(try await made.look().mode == .system)
        #expect(try made.held == ["system"])
    }

    @Test(.holds("A36")) func `a lock that comes while the device stores the key wins, and nothing is left`()
        async throws
    {
        let simulated = SimulatedDevice()
        let made = try await TestVault.make(on: simulated)
        _ = try await made.makeRecoveryKey()
        await made.vault.close()
        let late = Shared<Vault?>(nil)
        let watched = WatchedDevice(simulated) { call in
            // The keys are gone at once; what `lock` then writes waits for the call that is under way.
            guard case .save = call, let vault = late.value else { return }
            Task { await vault.lock() }
            while await vault.isOpen { await Task.yield() }
        }
        let again = try await made.reopened(seenAs: watched.device)
        late.value = again.vault
        #expect(await refusal { try await again.enableSystem() } == .locked)
        late.value = nil
        #expect(try made.held == TestVault.heldByPIN && made.contents().leftovers.isEmpty)
        try await again.strong()
    }
}

extension ClockReading {
    fileprivate func after(_ span: Milliseconds) -> ClockReading {
        ClockReading(wall: wall + span, boottime: boottime + span, bootID: bootID)
    }
}
