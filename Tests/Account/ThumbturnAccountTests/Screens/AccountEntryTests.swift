import Synchronization
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

@MainActor @Suite("Entering an account, on its screen", .serialized, .timeLimit(.minutes(10)))
struct AccountEntryTests {
    private static let old = ScreenStage.old

    @Test(.holds("B-02", "F-107-02")) func `a registration ends in an open vault, with the finger that was agreed to`()
        async throws
    {
        let stage = try ScreenStage(AccountRoom())
        let (model, made) = try stage.entry()
        #expect(model.step == .way && model.capability == nil)
        model.choose(.register)
        #expect(model.step == .name)
        model.enterName("ada")
        #expect(model.step == .password && model.name == "ada")
        await model.type(Self.old)
        #expect(model.step == .repeated && !model.isUnusual && stage.room.wire.sent.isEmpty)
        await model.type(Self.old)
        #expect(model.step == .offer && model.error == nil && !model.existed && made.all.isEmpty)
        #expect(model.capability?.supported == true && model.policy?.strongFactor == .accountPassword)
        await model.answerOffer(BiometricConsent(ownerAgreedAt: model.clock()))
        #expect(model.step == .done && made.all.count == 1)
        let account = try #require(made.all.first)
        let snapshot = await account.vault.snapshot
        #expect(snapshot.state == .unlocked(.full) && snapshot.biometrics == .enabled)
    }

    @Test(.holds("B-02")) func `who skips has a vault without a finger`() async throws {
        let stage = try ScreenStage(AccountRoom())
        let (model, made) = try stage.entry()
        await model.register()
        await model.answerOffer(nil)
        #expect(model.step == .done)
        #expect(await made.all.first?.vault.snapshot.biometrics == .disabled)
    }

    @Test(.holds("B-09")) func `without a sensor nothing is offered`() async throws {
        let stage = try ScreenStage(AccountRoom())
        try stage.simulated.simulate(.sensor(.none))
        let (model, made) = try stage.entry()
        await model.register()
        #expect(model.step == .done && made.all.count == 1)
    }

    @Test func `a further device logs in, and a wrong password is told and asked for again`() async throws {
        let room = try AccountRoom()
        _ = try await TestDevice.make(in: room, Self.old, registering: true)
        let stage = try ScreenStage(room)
        let (model, made) = try stage.entry()
        model.language = .french
        await model.logIn("ada", ScreenStage.new)
        #expect(model.step == .password && model.error?.code == "ERR-107-040" && made.all.isEmpty)
        #expect(model.error?.message == "Impossible de vous authentifier.")
        await model.type(Self.old)
        #expect(model.step == .offer && model.error == nil)
        await model.answerOffer(nil)
        #expect(made.all.count == 1)
    }

    @Test func `a name that another owner has is asked for again`() async throws {
        let room = try AccountRoom()
        _ = try await TestDevice.make(in: room, Self.old, registering: true)
        let stage = try ScreenStage(room)
        let (model, made) = try stage.entry()
        await model.register("ada", ScreenStage.new)
        #expect(model.step == .name && model.error?.code == "ERR-TT-504" && made.all.isEmpty)
        model.enterName("ada.lovelace")
        await model.type(ScreenStage.new)
        await model.type(ScreenStage.new)
        #expect(model.step == .offer && model.name == "ada.lovelace")
    }

    @Test func `an account that its owner registers again is joined, and that is told`() async throws {
        let room = try AccountRoom()
        _ = try await TestDevice.make(in: room, Self.old, registering: true)
        let stage = try ScreenStage(room)
        let (model, _) = try stage.entry()
        await model.register()
        #expect(model.step == .offer && model.existed)
    }

    @Test func `a service that can't be reached is told, and the password asked for again`() async throws {
        let stage = try ScreenStage(AccountRoom())
        let (model, made) = try stage.entry()
        stage.room.wire.through { _, _ throws(TransportFailure) in throw .unreachable }
        await model.register()
        #expect(model.step == .password && model.error?.code == "ERR-TT-501" && made.all.isEmpty)
        stage.room.wire.through(nil)
        await model.type(Self.old)
        await model.type(Self.old)
        #expect(model.step == .offer)
    }

