import Foundation
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnJSON
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit
import ThumbturnUI

@testable import ThumbturnAccount
@testable import ThumbturnAccountUI

extension ScreenStage {
    /// The screens of an app that was just started.
    @MainActor fileprivate func screens(at address: String = AccountRoom.origin) -> AccountScreensModel {
        AccountScreensModel { try self.setup(at: address) }
    }

    /// The screens of an app whose owner has registered on this device.
    @MainActor fileprivate func registered() async throws -> AccountScreensModel {
        let screens = screens()
        await screens.start()
        let entry = try #require(screens.entry)
        await entry.register()
        await entry.answerOffer(BiometricConsent(ownerAgreedAt: simulated.device.clock()))
        return screens
    }
}

@MainActor @Suite("An account's screens together", .serialized, .timeLimit(.minutes(10)))
struct AccountScreensTests {
    private static let old = ScreenStage.old

    @Test(.holds("B-02", "P-107-03")) func `from nothing to the app's content, and at the next start to a lock screen`()
        async throws
    {
        let stage = try ScreenStage(AccountRoom())
        let screens = try await stage.registered()
        #expect(screens.screen == .vault && screens.entry == nil && !screens.isRemoved && !screens.isElsewhere)
        let lock = try #require(screens.lock)
        await until { lock.screen == .content }
        await screens.account?.vault.close()

        let again = stage.screens()
        #expect(again.screen == .opening)
        await again.start()
        #expect(again.screen == .vault && again.entry == nil)
        let locked = try #require(again.lock)
        await until { locked.screen == .secret }
        await locked.unlockWithPassword(SecretBytes(text: Self.old))
        await until { locked.screen == .content }
        // Once there, it is not looked for again.
        await again.start()
        #expect(again.lock === locked)
    }

    @Test(.holds("ERR-107-040")) func `the lock screen refuses a wrong password in words without a PIN`() async throws {
        let stage = try ScreenStage(AccountRoom())
        let screens = try await stage.registered()
        await screens.account?.vault.lock()
        let lock = try #require(screens.lock)
        await until { lock.screen == .secret }
        await lock.unlockWithPassword(SecretBytes(text: ScreenStage.new))
        #expect(lock.error?.code == "ERR-107-040" && lock.error?.hint.contains("PIN") == false)
    }

    @Test func `after a reset they begin again`() async throws {
        let stage = try ScreenStage(AccountRoom())
        let screens = try await stage.registered()
        let lock = try #require(screens.lock)
        await lock.reset(typed: ResetConfirmation.phrase)
        await until { lock.screen == .erased }
        await screens.startAgain()
        #expect(screens.screen == .entry && screens.lock == nil && screens.account == nil)
        await screens.entry?.logIn()
        await screens.entry?.answerOffer(nil)
        #expect(screens.screen == .vault)
    }

    @Test func `an app has them in thirty lines`() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../../../Sources/Screens/ThumbturnAccountUI/ThumbturnAccountUI.docc/ThumbturnAccountUI.md"
        )
        let sample = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```swift\n")[1]
            .components(separatedBy: "```")[0]
        #expect(sample.contains("AccountSetup(") && sample.contains("AccountScreens(screens)"))
        #expect((10...30).contains(sample.split(separator: "\n", omittingEmptySubsequences: false).count))
    }

    @Test func `what can't be read is told, and tried again`() async throws {
        struct Mistake: Error {}
        let stage = try ScreenStage(AccountRoom())
        let tries = Counter()
        let screens = AccountScreensModel {
            guard tries.next() > 1 else { throw Mistake() }
            return try stage.setup()
        }
        await screens.start()
        #expect(screens.screen == .failed && screens.error?.code == "ERR-TT-206" && screens.failure is Mistake)
        await screens.start()
        #expect(screens.screen == .entry && screens.error == nil && screens.failure == nil)
    }

    @Test func `a vault that is damaged is told as that`() async throws {
        let stage = try ScreenStage(AccountRoom())
        let screens = try await stage.registered()
        await screens.account?.vault.close()
        let file = URL(fileURLWithPath: stage.folder.file("vault") + "/vault.sqlite")
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: Array(repeating: 0x41, count: 100))
        try handle.close()
        let again = stage.screens()
        await again.start()
        #expect(again.screen == .failed && again.error?.code == "ERR-TT-204")
    }

    @Test(.holds("F-107-09")) func `a removed device says so, and its password opens no more`() async throws {
        let room = try AccountRoom()
        let first = try await TestDevice.make(in: room, Self.old, registering: true)
        let stage = try ScreenStage(room)
        let screens = stage.screens()
        await screens.start()
        let entry = try #require(screens.entry)
        await entry.logIn()
        await entry.answerOffer(BiometricConsent(ownerAgreedAt: stage.simulated.device.clock()))
        let account = try #require(screens.account)
        let id = try #require(await account.vault.account?.device.text)
        _ = try await first.account.revoke(id, SecretBytes(text: Self.old))
        await account.vault.lock()
        await account.returnToForeground()
        await until { screens.isRemoved }
        let lock = try #require(screens.lock)
        await until { lock.screen == .secret && lock.notice != nil }
        #expect(lock.notice?.code == "ERR-107-080")
        await lock.unlockWithPassword(SecretBytes(text: Self.old))
        #expect(lock.error?.code == "ERR-TT-506" && lock.error?.recovery == .useRecoveryKey)
    }
}

