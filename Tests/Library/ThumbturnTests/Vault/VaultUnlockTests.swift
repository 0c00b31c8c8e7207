import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

@Suite struct VaultUnlockTests {
    @Test(.holds("P-107-01")) func `nothing but an opened envelope unlocks`() async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        #expect(await refusal { try await made.guess() } == .strongFactorRefused)
        #expect(await refusal { try await made.touch(.cancel) } == .promptCancelled)
        #expect(await refusal { try await made.vault.wallets() } == .locked)
        #expect(await !made.isOpen)
        #expect(await !made.vault.holdsKey)
    }

    @Test(.holds("K-02", "P-107-06")) func `locking forgets the key at once, for whoever still holds the session`()
        async throws
    {
        let made = try await TestVault.make()
        let wallet = try await made.add("Savings")
        #expect(try await made.secret(of: wallet.id) == "a secret of many words")
        let (isOpen, isForgotten) = await made.vault.lockAndAsk()
        #expect(!isOpen && isForgotten)
        #expect(await refusal { try await made.secret(of: wallet.id) } == .locked)
    }

    @Test(.holds("K-02")) func `in a session every wallet opens with no further prompt`() async throws {
        let made = try await TestVault.make(biometrics: true)
        var wallets: [WalletSummary] = []
        for number in 1...5 { wallets.append(try await made.add("Wallet \(number)", "secret \(number)")) }
        await made.vault.lock()
        try await made.touch()
        for (number, wallet) in wallets.enumerated() {
            #expect(try await made.secret(of: wallet.id) == "secret \(number + 1)")
        }
        #expect(made.simulated.promptsShown == 1)
    }

    @Test(.holds("ERR-107-040")) func `a wrong PIN is refused, counted, told, and changes no session`() async throws {
        let made = try await TestVault.make()
        #expect(await refusal { try await made.guess() } == .strongFactorRefused)
        #expect(await made.isOpen, "the session in which it was entered stays")
        await made.vault.lock()
        #expect(await refusal { try await made.guess(1) } == .strongFactorRefused)
        #expect(await made.state == .requiresStrongFactor(.fallbackChosen))
        #expect(try await made.look().failedAttempts == 2)
        try await made.strong()
        #expect(try await made.look().failedAttempts == 0)
        #expect(made.log.kinds == [.vaultCreated, .passwordFailure, .passwordFailure, .passwordFallback])
    }

    @Test(.holds("F-107-04")) func `an unlock says how long it took, from the call to the session`() async throws {
        let simulated = SimulatedDevice()
        let slow = WatchedDevice(simulated) { call in
            if case .read = call { try? simulated.simulate(.advance(Milliseconds(640))) }
        }
        let made = try await TestVault.make(biometrics: true, on: simulated, seenAs: slow.device)
        await made.vault.lock()
        try await made.touch()
        let event = try #require(made.log.events.last)
        #expect(event.kind == .biometricSuccess && event.unlockDuration == Milliseconds(640))
        #expect(event.biometryType == .touchID)
    }

    @Test(.holds("F-107-04")) func `a success clears the failed prompts`() async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        for _ in 1...2 { #expect(await refusal { try await made.touch(.mismatch) } == .biometricsNotRecognised) }
        #expect(try await made.look().failedBiometricAttempts == 2)
        try await made.touch()
        #expect(try await made.look().failedBiometricAttempts == 0)
    }

    @Test(.holds("A19")) func `whoever holds signals hears of an attempt before it counts and once it has ended`()
        async throws
    {
        let made = try await TestVault.make()
        await made.vault.close()
        let path = made.path
        let heard = Heard()
        var configuration = TestVault.configuration()
        configuration.attempting = { isUnderWay in
            let store = try? VaultStore(openingIn: path, vfs: nil)
            defer { store?.close() }
            let ledger = (try? store?.contents())?.ledger.flatMap { try? Ledger(parsing: $0.body) }
            heard.add("\(isUnderWay) \(ledger.map { Int($0.attempts.failures) } ?? -1)")
        }
        let vault = try await Vault.open(in: path, device: made.device, configuration: configuration)
        try await vault.unlock(with: SecretBytes(text: TestVault.pin))
        await vault.lock()
        #expect(heard.take() == ["true 0", "false 0"])
        _ = await refusal { try await vault.unlock(with: SecretBytes(text: "840275")) }
        #expect(heard.take() == ["true 0", "false 1"])
        _ = await refusal { try await vault.unlock(with: SecretBytes(text: "not\ta PIN")) }
        #expect(heard.take().isEmpty, "what is no attempt holds nothing")
    }

    @Test func `a finger does not clear wrong PINs`() async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        for number in 1...3 { #expect(await refusal { try await made.guess(number) } == .strongFactorRefused) }
        try await made.touch()
        #expect(try await made.look().failedAttempts == 3)
    }

    @Test(.holds("C5")) func `the PIN becomes a password and a PIN again, and biometrics stay`() async throws {
        let made = try await TestVault.make(biometrics: true)
        let salt = try made.slot(.localSecret).salt
        try await made.vault.changeLocalSecret(to: SecretBytes(text: "longer and longer"), try await made.strong())
        #expect(try made.slot(.localSecret).salt != salt)
        await made.vault.lock()
        #expect(await refusal { try await made.strong() } == .strongFactorRefused)
        let authorization = try await made.vault.unlock(with: SecretBytes(text: "longer and longer"))
        try await made.vault.changeLocalSecret(to: SecretBytes(text: TestVault.pin), authorization)
        await made.vault.lock()
        try await made.strong()
        await made.vault.lock()
        try await made.touch()
        #expect(made.log.count(.localSecretChanged) == 2)
    }

    @Test(
        .holds("A19"),
        arguments: [
            "840275\t", "Savings\tozone drill", "4938\u{7}17", String(repeating: "4", count: 1_025),
        ]
    )
    func `what can be no PIN is tried as none, locked or open`(secret: String) async throws {
        let made = try await TestVault.make()
        for opens in [true, false] {
            if !opens { await made.vault.lock() }
            for _ in 1...4 {
                let code = await refusal { try await made.vault.unlock(with: SecretBytes(text: secret)) }
                #expect(code == .secretMalformed)
            }
            #expect(await made.isOpen == opens)
            let looked = try await made.look()
            #expect(looked.failedAttempts == 0 && looked.nextAttempt == .allowed)
        }
        #expect(made.log.count(.passwordFailure) == 0)
        try await made.strong()
    }

    @Test(
        .holds("A59"),
        arguments: [
            ("12345", ErrorCode.secretTooShort), ("000000", .secretTooCommon), ("123456", .secretTooCommon),
            ("112233", .secretTooCommon), ("password", .secretTooCommon), ("short", .secretTooShort),
            ("with\u{7}bell", .secretMalformed),
        ]
    )
    func `a guessable secret is refused at creation and at a change`(secret: String, code: ErrorCode) async throws {
        let folder = try TemporaryFolder()
        let device = SimulatedDevice().device
        let refused = await refusal {
            try await Vault.create(in: folder.file("vault"), device: device, secret: SecretBytes(text: secret))
        }
        #expect(refused == code)
        #expect(await refusal { try await Vault.open(in: folder.file("vault"), device: device) } == .vaultMissing)

        let made = try await TestVault.make()
        let unchanged = await refusal {
            try await made.vault.changeLocalSecret(to: SecretBytes(text: secret), try await made.strong())
        }
        #expect(unchanged == code)
        try await made.restarted().strong()
    }

    @Test(.holds("K-10")) func `whatever is done to biometrics, recovery and PIN, the PIN goes on opening`()
        async throws
    {
        let seed: UInt64 = 0x4B2D_3130
        var numbers = SeededGenerator(seed: seed)
        let made = try await TestVault.make()
        let wallet = try await made.add("Savings")
        for step in 1...60 {
            let action = Int.random(in: 0..<9, using: &numbers)
            _ = await refusal {
                switch action {
                case 0: try await made.enableBiometrics()
                case 1: try await made.vault.disableBiometrics(try await made.strong())
                case 2: try made.simulated.simulate(.enroll)
                case 3: try made.simulated.simulate(.unenroll)
                case 4: _ = try await made.makeRecoveryKey(confirming: Bool.random(using: &numbers))
                case 5: try await made.vault.removeRecoveryKey(try await made.strong())
                case 6:
                    let pin = SecretBytes(text: TestVault.pin)
                    try await made.vault.changeLocalSecret(to: pin, try await made.strong())
                case 7: try made.simulated.simulate(.reinstall)
                default: try await made.touch([.match, .mismatch, .cancel].randomElement(using: &numbers) ?? .match)
                }
            }
            let other = try await made.reopened()
            try await other.strong()
            #expect(try await other.secret(of: wallet.id) == "a secret of many words", "seed \(seed), step \(step)")
            await other.vault.close()
        }
    }
}

extension Vault {
    /// Locks, and looks at the session that was open from inside: whether one is, and whether the old one lost its key.
    fileprivate func lockAndAsk() async -> (isOpen: Bool, isForgotten: Bool) {
        let held = session
        await lock()
        do {
            try held?.withMasterKey { _ in }
            return (session != nil, false)
        } catch {
            return (session != nil, error.code == .locked)
        }
    }
}

/// What was told, in order.
private final class Heard: @unchecked Sendable {
    // Safe to share: one call of a vault at a time tells it something, and the test looks between two.
    private var told: [String] = []

    func add(_ text: String) { told.append(text) }

    func take() -> [String] {
        defer { told = [] }
        return told
    }
}
