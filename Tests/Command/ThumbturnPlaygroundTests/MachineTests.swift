import Testing
import ThumbturnRules

@testable import ThumbturnPlayground

@Suite struct MachineTests {
    @Test(
        arguments: [
            ("State", "Unlock/UnlockMachine.swift", UnlockBox.allCases.map(\.rawValue)),
            ("State", "Biometrics/BiometricLifecycle.swift", BiometricsBox.allCases.map(\.rawValue)),
            ("State", "Migration/MigrationMachine.swift", MigrationBox.allCases.map(\.rawValue)),
            ("AttemptDecision", "Attempts/AttemptDecision.swift", AttemptsBox.allCases.map(\.rawValue)),
        ] as [(String, String, [String])]
    )
    func `each state of the rules has a box of its own`(enumeration: String, file: String, boxes: [String]) throws {
        #expect(try EnumerationCases.names(of: enumeration, in: "Library/ThumbturnRules/" + file) == Set(boxes))
    }

    @Test func `a state lights its own box`() {
        #expect(UnlockBox(.requiresStrongFactor(.idle)) == .requiresStrongFactor)
        #expect(UnlockBox(.verifyingStrongFactor(.recovery, resuming: .full)) == .verifyingStrongFactor)
        #expect(UnlockBox(.unlocked(.exportOnly)) == .unlocked)
        #expect(BiometricsBox(.revoked(.reinstalled)) == .revoked)
        #expect(MigrationBox(.half) == .half)
        #expect(AttemptsBox(.wait(.minutes(1))) == .wait)
    }
}
