import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnUI

@MainActor @Suite("A wallet's words in the model", .waitsEnd)
struct WordsModelTests {
    private static let words = "legal winner thank year wave sausage worth useful legal winner thank yellow"

    @Test(.holds("K-05")) func `the PIN shows the words in their order, and three are asked back`() async throws {
        let made = try await TestVault.make()
        let model = try await screen(of: made)
        #expect(model.step == .secret && model.wordCount == 0)
        await enter(TestVault.pin, into: model)
        #expect(model.step == .words && model.error == nil && shown(by: model) == Self.words)
        #expect(made.log.kinds.contains(.walletExported))
        model.wordsAreWritten()
        #expect(model.step == .question && model.wordCount == 0 && model.place == 2 && model.questionsLeft == 3)
        model.answer(SecretBytes(text: "winner"))
        #expect(model.place == 5)
        model.answer(SecretBytes(text: " WAVE "))
        #expect(model.place == 11 && model.questionsLeft == 1)
        model.answer(SecretBytes(text: "thank"))
        #expect(model.step == .done && model.place == nil)
    }

    @Test func `a wrong word says which place, and can be typed again`() async throws {
        let model = try await asking(try await TestVault.make())
        for wrong in ["legal", "", "winner thank", "winne", "winnerr"] {
            model.answer(SecretBytes(text: wrong))
            #expect(model.wrongPlace == 2 && model.place == 2 && model.questionsLeft == 3)
        }
        model.answer(SecretBytes(text: "winner"))
        #expect(model.wrongPlace == nil && model.place == 5)
    }

    @Test func `a wrong PIN shows nothing`() async throws {
        let made = try await TestVault.make()
        let model = try await screen(of: made)
        await enter("730000", into: model)
        #expect(model.error?.errorCode == .strongFactorRefused && model.step == .secret && model.wordCount == 0)
        #expect(!made.log.kinds.contains(.walletExported))
        model.wordsAreWritten()
        model.answer(SecretBytes(text: "winner"))
        #expect(model.step == .secret)
    }

    @Test func `a wallet without words says so`() async throws {
        let made = try await TestVault.make()
        let wallet = try await made.add("Bytes")
        let model = WordsModel(made.vault, wallet: wallet.id)
        await until { !model.loading }
        await enter(TestVault.pin, into: model)
        #expect(model.error?.errorCode == .mnemonicLengthWrong && model.step == .secret)
    }

    @Test(.holds("A36", "A37", "P-107-04"), arguments: 0..<3, [false, true])
    func `a cover, a lock or leaving wipes what is shown and what is asked`(way: Int, isAsked: Bool) async throws {
        let made = try await TestVault.make()
        let model = isAsked ? try await asking(made) : try await showing(made)
        model.pin.type("71")
        switch way {
        case 0: await made.vault.cover()
        case 1: await made.vault.lock()
        default: model.cancel()
        }
        await until { model.step == .secret }
        #expect(model.wordCount == 0 && model.withWord(at: 1) { _ in true } == nil && model.pin.count == 0)
        model.answer(SecretBytes(text: "winner"))
        #expect(model.step == .secret && model.wrongPlace == nil)
    }

    @Test(.holds("A36", "A37", "A61"), arguments: 0..<3)
    func `a cover, a lock or leaving while the PIN is proved keeps the words off the screen`(way: Int) async throws {
        let meanwhile = Meanwhile()
        let made = try await TestVault.make(on: meanwhile.simulated, seenAs: meanwhile.device)
        let model = try await screen(of: made)
        let round = model.round
        meanwhile.set {
            switch way {
            case 0: await made.vault.cover()
            case 1: await made.vault.lock()
            default: await model.cancel()
            }
            await hasEnded(model, after: round)
        }
        await enter(TestVault.pin, into: model)
        #expect(meanwhile.count > 0 && model.step == .secret && model.wordCount == 0)
        #expect(model.error == nil && !model.fields.loading)
    }

    @Test(.holds("P-107-04")) func `nothing is lent while the screen is recorded`() async throws {
        let model = try await showing(try await TestVault.make())
        model.isCaptured = true
        #expect(model.isHidden && model.withWord(at: 1) { _ in true } == nil)
        model.isCaptured = false
        #expect(!model.isHidden && shown(by: model) == Self.words)
    }

    @Test(.holds("B-10", "P-107-04")) func `no word is in what the model shows or remembers`() async throws {
        let model = try await showing(try await TestVault.make())
        model.pin.type(TestVault.pin)
        for _ in 0..<2 {
            let seen = everything(in: model)
            for word in ["sausage", "winner"] { #expect(!reveals(seen, word)) }
            #expect(!reveals(seen, TestVault.pin) && seen.contains("WordsFields"))
            model.wordsAreWritten()
        }
    }

    @Test(.holds("S-06")) func `in system mode the device's own prompt shows them`() async throws {
        let made = try await TestVault.make()
        let model = try await screen(of: made)
        try await made.turnSystemModeOn()
        await until { model.asksSystem }
        try made.simulated.simulate(.finger(.passcode))
        await model.enterBySystem()
        #expect(model.step == .words && shown(by: model) == Self.words)
    }

    @Test func `the places that nobody names are different ones, in order`() {
        var random = SeededGenerator(seed: 37)
        var drawn: Set<[Int]> = []
        for _ in 0..<100 {
            let places = WordsFields.drawPlaces(of: 12, using: &random)
            #expect(places.count == 3 && Set(places).count == 3 && places == places.sorted())
            #expect(places.allSatisfy { (1...12).contains($0) })
            drawn.insert(places)
        }
        #expect(drawn.count > 20)
        #expect(WordsFields.drawPlaces(of: 0, using: &random).isEmpty)
        #expect(WordsFields.drawPlaces(of: 2, using: &random) == [1, 2])
    }

    private func hasEnded(_ model: WordsModel, after round: Int) async {
        while model.round == round { await Task.yield() }
    }

    private func shown(by model: WordsModel) -> String {
        (0..<model.wordCount).compactMap { model.withWord(at: $0 + 1) { $0.exposedText } }.joined(separator: " ")
    }

    private func enter(_ pin: String, into model: WordsModel) async {
        model.pin.type(pin)
        await model.submitPIN()
    }

    private func screen(of made: TestVault) async throws -> WordsModel {
        let secret = WalletSecret.mnemonic(SecretBytes(text: Self.words))
        let wallet = try await made.vault.addWallet(named: WalletName("Savings"), secret)
        let model = WordsModel(made.vault, wallet: wallet.id, secret: .pin(length: 6)) { _ in [2, 5, 11] }
        await until { !model.loading }
        return model
    }

    private func showing(_ made: TestVault) async throws -> WordsModel {
        let model = try await screen(of: made)
        await enter(TestVault.pin, into: model)
        #expect(model.step == .words)
        return model
    }

    private func asking(_ made: TestVault) async throws -> WordsModel {
        let model = try await showing(made)
        model.wordsAreWritten()
        return model
    }
}

extension TestVault {
    /// Makes a recovery key, and lets the device's own prompt open the vault.
    func turnSystemModeOn() async throws {
        _ = try await makeRecoveryKey()
        guard let offer = SystemModeFlag.open.offer(to: "anybody") else { return }
        let consent = SystemModeConsent(to: .enabling, ownerAgreedAt: device.clock())
        try await vault.enableSystemAuthentication(offer, consent, try await strong())
    }
}
