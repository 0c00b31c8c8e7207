import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnCredentials

/// Credentials whose device is gone, and the device that stands in for it.
@Suite struct CredentialLeavingTests {
    private let standIn = SimulatedDevice()

    @Test(.holds("A25")) func `a credential vault keeps what it noted until its credentials are removed`() async throws
    {
        let made = try await TestCredentials.make(in: .keychainSecured)
        let item = try #require(await made.vault.record?.item)
        let noted = ItemName(vault: .make(), purpose: .credential, unique: .make())
        try await made.vault.note(noted)
        await made.vault.close()
        let leaving = try await CredentialVault<Tokens>.open(
            named: CredentialName("tokens"),
            in: made.path,
            device: standIn.device,
            coding: .json,
            leavesDevice: true
        )
        #expect(try await leaving.ownItems == [item, noted])
        try await leaving.reset()
        #expect(try await leaving.ownItems.isEmpty)
    }
}

extension CredentialVault {
    fileprivate func note(_ item: ItemName) throws { try store.note(item) }
}
