import Testing
import ThumbturnRules

/// Visits every situation that the rules of a credential vault can be in, and takes every step from each.
@Suite struct CredentialVaultMachineTests {
    typealias Machine = CredentialVaultMachine

    @Test(.holds("A32")) func `the fewer may read, the more is it guarded`() {
        let upwards: [CredentialProtection] = [.keychain, .ownerPresence, .biometrics]
        #expect(Set(upwards) == Set(CredentialProtection.allCases))
        for (rank, kept) in upwards.enumerated() {
            #expect(upwards.map(kept.isAtLeast) == upwards.indices.map { rank >= $0 })
        }
    }

    static let events: [Machine.Event] =
        [nil, .keychain, .biometrics].flatMap { stored in
            [true, false].map { .looked(stored: stored, biometricsAvailable: $0) }
        } + [.keyLost, .succeeded, .failed] + Machine.Request.allCases.map { .requested($0) }

    /// One step, and what it broke.
    struct Step {
        let before: Machine
        let event: Machine.Event
        let after: Machine
        let effects: [Machine.Effect]
    }

    private static let walk: [Step] = {
        var steps: [Step] = []
        var seen: Set<Machine> = [Machine()]
        var ahead = [Machine()]
        while let machine = ahead.popLast() {
            for event in events {
                var after = machine
                let effects = after.handle(event)
                steps.append(Step(before: machine, event: event, after: after, effects: effects))
                if seen.insert(after).inserted { ahead.append(after) }
            }
        }
        return steps
    }()

    @Test(.holds("V-02", "V-03", "V-05", "C22")) func `every reachable situation`() {
        var broken: [String: String] = [:]
        for step in Self.walk {
            for law in Self.brokenLaws(of: step) where broken[law] == nil {
                broken[law] = "\(step.before) — \(step.event) → \(step.after): \(step.effects)"
            }
        }
        let situations = Set(Self.walk.map(\.before))
        print("walk credentials: \(situations.count) situations, \(Self.walk.count) steps")
        #expect(broken.isEmpty, "\(broken.map { "\($0): \($1)" }.sorted().joined(separator: "\n"))")
        #expect(Set(situations.map(\.state)) == Set(Machine.State.allCases))
        // A walk that shrinks has stopped looking.
        #expect(situations.count >= 70 && Self.walk.count >= 1_300)
    }

    private static func brokenLaws(of step: Step) -> [String] {
        var laws: [String] = []
        func hold(_ law: String, _ holds: Bool) { if !holds { laws.append(law) } }
        let (before, after, effects) = (step.before, step.after, step.effects)
        let isRefused = effects.contains { if case .refuse = $0 { true } else { false } }

        hold("only what is behind biometrics is unlocked", !after.isReadable || after.stored == .biometrics)
        hold(
            "nothing stored follows the sensor",
            after.stored != nil || after.state == (after.biometricsAvailable ? .ready : .unavailable)
        )
        hold("a key that goes is forgotten", !before.isReadable || after.isReadable || effects.contains(.forgetKey))
        hold(
            "a key is kept exactly where it begins to be readable",
            effects.contains(.keepKey) == (after.isReadable && !before.isReadable)
        )
        hold("a lock that was asked for belongs to something under way", !after.lockWasAsked || after.pending != nil)
        hold(
            "nothing is stored behind a sensor that can't be used",
            !effects.contains(.store(.biometrics)) || before.biometricsAvailable
        )
        hold("a downgrade asks for its owner first", downgradesSafely(step))

        switch step.event {
        case .requested(.lock):
            hold("a lock leaves nothing readable", !after.isReadable)
            hold("a lock stores and deletes nothing", after.stored == before.stored)
        case .requested(let request):
            hold("a request moves nothing", after.state == before.state && after.stored == before.stored)
            hold("a refused request is not under way", !isRefused || after == before)
            hold(
                "a reset is never refused but while something is under way",
                request != .reset || isRefused == (before.pending != nil)
            )
            hold(
                "plain storage needs no sensor",
                request != .enableKeychainVault || before.stored != nil || isRefused == (before.pending != nil)
            )
        case .failed:
            // V-05: what was there is there, and readable as before unless somebody locked.
            hold("a failure leaves the former state", after.stored == before.stored && after.state == before.state)
            hold("a failure ends what was under way", after.pending == nil)
        case .succeeded:
            hold("a success ends what was under way", after.pending == nil)
            hold("a lock wins over what was under way", !before.lockWasAsked || !after.isReadable)
            hold(
                "only what was ordered is stored",
                after.stored == before.stored || before.pending.map(Self.stores) == .some(after.stored)
            )
            hold(
                "only a prompt makes readable",
                !after.isReadable || before.isReadable || before.pending.map(Self.prompts) == true
            )
        case .looked(let stored, let available):
            hold("the look is believed", after.stored == stored && after.biometricsAvailable == available)
            hold("a look unlocks nothing", !after.isReadable || before.isReadable)
        case .keyLost:
            hold("a lost key opens nothing", !after.isReadable && after.stored == before.stored)
        }
        return laws
    }

