import Foundation
import Testing
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnLinux

extension OnTheStack {
    /// The contract on the device that an app gets, with nothing scripted but the person.
    @Suite("The contract of a device, on a whole Linux machine", .enabled(if: SoftwareTPM.isThere))
    struct LinuxContractTests {
        @Test(arguments: TestMachine.Kind.allCases, DeviceContract.Clause.allCases)
        func `a Linux machine keeps`(kind: TestMachine.Kind, clause: DeviceContract.Clause) async throws {
            let contract = DeviceContract { try await TestMachine(kind).contractDevice() }
            #expect(try await contract.check(clause) == clause.verdictOnMachine)
        }
    }
}

extension DeviceContract.Clause {
    /// The verdict on a whole machine: a reader's first mismatch ends its prompt, so nobody dismisses one after it.
    fileprivate var verdictOnMachine: DeviceContract.Verdict {
        self == .mismatchBeforeCancelShows ? .undecided(.finger(.mismatchThenCancel)) : verdictOnLinux
    }
}

extension TestMachine {
    /// The machine under the contract.
    func contractDevice() async throws -> ContractDevice {
        let latest = LatestDevice(try await device())
        return ContractDevice(
            device: latest.device,
            offers: [.deviceOnly, .currentBiometrySet],
            simulate: { event in
                switch event {
                case .finger(.mismatchThenCancel): return false
                case .finger(let touch): self.touch(touch)
                case .enroll: try await self.enrol()
                case .unenroll: try await self.unenrol()
                case .lockDevice:
                    self.tpm.kill()
                    try self.setModeOfItems(0o755)
                case .unlockDevice:
                    try self.setModeOfItems(0o700)
                    try self.tpm.start()
                case .reinstall:
                    try FileManager.default.removeItem(atPath: self.folder.file("device/installation"))
                case .restoreElsewhere:
                    try self.tpm.replaceState(by: [:])
                    try self.renameMachine()
                    try self.startBoot()
                    try await self.unenrol()
                    try await self.enrol()
                    latest.become(try await self.device())
                // No passcode, no lockout, no clock that a test may set; what follows from the others needs one of these.
                case .passcode, .passcodeOn, .passcodeOff, .lockout, .advance, .sleep, .clock, .fault, .reboot, .sensor,
                    .permissionDenied, .permissionGranted, .background, .foreground:
                    return false
                }
                // Who is enrolled is what the last look at the readers has shown: a vault looks before each turn that wants a finger.
                _ = await latest.device.prompt.capability()
                return true
            },
            promptsShown: { await self.promptsShown() }
        )
    }
}
