import Testing
import ThumbturnRules
import UnlockModel

@Suite struct UnlockPolicyTests {
    static let now = ClockReading(wall: .days(20_000), boottime: .days(100), bootID: Identifier(high: 0, low: 1))

    static var ready: UnlockPolicyContext {
        var context = UnlockPolicyContext(
            now: now,
            capability: BiometricCapability(biometryType: .faceID, assurance: .hardwareBound)
        )
        context.lastStrongAuthentication = now.before(.hours(1))
        context.lastUse = now.before(.minutes(1))
        context.biometricSlot = .ready
        context.lastServerContact = now.before(.hours(1))
        return context
    }

    /// Every cause that the policy knows, in the order in which it must look.
    struct Cause: Sendable {
        let decision: UnlockDecision
        let apply: @Sendable (inout UnlockPolicyContext) -> Void
        /// The field it writes, where another cause writes it as well.
        var field = ""

        static func strong(
            _ reason: StrongFactorReason,
            field: String = "",
            _ apply: @escaping @Sendable (inout UnlockPolicyContext) -> Void
        ) -> Cause {
            Cause(decision: .requireStrongFactor(reason), apply: apply, field: field)
        }
    }

    static let causes: [Cause] = [
        Cause(decision: .storageUnavailable) { $0.storageIsReadable = false },
        Cause(decision: .resetPending) { $0.resetIsPending = true },
        .strong(.biometricsDisabled, field: "slot") { $0.biometricSlot = .none },
        .strong(.ledgerUnreliable) { $0.ledgerIsReliable = false },
        .strong(.policyEpochOld) { $0.policyEpochIsCurrent = false },
        .strong(.serverUnheard) { $0.lastServerContact = nil },
        .strong(.rebooted, field: "strong") { $0.lastStrongAuthentication?.bootID = Identifier(high: 0, low: 9) },
        .strong(.clockIncoherent, field: "use") { $0.lastUse = now.after(.days(365)) },
        .strong(.idle, field: "use") { $0.lastUse = now.before(.minutes(30) + Milliseconds(1)) },
        .strong(.strongFactorAged, field: "strong") {
            $0.lastStrongAuthentication = now.before(.hours(72) + Milliseconds(1))
        },
        .strong(.lockedOut) { $0.wasLockedOut = true },
        .strong(.tooManyMismatches) { $0.failedBiometricAttempts = 3 },
        .strong(.biometricsChanged, field: "slot") { $0.biometricSlot = .revoked(.biometricsChanged) },
        .strong(.reinstalled, field: "slot") { $0.biometricSlot = .revoked(.reinstalled) },
        .strong(.biometricsUnavailable) { $0.capability.reasonIfUnavailable = .temporarilyUnavailable },
        .strong(.eventsUndelivered) { $0.undeliveredEvents = 10_000 },
    ]

    @Test(.holds("P-107-02")) func `the context's own limits hold where they are stricter`() {
        var context = Self.ready
        context.maxAttempts = 2
        context.failedBiometricAttempts = 2
        #expect(VaultPolicy.wallet.decision(for: context) == .requireStrongFactor(.tooManyMismatches))
        context.maxAttempts = 9
        #expect(VaultPolicy.wallet.decision(for: context) == .promptBiometrics)
        context.failedBiometricAttempts = 3
        #expect(VaultPolicy.wallet.decision(for: context) == .requireStrongFactor(.tooManyMismatches))

        context = Self.ready
        context.lastUse = Self.now.before(.minutes(10))
        context.inactivityTimeout = .minutes(9)
        #expect(VaultPolicy.wallet.decision(for: context) == .requireStrongFactor(.idle))
        context.inactivityTimeout = .minutes(60)
        #expect(VaultPolicy.wallet.decision(for: context) == .promptBiometrics)
        context.lastUse = Self.now.before(.minutes(31))
        #expect(VaultPolicy.wallet.decision(for: context) == .requireStrongFactor(.idle))
    }

    @Test(.holds("P-107-02", "F-107-09")) func `a password that was changed since it was proved asks for the new one`()
        throws
    {
        var context = Self.ready
        let proved = try #require(context.lastStrongAuthentication)
        context.passwordChangedAt = proved.wall
        #expect(VaultPolicy.pd107.decision(for: context) == .promptBiometrics)
        context.passwordChangedAt = proved.wall + Milliseconds(1)
        #expect(VaultPolicy.pd107.decision(for: context) == .requireStrongFactor(.policyEpochOld))
        context.lastStrongAuthentication = nil
        #expect(VaultPolicy.pd107.decision(for: context) == .requireStrongFactor(.policyEpochOld))
    }

