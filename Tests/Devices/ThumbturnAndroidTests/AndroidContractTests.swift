import Testing
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

/// All that needs the phone, one after the other.
@Suite(.serialized) enum OnThePhone {}

extension OnThePhone {
    @Suite("The contract of a device, over Java and C")
    struct AndroidContractTests {
        @Test(
            .holds("A25", "A26", "A28", "A31", "A32", "A33", "C2", "C14", "B-11"),
            // A prompt that should have ended would be waited for.
            .timeLimit(.minutes(1)),
            arguments: Phone.levels,
            DeviceContract.Clause.allCases
        )
        func `Android keeps`(level: Int, clause: DeviceContract.Clause) async throws {
            let app = try await PhoneApp(level: level)
            let contract = DeviceContract { app.contractDevice(for: clause) }
            let verdict = try await contract.check(clause)
            try await app.close()
            #expect(verdict == clause.verdictOnAndroid)
            if let undecided = clause.undecidedOnAndroid {
                print("undecided: \(level) \(clause): \(undecided.step)")
            } else {
                print("kept: \(level) \(clause)")
            }
        }
    }
}

extension DeviceContract.Clause {
    /// What a phone alone can show, and the step of docs/android.md that asks for it.
    var undecidedOnAndroid: (event: SimulatedEvent, step: String)? {
        switch self {
        // `canAuthenticate` does not tell a lockout: a prompt meets it first.
        case .capabilityHasReasons, .passcodeProvesOwner: (.lockout, "R7")
        default: nil
        }
    }

    fileprivate var verdictOnAndroid: DeviceContract.Verdict {
        undecidedOnAndroid.map { .undecided($0.event) } ?? .kept
    }
}

extension PhoneApp {
    func contractDevice(for clause: DeviceContract.Clause) -> ContractDevice {
        ContractDevice(
            device: device,
            tells: [.protectedDataLeaving, .becameActive],
            outlivesReinstall: false,
            simulate: { event in
                if event == clause.undecidedOnAndroid?.event { return false }
                return try self.simulate(event)
            },
            promptsShown: { (try? Phone.call("prompts")).flatMap { Int($0) } ?? -1 }
        )
    }
}
