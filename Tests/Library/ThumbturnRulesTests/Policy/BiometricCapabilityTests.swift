import Testing
import ThumbturnRules

@Suite struct BiometricCapabilityTests {
    private func capability(
        _ reason: BiometricCapability.Reason?,
        type: BiometricCapability.BiometryType = .touchID,
        assurance: Assurance = .hardwareBound
    ) -> BiometricCapability {
        BiometricCapability(biometryType: type, reasonIfUnavailable: reason, assurance: assurance)
    }

    @Test(.holds("F-107-01")) func `a sensor without a reason against it can be used`() {
        let usable = capability(nil)
        #expect(usable.available && usable.supported && usable.enrolled)
        #expect(usable.obstacle(under: .wallet) == nil)
    }

    @Test("each reason stands in the way of enabling", .holds("C9"), arguments: BiometricCapability.Reason.allCases)
    func reasons(reason: BiometricCapability.Reason) {
        let capability = capability(reason)
        #expect(!capability.available)
        #expect(capability.supported == (reason != .noHardware), "options are hidden without hardware only")
        #expect(capability.enrolled == [.lockedOut, .permissionDenied, .temporarilyUnavailable].contains(reason))
        #expect(capability.obstacle(under: .wallet) == .unavailable(reason))
    }

    @Test func `no sensor is never available, even when nobody says why`() {
        let none = capability(nil, type: .none)
        #expect(!none.available && !none.supported && !none.enrolled)
        #expect(none.obstacle(under: .wallet) == .unavailable(.noHardware))
    }

    @Test(
        "less than the policy's least assurance can't be enabled",
        .holds("C14"),
        arguments: Assurance.allCases,
        Assurance.allCases
    )
    func assurance(has: Assurance, asked: Assurance) {
        var policy = VaultPolicy.wallet
        policy.minimumAssurance = asked
        let expected: BiometricCapability.EnablingObstacle? = has < asked ? .assuranceTooLow : nil
        #expect(capability(nil, assurance: has).obstacle(under: policy) == expected)
    }

    @Test(.holds("C14")) func `allowing an assurance lowers the floor and never lifts it`() {
        #expect(VaultPolicy.wallet.minimumAssurance == .hardwareBound)
        let lowered = VaultPolicy.wallet.allowing(.simulated)
        #expect(lowered.minimumAssurance == .simulated)
        #expect(lowered.allowing(.osKeychain) == lowered)
        #expect(Assurance.allCases.sorted() == [.simulated, .softwareFile, .osKeychain, .hardwareBound])
    }

    @Test func `names as JSON has them`() {
        #expect(
            BiometricCapability.Reason.allCases.map(\.name) == [
                "noHardware", "notEnrolled", "lockedOut", "permissionDenied", "noPasscode", "temporarilyUnavailable",
            ]
        )
        #expect(Assurance.allCases.map(\.name) == ["simulated", "softwareFile", "osKeychain", "hardwareBound"])
        #expect(DeviceKind.allCases.map(\.name) == ["simulated", "apple", "linux", "android"])
    }
}
