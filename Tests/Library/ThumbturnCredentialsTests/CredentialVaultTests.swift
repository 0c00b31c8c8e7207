import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnCredentials

/// What the credential vault does when nothing goes wrong, and how each state says no.
@Suite struct CredentialVaultTests {
    typealias Machine = CredentialVaultMachine

    /// Some values of what Swift can write down.
    struct Everything: Codable, Hashable, Sendable {
        var numbers = [1.5, -2, 1e300]
        var nested = ["a": ["b": UInt64.max], "": [:]]
        var nothing: Int?
        var date = Date(timeIntervalSince1970: 1_700_000_000.25)
        var bytes = Data([0, 255, 10])
        var text = "é\u{0}\"\\\n🔑"
    }

    @Test(.holds("V-01")) func `any credentials come back as they were, with biometrics and without`() async throws {
        func roundTrip<Value: Codable & Hashable & Sendable>(_ value: Value) async throws {
            let made = try await TestCredentials.make()
            for (name, isBehind) in [("plain", false), ("behind", true)] {
                func open() async throws -> CredentialVault<Value> {
                    try await CredentialVault.open(named: CredentialName(name), in: made.path, device: made.device)
                }
                try made.simulated.simulate(.finger(.match))
                if isBehind {
                    try await open().enableSecureVaultWithBiometrics(saving: value, TestCredentials.words)
                    try made.simulated.simulate(.finger(.match))
                    #expect(try await open().unlockWithBiometrics(TestCredentials.words) == value)
                } else {
                    try await open().enableKeychainVault(saving: value)
                    #expect(try await open().credentials() == value)
                }
            }
        }
        try await roundTrip(Tokens.sample)
        try await roundTrip(Everything())
        try await roundTrip("one text")
        try await roundTrip([String: Int]())
        try await roundTrip(Int?.none)
    }

    @Test(.holds("V-02", "V-03")) func `the whole life of credentials, each step kept through a restart`() async throws
    {
        let made = try await TestCredentials.make()
        #expect(await made.state == .ready)
        try await made.vault.enableKeychainVault(saving: .sample)
        #expect(try await made.reopened().vault.credentials() == .sample)

        try await made.upgrade()
        #expect(await made.state == .biometricsSecured)
        #expect(try await made.vault.credentials() == .sample)
        #expect(try await made.reopened().state == .locked)

        try await made.vault.lock()
        #expect(await made.state == .locked)
        #expect(try await made.unlock() == .sample)
        #expect(await made.state == .biometricsSecured)

        try await made.vault.downgradeBiometricsToKeychain(TestCredentials.words)
        #expect(await made.state == .keychainSecured)
        #expect(try await made.reopened().vault.credentials() == .sample)

        try await made.vault.reset()
        #expect(await made.state == .ready)
        try await made.touching { try await $0.enableSecureVaultWithBiometrics(saving: .sample, TestCredentials.words) }
        try await made.vault.disableBiometricsSecureVault()
        #expect(await made.state == .ready)
        #expect(try await made.reopened().state == .ready)
        #expect(try await made.items().isEmpty)
    }