    private static func downgradesSafely(_ step: Step) -> Bool {
        guard step.before.stored == .biometrics, let index = step.effects.firstIndex(of: .store(.keychain)) else {
            return true
        }
        return step.effects[..<index].contains(.authenticateOwner) && step.before.isReadable
    }

    /// What is stored after a request succeeded.
    private static func stores(_ request: Machine.Request) -> CredentialProtection? {
        switch request {
        case .enableKeychainVault, .downgradeBiometricsToKeychain: .keychain
        case .enableSecureVaultWithBiometrics, .upgradeKeychainWithBiometrics: .biometrics
        case .disableBiometricsSecureVault, .reset: nil
        case .unlockWithBiometrics, .lock, .read, .reauthenticateOwner: nil
        }
    }

    private static func prompts(_ request: Machine.Request) -> Bool {
        [.enableSecureVaultWithBiometrics, .upgradeKeychainWithBiometrics, .unlockWithBiometrics].contains(request)
    }

    /// A machine at rest in a state; the sensor can be used, unless the state says that it can't.
    private static func machine(in state: Machine.State) -> Machine {
        var machine = Machine()
        switch state {
        case .unavailable: _ = machine.handle(.looked(stored: nil, biometricsAvailable: false))
        case .ready: _ = machine.handle(.looked(stored: nil, biometricsAvailable: true))
        case .keychainSecured: _ = machine.handle(.looked(stored: .keychain, biometricsAvailable: true))
        case .locked: _ = machine.handle(.looked(stored: .biometrics, biometricsAvailable: true))
        case .biometricsSecured:
            _ = machine.handle(.looked(stored: .biometrics, biometricsAvailable: true))
            _ = machine.handle(.requested(.unlockWithBiometrics))
            _ = machine.handle(.succeeded)
        }
        return machine
    }

