import Testing
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSQLite
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnCredentials

/// Faults that are no reason to refuse a call, and that a log hears of.
@Suite struct CredentialToleranceTests {
    private let log = EventLog()

    private func reopened(_ made: TestCredentials) async throws -> CredentialVault<Tokens> {
        await made.vault.close()
        return try await CredentialVault.open(
            named: CredentialName("tokens"),
            in: made.path,
            device: made.device,
            tolerated: { [log] in log.tolerate($0) }
        )
    }

    @Test func `a key that could not be deleted is told and counted, and goes at the next look`() async throws {
        let made = try await TestCredentials.make(in: .keychainSecured)
        let vault = try await reopened(made)
        #expect(log.tolerated.isEmpty)
        try made.simulated.simulate(.fault(.deleteFails))
        try await vault.reset()
        #expect(await vault.snapshot.leftBehind == 1)
        #expect(log.tolerated == [.storageUnavailable])
        #expect(try await vault.refresh().leftBehind == 0)
        #expect(log.tolerated.count == 1)
    }

    @Test func `a look that fails after a failed call is told, and the call's own reason is thrown`() async throws {
        let made = try await TestCredentials.make()
        let vault = try await reopened(made)
        let file = made.path + "/" + CredentialStore.fileName
        made.simulated.interceptor = { call in
            guard case .save = call else { return .proceed }
            let database = try Database(opening: file, format: CredentialStore.format)
            defer { database.close() }
            try database.run("INSERT INTO credential VALUES ('tokens', 'no item', 77, 77, x'00')")
            throw DeviceRefusal.unavailable
        }
        #expect(await refusal { try await vault.enableKeychainVault(saving: .sample) } == .credentialsNotStored)
        #expect(log.tolerated == [.vaultDamaged])
    }
}