extension AccountMoveModel {
    fileprivate func type(_ text: String) async { await enter(SecretBytes(text: text)) }
}

@MainActor @Suite("A service that moved, on its screen", .serialized, .timeLimit(.minutes(10)))
struct AccountMoveScreenTests {
    private static let old = ScreenStage.old

    /// An app that asks the service at another address than its vault knows.
    private func make() async throws -> (stage: ScreenStage, screens: AccountScreensModel, move: AccountMoveModel) {
        let stage = try ScreenStage(AccountRoom())
        await (try await stage.registered()).account?.vault.close()
        let screens = stage.screens(at: ScreenStage.elsewhere)
        await screens.start()
        let move = try #require(screens.move)
        await until { !move.addresses.known.isEmpty }
        return (stage, screens, move)
    }

    @Test(.holds("A48")) func `its owner is asked, and follows it with the password`() async throws {
        let (stage, screens, move) = try await make()
        #expect(screens.screen == .move && move.step == .question)
        #expect(move.addresses == .init(known: AccountRoom.origin, asked: ScreenStage.elsewhere))
        let sent = stage.room.wire.sent.count
        await move.type(Self.old)
        #expect(stage.room.wire.sent.count == sent, "nothing is sent before the owner agrees")
        move.agree()
        await move.type(ScreenStage.new)
        #expect(move.step == .password && move.error?.code == "ERR-107-040" && screens.screen == .move)
        await move.type(Self.old)
        #expect(move.step == .done && screens.screen == .vault && screens.move == nil && !screens.isElsewhere)
        let account = try #require(screens.account)
        #expect(await account.vault.account?.service.address == ScreenStage.elsewhere)
        try await account.contact()
        let lock = try #require(screens.lock)
        await until { lock.screen == .content }
    }

    @Test(.holds("A48")) func `another service there is told, and changes nothing`() async throws {
        let (stage, screens, move) = try await make()
        stage.room.wire.answering("/v1/login/*") { $0.with("origin", "https://other.example.org") }
        move.agree()
        await move.type(Self.old)
        #expect(move.step == .question && screens.screen == .move)
        #expect(["ERR-TT-502", "ERR-TT-510"].contains(move.error?.code))
        #expect(await screens.account?.vault.account?.service.address == AccountRoom.origin)
    }

    @Test func `who does not follow opens the vault with a finger, and may be asked again`() async throws {
        let (stage, screens, _) = try await make()
        screens.stay()
        #expect(screens.screen == .vault && screens.isElsewhere)
        let lock = try #require(screens.lock)
        await until { lock.screen == .secret }
        await lock.unlockWithPassword(SecretBytes(text: Self.old))
        #expect(lock.error?.code == "ERR-TT-511")
        try stage.simulated.simulate(.finger(.match))
        await lock.unlockWithBiometric()
        await until { lock.screen == .content }
        screens.askAboutMove()
        #expect(screens.screen == .move && screens.lock == nil && !screens.isElsewhere)
        let move = try #require(screens.move)
        move.agree()
        move.back()
        #expect(move.step == .question)
        move.agree()
        await move.type(Self.old)
        #expect(screens.screen == .vault && !screens.isElsewhere)
    }

    @Test func `a screen that goes in mid-call ends the call`() async throws {
        let gate = CallGate()
        let model = AccountMoveModel(GatedMove(gate)) { _ in Issue.record("nothing has moved") }
        model.agree()
        let call = Task { await model.type(Self.old) }
        await until { gate.entered == 1 }
        model.cancel()
        await call.value
        #expect(gate.isCancelled && !model.isBusy && model.error == nil && model.step == .question)
    }
}

/// Holds the move, and then refuses it.
private struct GatedMove: AccountMoveVault {
    let gate: CallGate
    let now = ClockReading(wall: .zero, boottime: .zero, bootID: .unnamedBoot(0))

    init(_ gate: CallGate) { self.gate = gate }

    var addresses: AccountMoveFields.Addresses { .init(known: "https://a.example", asked: "https://b.example") }

    func snapshots() async -> AsyncStream<VaultSnapshot> { AsyncStream { $0.finish() } }

    func unlock(with secret: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization {
        throw VaultError(.locked)
    }

    func follow(with password: borrowing SecretBytes) async throws(VaultError) -> AccountVault {
        await gate.pass()
        throw VaultError(.serviceUnreachable)
    }
}
