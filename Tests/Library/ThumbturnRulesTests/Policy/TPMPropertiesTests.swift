import Testing

@testable import ThumbturnRules

@Suite("What a TPM says of how it counts")
struct TPMPropertiesTests {
    /// A chip that counts for itself.
    private static let good = TPMProperties(
        maker: maker("INTC"),
        hasLockoutPassword: true,
        failureLimit: 32,
        recoverySeconds: 7_200,
        lockoutRecoverySeconds: 86_400
    )

    private static func maker(_ text: String) -> UInt32 {
        var bytes = Array(text.utf8.prefix(4))
        while bytes.count < 4 { bytes.append(0) }
        return bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    private func good(_ change: (inout TPMProperties) -> Void) -> TPMProperties {
        var properties = Self.good
        change(&properties)
        return properties
    }

    @Test(.holds("A9", "A56")) func `a chip with a lockout password and sane limits counts for itself`() {
        #expect(Self.good.doubts.isEmpty)
        #expect(Self.good.assuranceOfPIN == .hardwareBound && Self.good.assuranceOfKey == .hardwareBound)
    }

    @Test(arguments: ["AMD", "STM ", "IFX", "NTC", "WEC", "SMSN", "QCOM"])
    func `a maker of chips is one by all its letters, behind which there is nothing`(text: String) {
        #expect(good { $0.maker = Self.maker(text) }.doubts.isEmpty)
    }

    @Test(
        .holds("A9"),
        arguments: ["IBM", "MSFT", "GOOG", "VMW", "AMZN", "XYZZ", "", "INT", "AMDX", " AMD", "intc", "A"]
    )
    func `who makes programs, and who is not known, makes no chip`(text: String) {
        let properties = good { $0.maker = Self.maker(text) }
        #expect(properties.doubts == [.mayBeProgram])
        #expect(properties.assuranceOfPIN == .softwareFile && properties.assuranceOfKey == .softwareFile)
    }

    @Test(.holds("A56")) func `without a lockout password anybody resets the count, so a PIN there is worth a file's`()
    {
        let properties = good { $0.hasLockoutPassword = false }
        #expect(properties.doubts == [.noLockoutPassword])
        #expect(properties.assuranceOfPIN == .softwareFile)
        #expect(properties.assuranceOfKey == .hardwareBound, "there is nothing to guess at a key")
    }

    @Test(arguments: [0, 1, 2, 32, 64, 65, 1_000, UInt32.max])
    func `a TPM takes from 1 to 64 wrong tries`(limit: UInt32) {
        let expected: [TPMProperties.Doubt] = (1...64).contains(limit) ? [] : [.failureLimit]
        #expect(good { $0.failureLimit = limit }.doubts == expected)
    }

    @Test(arguments: [0, 1, 599, 600, 7_200, UInt32.max])
    func `a failure is remembered for ten minutes, and a recovery time of 0 is no counting at all`(seconds: UInt32) {
        #expect(good { $0.recoverySeconds = seconds }.doubts == (seconds >= 600 ? [] : [.recoveryTime]))
    }

    @Test(arguments: [0, 1, 3_599, 3_600, 86_400, UInt32.max])
    func `a wrong lockout password shuts that out for an hour, or until the next boot`(seconds: UInt32) {
        let expected: [TPMProperties.Doubt] = seconds == 0 || seconds >= 3_600 ? [] : [.lockoutRecovery]
        #expect(good { $0.lockoutRecoverySeconds = seconds }.doubts == expected)
    }

    @Test func `every doubt stands for itself, and each alone makes a PIN there worth a file's`() {
        let bad = TPMProperties(
            maker: Self.maker("IBM"),
            hasLockoutPassword: false,
            failureLimit: 0,
            recoverySeconds: 0,
            lockoutRecoverySeconds: 1
        )
        #expect(bad.doubts == TPMProperties.Doubt.allCases)
        #expect(bad.assuranceOfPIN == .softwareFile)
    }

    @Test(.holds("C6")) func `a PIN that was chosen for hardware may be too short for a file, and no other way round`()
    {
        for former in Assurance.allCases {
            for now in Assurance.allCases {
                let expected = now == .softwareFile && former != .softwareFile
                #expect(LocalSecretRules.mayBeTooShort(chosenUnder: former, under: now) == expected)
            }
        }
    }
}
