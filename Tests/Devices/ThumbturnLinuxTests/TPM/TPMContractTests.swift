import Testing
import ThumbturnTestKit

@Suite("The contract of a device, on a TPM", .serialized, .enabled(if: SoftwareTPM.isThere))
struct TPMContractTests {
    @Test(arguments: DeviceContract.Clause.allCases)
    func `a TPM's store and anchor keep`(clause: DeviceContract.Clause) async throws {
        let contract = DeviceContract { try await TPMBench().contractDevice() }
        #expect(try await contract.check(clause) == clause.verdictOnLinux)
    }
}