    @Test(
        .holds("A59"),
        arguments: [
            ("short1", "ERR-TT-305"), ("12345678901", "ERR-TT-305"), ("password", "ERR-TT-304"),
            ("a\u{1}bcdefgh", "ERR-TT-307"),
        ]
    )
    func `a weak password is refused before it is repeated or sent, in words without a PIN`(
        password: String,
        code: String
    ) async throws {
        let stage = try ScreenStage(AccountRoom())
        let (model, _) = try stage.entry()
        model.choose(.register)
        model.enterName("ada")
        await model.type(password)
        #expect(model.step == .password && model.error?.code == code)
        #expect(model.error?.message.contains("PIN") == false && model.error?.hint.contains("PIN") == false)
        #expect(stage.room.wire.sent.isEmpty)
    }

    @Test func `two passwords that differ begin again with the first`() async throws {
        let stage = try ScreenStage(AccountRoom())
        let (model, _) = try stage.entry()
        model.choose(.register)
        model.enterName("ada")
        await model.type(Self.old)
        await model.type(ScreenStage.new)
        #expect(model.step == .password && model.error?.code == "ERR-TT-306" && stage.room.wire.sent.isEmpty)
        // The first one is forgotten: it counts no more as a repetition.
        await model.type(ScreenStage.new)
        #expect(model.step == .repeated && model.error == nil)
    }

    @Test func `letters beside ASCII are pointed out`() async throws {
        let stage = try ScreenStage(AccountRoom())
        let (model, _) = try stage.entry()
        model.choose(.register)
        model.enterName("ada")
        await model.type("cheval pâle 41")
        #expect(model.step == .repeated && model.isUnusual)
    }

    @Test(arguments: [
        (" Ada ", "ada"), ("ADA+1@Example.ORG", "ada+1@example.org"), ("a b", nil), ("", nil), ("É", nil),
        ("\u{212A}", nil),
    ])
    func `a name is read as a keyboard writes it`(typed: String, name: String?) throws {
        let stage = try ScreenStage(AccountRoom())
        let (model, _) = try stage.entry()
        model.choose(.logIn)
        model.enterName(typed)
        #expect(model.step == (name == nil ? .name : .password) && model.name == name ?? "")
        #expect(model.error?.code == (name == nil ? "ERR-TT-505" : nil))
    }

    @Test func `a wait that the service asks for is counted down, and nothing is sent before its end`()
        async throws
    {
        let room = try AccountRoom()
        _ = try await TestDevice.make(in: room, Self.old, registering: true)
        let slept = Mutex<[Milliseconds]>([])
        let gate = CallGate()
        let stage = try ScreenStage(room)
        let (model, _) = try stage.entry { span in
            slept.withLock { $0.append(span) }
            await gate.pass()
        }
        room.wire.through { _, _ throws(TransportFailure) in .problem(429, "WAIT", retryAfter: 2) }
        await model.logIn()
        #expect(model.error?.code == "ERR-TT-102" && model.wait == Countdown(.seconds(2)))
        room.wire.through(nil)
        let sent = room.wire.sent.count
        await model.type(Self.old)
        #expect(room.wire.sent.count == sent && model.step == .password)
        gate.open()
        await until { model.wait == nil }
        #expect(model.error == nil && slept.withLock { $0.reduce(.zero, +) } == .seconds(2))
        await model.type(Self.old)
        #expect(model.step == .offer)
    }

    @Test func `each step leads back, and forgets what was typed`() async throws {
        let stage = try ScreenStage(AccountRoom())
        let (model, _) = try stage.entry()
        model.choose(.register)
        model.enterName("ada")
        await model.type(Self.old)
        model.back()
        #expect(model.step == .password)
        await model.type(ScreenStage.new)
        await model.type(Self.old)
        #expect(model.error?.code == "ERR-TT-306")
        model.back()
        #expect(model.step == .name)
        model.back()
        #expect(model.step == .way && model.error == nil)
    }

    @Test(.holds("F-107-02")) func `an answer after the minute asks for the password again`() async throws {
        let stage = try ScreenStage(AccountRoom())
        let (model, made) = try stage.entry()
        await model.register()
        try stage.simulated.simulate(.advance(.seconds(61)))
        let consent = BiometricConsent(ownerAgreedAt: stage.simulated.device.clock())
        await model.answerOffer(consent)
        #expect(model.step == .offerPassword && model.error?.code == "ERR-TT-105" && made.all.isEmpty)
        await model.type(ScreenStage.new)
        #expect(model.step == .offerPassword && model.error?.code == "ERR-107-010" && made.all.isEmpty)
        await model.type(Self.old)
        #expect(model.step == .done)
        #expect(await made.all.first?.vault.snapshot.biometrics == .enabled)
    }

