import Testing
import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnAccount

@Suite("The devices of an account") struct AccountDeviceTests {
    private static let password = AccountClientTests.old

    /// A device with its key.
    private final class Device: Sendable {
        let id = Identifier.make()
        let key: P256PrivateKey

        init() throws { key = try .make() }

        func contact(
            _ client: AccountClient,
            _ login: borrowing AccountLogin,
            _ service: String = AccountRoom.origin,
            at time: Milliseconds
        ) async throws -> ContactAnswer {
            try await client.contact(
                from: id,
                to: service,
                at: time,
                provedBy: login.session.contactKey()
            ) { message throws(VaultError) in
                do throws(CryptoError) { return try self.key.sign(message) } catch {
                    throw VaultError(.storageUnavailable)
                }
            }
        }
    }

    @Test(.holds("A50")) func `one that is listed hears the epoch by its signature alone, each contact once`()
        async throws
    {
        let room = try AccountRoom()
        let client = try room.client()
        _ = try await client.register(Self.password)
        let login = try await client.login(Self.password)
        let device = try Device()
        let listedAt = room.now
        #expect(try await client.addDevice(login.session, device.id, publicKey: device.key.publicKey) == listedAt)
        room.advance(.seconds(1))
        #expect(try await client.addDevice(login.session, device.id, publicKey: device.key.publicKey) == listedAt)
        let state = try await client.account(login.session)
        #expect(state.devices == [AccountState.Device(id: device.id, createdAt: listedAt)])
        let first = try await device.contact(client, login, at: Milliseconds(-1))
        #expect(first == ContactAnswer(policyEpoch: 0, passwordChangedAt: listedAt, serverTime: room.now))
        #expect(room.wire.sent.last?.token == nil)
        #expect(try await client.change(login, to: AccountClientTests.new) == 1)
        #expect(try await device.contact(client, login, at: room.now).policyEpoch == 1)
        let nonces = room.wire.sent.filter { $0.path.hasSuffix("/contact") }.compactMap { $0.json["nonce"]?.text }
        #expect(Set(nonces).count == 2)
    }

    @Test func `one that was revoked, or whose account was closed, hears that`() async throws {
        let room = try AccountRoom()
        let client = try room.client()
        _ = try await client.register(Self.password)
        let login = try await client.login(Self.password)
        let (one, two) = (try Device(), try Device())
        for device in [one, two] {
            _ = try await client.addDevice(login.session, device.id, publicKey: device.key.publicKey)
        }
        for _ in 0..<2 { try await client.revokeDevice(login.session, one.id) }
        await failing(.deviceRevoked) { _ = try await one.contact(client, login, at: room.now) }
        await failing(.deviceTaken) {
            _ = try await client.addDevice(login.session, one.id, publicKey: one.key.publicKey)
        }
        await failing(.deviceNotListed) { try await client.revokeDevice(login.session, .make()) }
        #expect(try await client.account(login.session).devices.map(\.id) == [two.id])
        try await client.closeAccount(login.session)
        await failing(.deviceUnknown) { _ = try await two.contact(client, login, at: room.now) }
        #expect(VaultError(AccountFailure.deviceRevoked).code == .securityEventMissing)
    }

    @Test func `the hundred and first finds no room`() async throws {
        let room = try AccountRoom()
        let client = try room.client()
        _ = try await client.register(Self.password)
        let login = try await client.login(Self.password)
        let device = try Device()
        for _ in 0..<100 { _ = try await client.addDevice(login.session, .make(), publicKey: device.key.publicKey) }
        await failing(.deviceLimit) {
            _ = try await client.addDevice(login.session, .make(), publicKey: device.key.publicKey)
        }
        #expect(try await client.account(login.session).devices.count == 100)
    }

    @Test func `what was signed for one service is worth nothing at another`() async throws {
        let room = try AccountRoom()
        let client = try room.client()
        _ = try await client.register(Self.password)
        let login = try await client.login(Self.password)
        let device = try Device()
        _ = try await client.addDevice(login.session, device.id, publicKey: device.key.publicKey)
        await failing(.notProved) {
            _ = try await device.contact(client, login, "https://accounts.example.com", at: room.now)
        }
        _ = try await device.contact(client, login, at: room.now)
    }

    @Test func `where the device would not sign nothing is sent`() async throws {
        let room = try AccountRoom()
        let client = try room.client()
        await failing(.notSigned(VaultError(.storageUnavailable))) {
            _ = try await client.contact(
                from: .make(),
                to: AccountRoom.origin,
                at: room.now,
                provedBy: SecretBytes.random(byteCount: 32)
            ) { _ throws(VaultError) in
                throw VaultError(.storageUnavailable)
            }
        }
        #expect(room.wire.sent.isEmpty)
        #expect(VaultError(AccountFailure.notSigned(VaultError(.storageUnavailable))).code == .storageUnavailable)
    }
}