    /// What each state refuses, and with which code (V-03, V-04); it does what is not named here.
    private static let refusals: [Machine.State: [Machine.Request: ErrorCode]] = [
        .unavailable: [
            .enableSecureVaultWithBiometrics: .credentialsUnavailable,
            .upgradeKeychainWithBiometrics: .credentialsUnavailable,
            .downgradeBiometricsToKeychain: .credentialsUnavailable,
            .disableBiometricsSecureVault: .credentialsUnavailable,
            .unlockWithBiometrics: .credentialsUnavailable,
            .lock: .credentialsUnavailable,
            .read: .credentialsMissing,
        ],
        .ready: [
            .upgradeKeychainWithBiometrics: .credentialsMissing,
            .downgradeBiometricsToKeychain: .credentialsMissing,
            .disableBiometricsSecureVault: .credentialsMissing,
            .unlockWithBiometrics: .credentialsMissing,
            .lock: .credentialsMissing,
            .read: .credentialsMissing,
        ],
        .biometricsSecured: [
            .enableKeychainVault: .credentialsAlreadySecured,
            .enableSecureVaultWithBiometrics: .credentialsAlreadySecured,
            .upgradeKeychainWithBiometrics: .credentialsAlreadySecured,
            .unlockWithBiometrics: .credentialsNotLocked,
        ],
        .locked: [
            .enableKeychainVault: .credentialsLockedAlreadyStored,
            .enableSecureVaultWithBiometrics: .credentialsLockedAlreadyStored,
            .upgradeKeychainWithBiometrics: .credentialsLockedAlreadyStored,
            .downgradeBiometricsToKeychain: .credentialsLocked,
            .disableBiometricsSecureVault: .credentialsLocked,
            .lock: .credentialsAlreadyLocked,
            .read: .credentialsLocked,
        ],
        .keychainSecured: [
            .enableKeychainVault: .credentialsAlreadyPlain,
            .enableSecureVaultWithBiometrics: .credentialsNeedUpgrade,
            .downgradeBiometricsToKeychain: .credentialsPlain,
            .disableBiometricsSecureVault: .credentialsPlain,
            .unlockWithBiometrics: .credentialsNotLocked,
            .lock: .credentialsPlain,
        ],
    ]

    @Test(.holds("V-04"), arguments: Machine.State.allCases, Machine.Request.allCases)
    func `each state allows what it has, and refuses the rest with its code and without a prompt`(
        state: Machine.State,
        request: Machine.Request
    ) async throws {
        let made = try await TestCredentials.make(in: state)
        let prompts = made.simulated.promptsShown
        let expected = Self.refusals[state]?[request]
        // Nobody is enrolled where biometrics can't be used, but the device has a passcode.
        try made.simulated.simulate(.finger(state == .unavailable ? .passcode : .match))
        let code = await refusal { try await made.vault.ask(for: request, saving: .sample, TestCredentials.words) }
        #expect(code == expected)
        if expected != nil {
            #expect(await made.state == state)
            #expect(made.simulated.promptsShown == prompts)
        }
        // Whatever was refused, what was stored opens.
        if expected != nil, state != .ready, state != .unavailable {
            let again = try await made.reopened()
            if await again.state == .locked {
                try await #expect(again.unlock() == .sample)
            } else {
                try await #expect(again.vault.credentials() == .sample)
            }
        }
    }

    @Test(.holds("V-05"))
    func `a downgrade is really plain: no prompt opens it, and nothing is left behind biometrics`()
        async throws
    {
        let made = try await TestCredentials.make(in: .biometricsSecured)
        #expect(try await made.items() == [.currentBiometrySet])
        try await made.vault.downgradeBiometricsToKeychain(TestCredentials.words)
        #expect(try await made.items() == [.deviceOnly])
        // No sensor, no finger, no passcode: whoever reads now meets no guard.
        for event in [SimulatedEvent.unenroll, .passcodeOff, .sensor(.none)] { try made.simulated.simulate(event) }
        let prompts = made.simulated.promptsShown
        let again = try await made.reopened()
        #expect(await again.state == .keychainSecured)
        #expect(try await again.vault.credentials() == .sample)
        #expect(made.simulated.promptsShown == prompts)
    }

    @Test(.holds("V-05")) func `after an upgrade nothing opens the credentials without the finger`() async throws {
        let made = try await TestCredentials.make(in: .keychainSecured)
        let before = try made.record()
        try await made.upgrade()
        #expect(try await made.items() == [.currentBiometrySet])
        #expect(try await made.simulated.describe(before.item) == nil)
        let again = try await made.reopened()
        #expect(await refusal { try await again.vault.credentials() } == .credentialsLocked)
        #expect(await refusal { try await again.unlock(.mismatch) } == .biometricsNotRecognised)
        #expect(try await again.unlock() == .sample)
    }

