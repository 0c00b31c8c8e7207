import Foundation
import Testing
import ThumbturnRules
import ThumbturnTestKit

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

    /// What the page draws of a machine is what the phone tells, at the places of its script.
    @Test func `the phone tells every state of each machine, and the page has a place for each`() throws {
        let script = try String(
            contentsOfFile: VectorFolder.own + "/../../Sources/Command/ThumbturnPlayground/Page/page.js",
            encoding: .utf8
        )
        let machines = Machine.all(of: VaultSnapshot(policy: .wallet)) + [Machine(of: .ready)]
        let boxes = [
            "unlock": UnlockBox.allCases.map(\.rawValue), "biometrics": BiometricsBox.allCases.map(\.rawValue),
            "migration": MigrationBox.allCases.map(\.rawValue), "attempts": AttemptsBox.allCases.map(\.rawValue),
            "credentials": CredentialVaultMachine.State.allCases.map(\.name),
        ]
        #expect(Set(machines.map(\.name)) == Set(boxes.keys))
        for machine in machines {
            #expect(machine.states == boxes[machine.name])
            let drawn = try #require(script.range(of: "    \(machine.name): {\n        places: {"))
            let places = try #require(script[drawn.upperBound...].components(separatedBy: "}").first)
            for state in machine.states { #expect(places.contains(" \(state): ["), "\(machine.name): \(state)") }
        }
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