    @Test(.holds("P-107-02")) func `boot and reboot follow from the readings`() {
        var context = Self.ready
        #expect(context.appBoot == .days(19_900) && !context.deviceRebootDetected)
        context.lastStrongAuthentication?.bootID = Identifier(high: 0, low: 9)
        #expect(context.deviceRebootDetected)
        context.lastStrongAuthentication = nil
        #expect(!context.deviceRebootDetected)
    }

    @Test func `nothing against it: prompt`() {
        #expect(VaultPolicy.wallet.decision(for: Self.ready) == .promptBiometrics)
        #expect(VaultPolicy.pd107.decision(for: Self.ready) == .promptBiometrics)
    }

    /// Every demand there is.
    private static let strictest: VaultPolicy = {
        var policy = VaultPolicy.pd107
        policy.strongFactorMaxAge = .hours(72)
        return policy
    }()

    @Test("each cause alone is told, and wins over every later one", arguments: causes.indices)
    func order(index: Int) {
        let cause = Self.causes[index]
        var alone = Self.ready
        cause.apply(&alone)
        #expect(Self.strictest.decision(for: alone) == cause.decision)
        for later in Self.causes[(index + 1)...] where later.field.isEmpty || later.field != cause.field {
            var both = Self.ready
            later.apply(&both)
            cause.apply(&both)
            #expect(Self.strictest.decision(for: both) == cause.decision, "before \(later.decision)")
        }
    }

    @Test func `the reasons stand in the order in which the policy looks`() {
        let told = Self.causes.compactMap { cause -> StrongFactorReason? in
            guard case .requireStrongFactor(let reason) = cause.decision else { return nil }
            return reason
        }
        #expect(Array(StrongFactorReason.allCases.prefix(told.count)) == told)
    }

    @Test(.holds("INV-107-09", "C18")) func `30:00.000 prompts and 30:00.001 demands`() {
        var context = Self.ready
        context.lastUse = Self.now.before(.minutes(30))
        #expect(VaultPolicy.pd107.decision(for: context) == .promptBiometrics)
        context.lastUse = Self.now.before(.minutes(30) + Milliseconds(1))
        #expect(VaultPolicy.pd107.decision(for: context) == .requireStrongFactor(.idle))
    }

    @Test(.holds("F-107-10")) func `10,000 events that wait for the service demand, and 9,999 prompt`() {
        var context = Self.ready
        context.undeliveredEvents = 9_999
        #expect(VaultPolicy.pd107.decision(for: context) == .promptBiometrics)
        context.undeliveredEvents = 10_000
        #expect(VaultPolicy.pd107.decision(for: context) == .requireStrongFactor(.eventsUndelivered))
        #expect(VaultPolicy.wallet.decision(for: context) == .promptBiometrics)
    }

    @Test func `72:00:00.000 prompts and a millisecond more demands`() {
        var context = Self.ready
        context.lastStrongAuthentication = Self.now.before(.hours(72))
        #expect(VaultPolicy.wallet.decision(for: context) == .promptBiometrics)
        context.lastStrongAuthentication = Self.now.before(.hours(72) + Milliseconds(1))
        #expect(VaultPolicy.wallet.decision(for: context) == .requireStrongFactor(.strongFactorAged))
    }

    @Test("a second more or less on the wall clock changes nothing", .holds("A18"), arguments: [-1, 1])
    func tolerance(seconds: Int64) {
        var context = Self.ready
        context.now.wall = context.now.wall + .seconds(seconds)
        #expect(VaultPolicy.pd107.decision(for: context) == .promptBiometrics)
    }

    @Test(
        "a wall clock that was set asks for the password and disables nothing",
        .holds("A14", "A15", "ERR-107-070"),
        arguments: [-365, 1]
    )
    func incoherentClock(days: Int64) {
        var context = Self.ready
        context.now.wall = context.now.wall + .days(days)
        #expect(VaultPolicy.pd107.decision(for: context) == .requireStrongFactor(.clockIncoherent))
        #expect(VaultPolicy.wallet.decision(for: context) == .requireStrongFactor(.clockIncoherent))
        #expect(StrongFactorReason.clockIncoherent.errorCode.text == "ERR-107-070")
    }

    @Test(.holds("INV-107-01", "C18")) func `a boot demands, a cold start alone prompts`() {
        var context = Self.ready
        context.now.bootID = Identifier(high: 0, low: 2)
        context.now.boottime = .seconds(5)
        #expect(VaultPolicy.wallet.decision(for: context) == .requireStrongFactor(.rebooted))
        #expect(VaultPolicy.wallet.decision(for: Self.ready) == .promptBiometrics)
    }