    @Test(.holds("C21")) func `one prompt for each unlock and for each way behind biometrics, none for reading`()
        async throws
    {
        let made = try await TestCredentials.make(in: .keychainSecured)
        func prompts(_ body: () async throws -> Void) async throws -> Int {
            let before = made.simulated.promptsShown
            try await body()
            return made.simulated.promptsShown - before
        }
        #expect(try await prompts { _ = try await made.vault.credentials() } == 0)
        #expect(try await prompts { try await made.upgrade() } == 1)
        #expect(try await prompts { _ = try await made.vault.credentials() } == 0)
        try await made.vault.lock()
        #expect(try await prompts { try await made.unlock() } == 1)
        #expect(try await prompts { _ = try await made.vault.refresh() } == 0)
        #expect(try await prompts { try await made.vault.lock() } == 0)
        #expect(try await prompts { try await made.vault.reset() } == 0)
    }

    @Test(.holds("C22")) func `a downgrade needs the owner: a prompt within the last minute, or one more`() async throws
    {
        let made = try await TestCredentials.make(in: .biometricsSecured)
        try made.simulated.simulate(.advance(.seconds(61)))
        let prompts = made.simulated.promptsShown
        #expect(
            await refusal {
                try await made.touching(.mismatch) { try await $0.downgradeBiometricsToKeychain(TestCredentials.words) }
            } == .biometricsNotRecognised
        )
        #expect(await made.state == .biometricsSecured)
        #expect(try await made.items() == [.currentBiometrySet])
        // The passcode is not who is enrolled.
        #expect(
            await refusal {
                try await made.touching(.passcode) { try await $0.downgradeBiometricsToKeychain(TestCredentials.words) }
            } == .promptCancelled
        )
        try await made.touching { try await $0.downgradeBiometricsToKeychain(TestCredentials.words) }
        #expect(made.simulated.promptsShown == prompts + 3)
        #expect(await made.state == .keychainSecured)

        try await made.upgrade()
        try made.simulated.simulate(.advance(.seconds(60)))
        try await made.vault.downgradeBiometricsToKeychain(TestCredentials.words)
        try await made.upgrade()
        try made.simulated.simulate(.reboot)
        #expect(
            await refusal { try await made.vault.downgradeBiometricsToKeychain(TestCredentials.words) }
                == .promptCancelled
        )
    }

    @Test(.holds("C22")) func `unavailable follows the sensor in both directions, and plain storage needs none`()
        async throws
    {
        let made = try await TestCredentials.make(in: .unavailable)
        #expect(await made.vault.snapshot.capability.reasonIfUnavailable == .notEnrolled)
        try made.simulated.simulate(.enroll)
        #expect(try await made.vault.refresh().state == .ready)
        for (event, remedy) in [
            (SimulatedEvent.lockout, SimulatedEvent.passcode), (.permissionDenied, .permissionGranted),
            (.sensor(.none), .sensor(.face)), (.passcodeOff, .passcodeOn),
        ] {
            try made.simulated.simulate(event)
            #expect(try await made.vault.refresh().state == .unavailable, "\(event)")
            try await made.vault.enableKeychainVault(saving: .sample)
            #expect(await made.state == .keychainSecured, "\(event)")
            #expect(
                await refusal { try await made.vault.upgradeKeychainWithBiometrics(TestCredentials.words) }
                    == .credentialsUnavailable,
                "\(event)"
            )
            #expect(try await made.reopened().vault.credentials() == .sample, "\(event)")
            try await made.vault.reset()
            #expect(await made.state == .unavailable, "\(event)")
            try made.simulated.simulate(remedy)
            #expect(try await made.vault.refresh().state == .ready, "\(remedy)")
        }
    }

    @Test(.holds("C22"), arguments: Machine.State.allCases)
    func `reset works in every state, without a prompt, and whatever the sensor does`(state: Machine.State)
        async throws
    {
        for events in [[], [SimulatedEvent.enroll], [.sensor(.none)], [.lockout]] {
            let made = try await TestCredentials.make(in: state)
            for event in events { try made.simulated.simulate(event) }
            let prompts = made.simulated.promptsShown
            try await made.vault.reset()
            #expect(await made.vault.snapshot.protection == nil)
            #expect(await !made.vault.holdsKey)
            #expect(made.simulated.promptsShown == prompts)
            #expect(try made.simulated.itemNames().isEmpty)
            #expect(try await made.reopened().vault.snapshot.protection == nil)
        }
    }

    @Test func `the owner is asked again by finger or passcode, which ends a lockout and unlocks nothing`()
        async throws
    {
        let made = try await TestCredentials.make(in: .locked)
        try made.simulated.simulate(.lockout)
        #expect(try await made.vault.refresh().capability.reasonIfUnavailable == .lockedOut)
        #expect(
            await refusal { try await made.vault.unlockWithBiometrics(TestCredentials.words) }
                == .credentialsUnavailable
        )
        for touch in [SimulatedTouch.cancel, .mismatch, .match] {
            let code = await refusal {
                try await made.touching(touch) { try await $0.reauthenticateOwner(TestCredentials.words) }
            }
            #expect(code == (touch == .cancel ? .promptCancelled : .credentialsUnavailable))
        }
        try await made.touching(.passcode) { try await $0.reauthenticateOwner(TestCredentials.words) }
        #expect(await made.vault.snapshot.biometricsAvailable)
        #expect(await made.state == .locked)
        #expect(await refusal { try await made.vault.credentials() } == .credentialsLocked)
        #expect(try await made.unlock() == .sample)
    }

    @Test func `several credentials of one folder do not touch each other, and a name is the same in both spellings`()
        async throws
    {
        let made = try await TestCredentials.make(in: .keychainSecured)
        let other = try await TestCredentials.open(named: "caf\u{E9}", in: made.path, made.device)
        try await other.enableKeychainVault(saving: Tokens(access: "other", refresh: ""))
        let same = try await TestCredentials.open(named: "cafe\u{301}", in: made.path, made.device)
        #expect(try await same.credentials().access == "other")
        try made.simulated.simulate(.finger(.match))
        try await same.upgradeKeychainWithBiometrics(TestCredentials.words)
        #expect(try await other.refresh().state == .locked)
        try await other.reset()
        #expect(try await made.vault.credentials() == .sample)
        #expect(try await same.refresh().state == .ready)
    }

    @Test func `an interface hears of every state, once each, and of what another object changed`() async throws {
        let made = try await TestCredentials.make()
        let snapshots = await made.vault.snapshots()
        let hearing = Task {
            var states: [Machine.State] = []
            for await snapshot in snapshots {
                states.append(snapshot.state)
                if states.count == 6 { break }
            }
            return states
        }
        try await made.vault.enableKeychainVault(saving: .sample)
        try await made.upgrade()
        _ = try await made.vault.credentials()
        try await made.vault.lock()
        try await made.reopened().vault.reset()
        try await made.vault.refresh()
        try made.simulated.simulate(.unenroll)
        try await made.vault.refresh()
        #expect(await hearing.value == [.ready, .keychainSecured, .biometricsSecured, .locked, .ready, .unavailable])
    }

    @Test func `the snapshot answers the seed's questions and holds no credentials`() async throws {
        let made = try await TestCredentials.make(in: .locked)
        let snapshot = await made.vault.snapshot
        #expect(snapshot.biometricsAvailable && snapshot.biometricsEnabled)
        #expect(snapshot.assurance == .simulated && snapshot.condition == .reachable && snapshot.leftBehind == 0)
        try await made.unlock()
        var dumped = ""
        dump(await made.vault.snapshot, to: &dumped)
        #expect(!dumped.contains("4f1d9c") && dumped.contains("biometricsSecured"))
    }
}