    @Test(.holds("ERR-107-020")) func `a finger that can't be kept may be skipped`() async throws {
        let stage = try ScreenStage(AccountRoom())
        let (model, made) = try stage.entry()
        await model.register()
        try stage.simulated.simulate(.fault(.saveFails))
        await model.answerOffer(BiometricConsent(ownerAgreedAt: stage.simulated.device.clock()))
        #expect(model.step == .offerPassword && model.error?.code == "ERR-107-020")
        model.back()
        await model.answerOffer(nil)
        #expect(model.step == .done && made.all.count == 1)
    }

    @Test(.holds("A37")) func `the background forgets a password, and skips the offer`() async throws {
        let stage = try ScreenStage(AccountRoom())
        let (model, made) = try stage.entry()
        model.choose(.register)
        model.enterName("ada")
        await model.type(Self.old)
        model.appBecame(.inactive)
        #expect(model.step == .repeated)
        model.appBecame(.background)
        #expect(model.step == .password)
        await model.type(Self.old)
        await model.type(Self.old)
        #expect(model.step == .offer && made.all.isEmpty)
        model.appBecame(.background)
        #expect(model.step == .done && made.all.count == 1)
    }

    @Test(.holds("A36")) func `a lock during the offer hands the vault over locked`() async throws {
        let stage = try ScreenStage(AccountRoom())
        let (model, made) = try stage.entry()
        await model.register()
        let vault = try #require(Self.vault(of: model))
        await vault.lock()
        await until { model.step == .done }
        #expect(made.all.count == 1)
    }

    /// The vault that the model has not handed over yet.
    private static func vault(of model: AccountEntryModel) -> Vault? {
        Mirror(reflecting: model).children.first { $0.label == "made" }.flatMap { ($0.value as? AccountVault)?.vault }
    }

    @Test func `a screen that goes in mid-call ends the call, and says nothing of it`() async throws {
        let (stage, gate) = (try ScreenStage(AccountRoom()), CallGate())
        let (model, made) = try stage.entry(GatedEntry(gate))
        let call = Task { await model.logIn() }
        await until { gate.entered == 1 }
        #expect(model.isBusy)
        model.cancel()
        await call.value
        #expect(gate.isCancelled && !model.isBusy && model.error == nil && made.all.isEmpty)
        #expect(model.step == .password)
    }

    @Test func `a vault that was made for a screen that has gone is closed, and found at the next start`() async throws
    {
        let (stage, gate) = (try ScreenStage(AccountRoom()), CallGate())
        let (model, made) = try stage.entry(GatedEntry(gate, before: try stage.setup()))
        let call = Task { await model.register() }
        await until { gate.entered == 1 }
        model.cancel()
        gate.open()
        await call.value
        #expect(made.all.isEmpty && model.step == .password && model.error == nil)
        guard case .vault(let found) = try await stage.setup().find() else {
            Issue.record("the vault is gone")
            return
        }
        try await found.unlock(with: SecretBytes(text: Self.old))
    }

    @Test(.holds("B-10")) func `nothing that was typed is in the model`() async throws {
        let stage = try ScreenStage(AccountRoom())
        let (model, _) = try stage.entry()
        model.choose(.register)
        model.enterName("ada")
        await model.type(Self.old)
        func keeps() -> Bool { Mirror(reflecting: model).descendant("chosen", "some") != nil }
        let typing = everything(in: model)
        #expect(keeps())
        await model.type(Self.old)
        #expect(!keeps() && !typing.contains(Self.old) && !everything(in: model).contains(Self.old))
    }

    @Test func `a preview shows any step, and refuses`() async {
        for step in AccountEntryFields.Step.allCases {
            let model = AccountEntryModel(showing: .init(step: step, way: .logIn, name: "ada"))
            #expect(model.step == step)
            await model.type(Self.old)
            #expect(!model.isBusy)
        }
    }
}

/// Holds each entry, and then refuses it or hands it on.
private struct GatedEntry: AccountEntryVaults {
    private let gate: CallGate
    private let vaults: AccountSetup?

    init(_ gate: CallGate, before vaults: AccountSetup? = nil) { (self.gate, self.vaults) = (gate, vaults) }

    func register(_ name: String, password: borrowing SecretBytes) async throws(VaultError) -> AccountVault.Enrolled {
        await gate.pass(heedsCancel: vaults == nil)
        guard let vaults else { throw VaultError(.serviceUnreachable) }
        return try await vaults.register(name, password: password)
    }

    func logIn(_ name: String, password: borrowing SecretBytes) async throws(VaultError) -> AccountVault.Enrolled {
        await gate.pass(heedsCancel: vaults == nil)
        guard let vaults else { throw VaultError(.serviceUnreachable) }
        return try await vaults.logIn(name, password: password)
    }
}
