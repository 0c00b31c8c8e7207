import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit
import ThumbturnUI

@testable import ThumbturnAccount
@testable import ThumbturnAccountUI

extension PasswordChangeModel {
    fileprivate func type(_ text: String) async { await enter(SecretBytes(text: text)) }
}

@MainActor @Suite("Changing an account's password, on its screen", .serialized, .timeLimit(.minutes(10)))
struct PasswordChangeTests {
    private static let (old, new) = (ScreenStage.old, ScreenStage.new)

    private func make() async throws -> (room: AccountRoom, device: TestDevice, model: PasswordChangeModel) {
        let room = try AccountRoom()
        let device = try await TestDevice.make(in: room, Self.old, registering: true)
        return (room, device, PasswordChangeModel(device.account))
    }

    @Test(.holds("F-107-09")) func `the present password, and a new one twice, change it`() async throws {
        let (_, device, model) = try await make()
        try await device.enableBiometrics(Self.old)
        await model.type(Self.old)
        #expect(model.step == .new)
        await model.type(Self.new)
        #expect(model.step == .repeated)
        await model.type(Self.new)
        #expect(model.step == .done && model.error == nil && !model.isUncertain)
        #expect(await device.vault.snapshot.biometrics != .enabled)
        #expect(await refusedHere { try await device.unlock(Self.old) } == .strongFactorRefused)
        try await device.unlock(Self.new)
        model.startAgain()
        #expect(model.step == .present)
    }

    @Test func `a wrong present password is told before a new one is asked for`() async throws {
        let (_, _, model) = try await make()
        await model.type(Self.new)
        #expect(model.step == .present && model.error?.code == "ERR-107-040" && !model.isUncertain)
    }

    @Test(.holds("A59")) func `a new password that is the same, weak or mistyped is not sent`() async throws {
        let (room, _, model) = try await make()
        await model.type(Self.old)
        let sent = room.wire.sent.count
        await model.type(Self.old)
        #expect(model.step == .new && model.isSame && model.error == nil)
        await model.type("short1")
        #expect(model.step == .new && !model.isSame && model.error?.code == "ERR-TT-305")
        await model.type(Self.new)
        await model.type(Self.old)
        #expect(model.step == .new && model.error?.code == "ERR-TT-306")
        #expect(room.wire.sent.count == sent)
    }

    @Test func `a lost answer leaves it open which password counts, and a lost login does not`() async throws {
        let (room, _, model) = try await make()
        room.wire.through { _, _ throws(TransportFailure) in throw .unreachable }
        await model.type(Self.old)
        #expect(model.step == .present && model.error?.code == "ERR-TT-501" && !model.isUncertain)
        room.wire.through(nil)
        await model.type(Self.old)
        await model.type(Self.new)
        room.wire.through { _, _ throws(TransportFailure) in throw .lost }
        await model.type(Self.new)
        #expect(model.step == .present && model.error?.code == "ERR-TT-501" && model.isUncertain)
        // The next login tells.
        room.wire.through(nil)
        await model.type(Self.old)
        #expect(model.step == .new && !model.isUncertain)
    }

    @Test(.holds("A36", "A37"), arguments: [true, false])
    func `a cover and a lock forget what was typed`(isCover: Bool) async throws {
        let (_, device, model) = try await make()
        await until { model.snapshot != nil }
        await model.type(Self.old)
        await model.type(Self.new)
        #expect(model.step == .repeated && everything(in: model).contains("HeldSecret"))
        if isCover { await device.vault.cover() } else { await device.vault.lock() }
        await until { model.step == .present }
        #expect(!everything(in: model).contains("HeldSecret"))
    }

    @Test func `a screen that goes in mid-call ends the call and forgets`() async throws {
        let gate = CallGate()
        let model = PasswordChangeModel(GatedAccount(gate))
        let call = Task { await model.type(Self.old) }
        await until { gate.entered == 1 }
        model.cancel()
        await call.value
        #expect(gate.isCancelled && !model.isBusy && model.error == nil && model.step == .present)
        #expect(!everything(in: model).contains("HeldSecret"))
    }
}

extension AccountDevicesModel {
    fileprivate func type(_ text: String) async { await enter(SecretBytes(text: text)) }
}

@MainActor @Suite("The devices of an account, on their screen", .serialized, .timeLimit(.minutes(10)))
struct AccountDevicesScreenTests {
    private static let old = ScreenStage.old

    private func make() async throws -> (first: TestDevice, second: TestDevice, model: AccountDevicesModel) {
        let room = try AccountRoom()
        let first = try await TestDevice.make(in: room, Self.old, registering: true)
        let second = try await TestDevice.make(in: room, Self.old, registering: false)
        return (first, second, AccountDevicesModel(second.account))
    }

    @Test func `the password lists them, this one first`() async throws {
        let (_, second, model) = try await make()
        #expect(model.step == .password && model.devices.isEmpty)
        await model.type(ScreenStage.new)
        #expect(model.step == .password && model.error?.code == "ERR-107-040")
        await model.type(Self.old)
        #expect(model.step == .list && model.devices.map(\.isThis) == [true, false])
        #expect(model.devices.first?.id == (await second.vault.account?.device.text))
        #expect(model.devices.allSatisfy { $0.day?.count == 10 && $0.name == "Linux" && $0.title == "Linux" })
    }

