import CBridge
import Testing
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnBridge

@Suite("The contract of a device, over the C header")
struct BridgedDeviceContractTests {
    /// A simulated device behind C functions, seen again through the bridge: each call crosses the header twice.
    @Test(.holds("A25", "A26", "A28", "A31", "A32"), arguments: DeviceContract.Clause.allCases)
    func `a host's device keeps`(clause: DeviceContract.Clause) async throws {
        let host = try HostSide(kind: "simulated", assurance: "simulated")
        let contract = DeviceContract {
            #expect(host.open() == TT_OK)
            #expect(await host.perform("app", "start") == HostSide.done)
            let line = try #require(VaultTable.shared[host.handle]).line
            let simulated = host.simulated
            return ContractDevice(
                device: try await BridgedDevice.device(on: line),
                tells: [.biometryChanged, .protectedDataLeaving, .becameActive],
                simulate: { event in
                    try simulated.simulate(event)
                    return true
                },
                promptsShown: { simulated.promptsShown }
            )
        }
        let verdict = try await contract.check(clause)
        await host.close()
        #expect(verdict == .kept)
        #expect(host.told.tooLate == 0)
    }
}