    @Test func `a policy that outlives reboots demands where it limits a time that nobody knows`() {
        var context = Self.ready
        context.now.bootID = Identifier(high: 0, low: 2)
        var policy = VaultPolicy.wallet
        policy.strongFactorAfterReboot = false
        #expect(policy.decision(for: context) == .requireStrongFactor(.idle))
        policy.strongFactorAfterIdle = nil
        #expect(policy.decision(for: context) == .requireStrongFactor(.strongFactorAged))
        policy.strongFactorMaxAge = nil
        #expect(policy.decision(for: context) == .promptBiometrics)
    }

    @Test func `a vault that was never strongly opened, or never used, demands`() {
        var context = Self.ready
        context.lastStrongAuthentication = nil
        #expect(VaultPolicy.wallet.decision(for: context) == .requireStrongFactor(.unclassified))
        context = Self.ready
        context.lastUse = nil
        #expect(VaultPolicy.wallet.decision(for: context) == .requireStrongFactor(.unclassified))
    }

    @Test(.holds("F-107-09"))
    func `seven days of silence are allowed, more are not, and a word from the future is a clock that makes no sense`()
    {
        var context = Self.ready
        func decision(contact: ClockReading) -> UnlockDecision {
            context.lastServerContact = contact
            return VaultPolicy.pd107.decision(for: context)
        }
        let earlierBoot = Identifier(high: 0, low: 9)
        for bootID in [Self.now.bootID, earlierBoot] {
            var contact = Self.now.before(.days(7))
            contact.bootID = bootID
            #expect(decision(contact: contact) == .promptBiometrics)
            contact = Self.now.before(.days(7) + Milliseconds(1))
            contact.bootID = bootID
            #expect(decision(contact: contact) == .requireStrongFactor(.serverUnheard))
            contact = Self.now.after(.seconds(3))
            contact.bootID = bootID
            #expect(decision(contact: contact) == .requireStrongFactor(.clockIncoherent))
        }
        context.lastServerContact = nil
        #expect(VaultPolicy.wallet.decision(for: context) == .promptBiometrics, "a wallet knows no server")
    }

    @Test(.holds("F-107-09")) func `setting the wall clock back does not make the server's word young`() {
        var context = Self.ready
        context.lastServerContact = Self.now.before(.days(8))
        context.now.wall = context.now.wall - .days(8)
        context.lastStrongAuthentication = context.now.before(.hours(1))
        context.lastUse = context.now.before(.minutes(1))
        #expect(VaultPolicy.pd107.decision(for: context) == .requireStrongFactor(.serverUnheard))
    }

    @Test(.holds("INV-107-08", "C7")) func `three failures, or a lockout that the sensor reports, demand`() {
        var context = Self.ready
        context.failedBiometricAttempts = 2
        #expect(VaultPolicy.pd107.decision(for: context) == .promptBiometrics)
        context.failedBiometricAttempts = .max
        #expect(VaultPolicy.pd107.decision(for: context) == .requireStrongFactor(.tooManyMismatches))
        context = Self.ready
        context.capability.reasonIfUnavailable = .lockedOut
        #expect(VaultPolicy.pd107.decision(for: context) == .requireStrongFactor(.lockedOut))
    }

    @Test(
        "every revocation is told by its own reason",
        .holds("INV-107-07", "F-107-09"),
        arguments: RevocationReason.allCases
    )
    func revocations(reason: RevocationReason) {
        var context = Self.ready
        context.biometricSlot = .revoked(reason)
        #expect(VaultPolicy.pd107.decision(for: context) == .requireStrongFactor(reason.strongFactorReason))
    }

    @Test func `the two presets differ in this and nothing else`() {
        let wallet = VaultPolicy.wallet
        #expect(wallet == VaultPolicy())
        #expect(wallet.strongFactor == .localSecret && wallet.locksAfterIdle == .minutes(5))
        #expect(!wallet.locksInBackground && wallet.requiresSecretToDisable && wallet.recoveryOpensFully)
        #expect(wallet.strongFactorAfterIdle == .minutes(30) && wallet.strongFactorMaxAge == .hours(72))
        #expect(wallet.strongFactorAfterReboot && wallet.biometricFailureLimit == 3)
        #expect(wallet.minimumAssurance == .hardwareBound && wallet.maxOfflineAge == nil)

        var expected = wallet
        expected.strongFactor = .accountPassword
        expected.locksAfterIdle = .minutes(30)
        expected.locksInBackground = true
        expected.strongFactorMaxAge = nil
        expected.requiresSecretToDisable = false
        expected.maxOfflineAge = .days(7)
        expected.recoveryOpensFully = false
        #expect(VaultPolicy.pd107 == expected)
    }
}