    @Test(.holds("V-03")) func `exactly these transitions exist`() {
        var graph: [String] = []
        for state in Machine.State.allCases {
            for request in Machine.Request.allCases {
                var machine = Self.machine(in: state)
                if case .refuse? = machine.handle(.requested(request)).first { continue }
                _ = machine.handle(.succeeded)
                // Where nothing is stored any more, the sensor says which of two states that is.
                if machine.state != state { graph.append("\(state.name) \(request) \(machine.state.name)") }
            }
        }
        for line in graph { print("credentials: \(line)") }
        #expect(
            graph.sorted()
                == [
                    "biometricsSecured disableBiometricsSecureVault ready",
                    "biometricsSecured downgradeBiometricsToKeychain keychainSecured",
                    "biometricsSecured lock locked",
                    "biometricsSecured reset ready",
                    "keychainSecured reset ready",
                    "keychainSecured upgradeKeychainWithBiometrics biometricsSecured",
                    "locked reset ready",
                    "locked unlockWithBiometrics biometricsSecured",
                    "ready enableKeychainVault keychainSecured",
                    "ready enableSecureVaultWithBiometrics biometricsSecured",
                    "unavailable enableKeychainVault keychainSecured",
                ]
        )
    }

    /// The seed's table of errors, row by row; what is missing is allowed.
    ///
    /// C22 changes one cell: plain storage without biometrics.
    static let table: [(Machine.Request, [Machine.State: CredentialVaultRefusal])] = [
        (
            .enableKeychainVault,
            [
                .keychainSecured: .alreadyUsesKeychain, .biometricsSecured: .alreadySecuredWithBiometrics,
                .locked: .lockedWithBiometricsCannotEnable,
            ]
        ),
        (
            .enableSecureVaultWithBiometrics,
            [
                .unavailable: .notAvailable, .keychainSecured: .alreadySecuredByKeychainUseSecureFunction,
                .biometricsSecured: .alreadySecuredWithBiometrics, .locked: .lockedWithBiometricsCannotEnable,
            ]
        ),
        // The seed lets an upgrade of nothing through and then finds nothing.
        (
            .upgradeKeychainWithBiometrics,
            [
                .unavailable: .notAvailable, .ready: .notEnabled, .biometricsSecured: .alreadySecuredWithBiometrics,
                .locked: .lockedWithBiometricsCannotEnable,
            ]
        ),
        (
            .downgradeBiometricsToKeychain,
            [
                .unavailable: .notAvailable, .ready: .notEnabled, .keychainSecured: .notSecuredWithBiometrics,
                .locked: .lockedWithBiometricsUseReset,
            ]
        ),
        (
            .disableBiometricsSecureVault,
            [
                .unavailable: .notAvailable, .ready: .notEnabled, .keychainSecured: .notSecuredWithBiometrics,
                .locked: .lockedWithBiometricsUseReset,
            ]
        ),
        (
            .lock,
            [
                .unavailable: .notAvailable, .ready: .notEnabled, .keychainSecured: .notSecuredWithBiometrics,
                .locked: .alreadyLockedWithBiometrics,
            ]
        ),
        (
            .unlockWithBiometrics,
            [
                .unavailable: .notAvailable, .ready: .notEnabled, .keychainSecured: .notLockedWithBiometrics,
                .biometricsSecured: .notLockedWithBiometrics,
            ]
        ),
        (
            .read,
            [
                .unavailable: .notEnabled, .ready: .notEnabled, .locked: .lockedWithBiometricsUseReset,
            ]
        ),
        (.reauthenticateOwner, [:]),
        (.reset, [:]),
    ]

    @Test(.holds("V-04"), arguments: table)
    func `each state refuses what it does not have, each for its own reason`(
        request: Machine.Request,
        refusals: [Machine.State: CredentialVaultRefusal]
    ) {
        for state in Machine.State.allCases {
            var machine = Self.machine(in: state)
            let effects = machine.handle(.requested(request))
            if let refusal = refusals[state] {
                #expect(effects == [.refuse(refusal)], "\(state)")
            } else {
                #expect(!effects.contains { if case .refuse = $0 { true } else { false } }, "\(state)")
            }
        }
    }

    @Test(.holds("V-04")) func `an upgrade needs a sensor that can be used now`() {
        var machine = Machine()
        _ = machine.handle(.looked(stored: .keychain, biometricsAvailable: false))
        #expect(machine.handle(.requested(.upgradeKeychainWithBiometrics)) == [.refuse(.notAvailable)])
    }

    @Test(.holds("V-04")) func `the twelve situations of the seed have twelve codes`() {
        let seed = CredentialVaultRefusal.allCases.filter { $0 != .busy }
        #expect(seed.count == 12)
        #expect(Set(seed.map(\.code)).count == 12)
        #expect(seed.map(\.code.text) == (401...412).map { "ERR-TT-\($0)" })
        // Ten of them are a state's; the other two are for who reads and stores.
        let refused = Set(
            Self.walk.flatMap(\.effects).compactMap { effect -> CredentialVaultRefusal? in
                if case .refuse(let refusal) = effect { refusal } else { nil }
            }
        )
        #expect(refused == Set(CredentialVaultRefusal.allCases).subtracting([.retrievalFailure, .storingFailure]))
    }
}