    @Test(.holds("F-107-09")) func `the password revokes another, and lists what is left`() async throws {
        let (first, _, model) = try await make()
        await model.type(Self.old)
        let lost = try #require(model.devices.last)
        model.askToRevoke(lost.id)
        #expect(model.step == .revocation(lost))
        await model.type(ScreenStage.new)
        #expect(model.step == .revocation(lost) && model.error?.code == "ERR-107-040" && model.revoked == nil)
        await model.type(Self.old)
        #expect(model.step == .list && model.revoked == lost && model.devices.map(\.isThis) == [true])
        #expect(await refusedHere { try await first.account.contact() } == .securityEventMissing)
    }

    @Test func `this device and an unknown one can't be revoked, and a change of mind revokes none`() async throws {
        let (_, _, model) = try await make()
        await model.type(Self.old)
        model.askToRevoke(try #require(model.devices.first).id)
        #expect(model.step == .list)
        model.askToRevoke("00")
        #expect(model.step == .list)
        model.askToRevoke(try #require(model.devices.last).id)
        model.back()
        #expect(model.step == .list && model.devices.count == 2)
    }

    @Test(.holds("A36")) func `a lock forgets the list`() async throws {
        let (_, second, model) = try await make()
        await model.type(Self.old)
        await second.vault.lock()
        await until { model.step == .password }
        #expect(model.devices.isEmpty)
    }

    @Test func `a screen that goes in mid-call ends the call and forgets`() async throws {
        let gate = CallGate()
        let model = AccountDevicesModel(GatedAccount(gate))
        let call = Task { await model.type(Self.old) }
        await until { gate.entered == 1 }
        model.cancel()
        await call.value
        #expect(gate.isCancelled && !model.isBusy && model.error == nil && model.step == .password)
    }
}

@MainActor @Suite("The line about the account's log", .serialized, .timeLimit(.minutes(10)))
struct DeliveryLineTests {
    @Test(.holds("F-107-10")) func `events wait until the log has them`() async throws {
        let (room, log) = (try AccountRoom(), try TestLog(AccountRoom.origin))
        room.keep(log)
        let device = try await TestDevice.make(in: room, ScreenStage.old, registering: true)
        let model = DeliveryModel(device.account)
        await until { model.isShown }
        #expect(model.count > 0 && model.lastSent == nil && model.obstacle == nil && model.maySend)
        await model.send()
        #expect(model.count == 0 && model.lastSent?.count == 16 && !model.maySend && model.error == nil)
    }

    @Test(.holds("ERR-107-090")) func `a service that can't be reached loses nothing`() async throws {
        let (room, log) = (try AccountRoom(), try TestLog(AccountRoom.origin))
        room.keep(log)
        let device = try await TestDevice.make(in: room, ScreenStage.old, registering: true)
        let model = DeliveryModel(device.account)
        model.language = .french
        await until { model.isShown }
        let waiting = model.count
        room.keep(log) { _, _ throws(TransportFailure) in throw .unreachable }
        await model.send()
        #expect(model.count == waiting && model.maySend)
        #expect(model.error?.message == "Connexion limitée. Action enregistrée localement.")
    }

    @Test func `a log that no login told of is asked for by a login`() async throws {
        let device = try await TestDevice.make(in: AccountRoom(), ScreenStage.old, registering: true)
        let model = DeliveryModel(device.account)
        await until { model.isShown }
        #expect(model.obstacle == .needsLogin && !model.maySend)
    }

    @Test(
        arguments: [
            (nil, 3, true), (.refused, 3, true), (.needsLogin, 3, false), (.contradicted, 3, false), (nil, 0, false),
        ] as [(DeliveryFields.Obstacle?, UInt64, Bool)]
    )
    func `only what may help is offered`(obstacle: DeliveryFields.Obstacle?, count: UInt64, maySend: Bool) {
        let waiting = DeliveryFields.Waiting(
            count: count,
            lastSent: Milliseconds(1_764_511_500_000),
            obstacle: obstacle
        )
        let fields = DeliveryFields(waiting, AccountSurroundings())
        #expect(fields.maySend == maySend && fields.isShown && fields.lastSent == "2025-11-30 14:05")
        #expect(!DeliveryFields(nil, AccountSurroundings()).isShown)
    }
}

/// Holds each call, and then refuses it.
private struct GatedAccount: PasswordChangeVault, AccountDevicesVault {
    let gate: CallGate
    let now = ClockReading(wall: .zero, boottime: .zero, bootID: .unnamedBoot(0))

    init(_ gate: CallGate) { self.gate = gate }

    func snapshots() async -> AsyncStream<VaultSnapshot> {
        AsyncStream { $0.yield(VaultSnapshot(state: .unlocked(.full), policy: .pd107)) }
    }

    func unlock(with secret: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization {
        await gate.pass()
        throw VaultError(.serviceUnreachable)
    }

    func changePassword(
        from former: borrowing SecretBytes,
        to password: borrowing SecretBytes
    ) async throws(VaultError) -> StrongAuthorization {
        await gate.pass()
        throw VaultError(.serviceUnreachable)
    }

    func devices(_ password: borrowing SecretBytes) async throws(VaultError) -> [AccountVault.ListedDevice] {
        await gate.pass()
        throw VaultError(.serviceUnreachable)
    }

    func revoke(_ text: String, _ password: borrowing SecretBytes) async throws(VaultError) -> String {
        await gate.pass()
        throw VaultError(.serviceUnreachable)
    }
}
