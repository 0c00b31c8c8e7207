public import ThumbturnCrypto
public import ThumbturnRules

/// Shows a wallet's words once, and asks three of them back (K-05).
///
/// The owner's secret comes first: an open session may be a finger's. The words are in locked memory while they are
/// shown, and afterwards only the three that are asked for; all of them are wiped when the screen is left, covered or
/// locked. The members of `fields` are also members of the model.
@MainActor
public final class WordsModel: OwnerScreenModel<WordsFields> {
    private let vault: any WordsVault
    private let wallet: Identifier
    private let drawPlaces: (Int) -> [Int]
    private var around = WordsFields.Surroundings()
    private var words: HeldWords?
    private var asked: [(place: Int, word: HeldSecret)] = []

    /// Starts to follow a vault.
    ///
    /// - Parameters:
    ///   - vault: the `Vault` with the wallet.
    ///   - wallet: the wallet whose words are shown; one of a mnemonic.
    ///   - secret: the kind of secret that the owner types.
    public convenience init(
        _ vault: any WordsVault,
        wallet: Identifier,
        secret: SecretKind = .pin(length: 6)
    ) {
        self.init(vault, wallet: wallet, secret: secret) { count in
            var random = SystemRandomNumberGenerator()
            return WordsFields.drawPlaces(of: count, using: &random)
        }
    }

    /// As above.
    ///
    /// - Parameter places: draws the places that are asked for, from 1, out of so many words.
    package init(
        _ vault: any WordsVault,
        wallet: Identifier,
        secret: SecretKind,
        places: @escaping (Int) -> [Int]
    ) {
        self.vault = vault
        self.wallet = wallet
        drawPlaces = places
        super.init(WordsFields(nil, around), secret: secret)
        follow(vault)
    }

    /// Shows these words, for a preview.
    package func hold(_ fields: WordsFields, words text: borrowing SecretBytes) {
        words = HeldWords(text.copy())
        hold(fields)
    }

    override func described() -> WordsFields {
        around.language = language
        around.isBusy = isCalling
        around.refusal = refusal
        around.isCaptured = isCaptured
        around.places = asked.map(\.place)
        return WordsFields(snapshot, around)
    }

    override func wipe() {
        words = nil
        asked = []
        around.wrongPlace = nil
    }

    override func rewind(isLeft: Bool) { if isLeft || around.step != .done { around.step = .secret } }
}

extension WordsModel {
    /// Proves the typed PIN or password, and shows the words.
    public func enter(_ secret: borrowing SecretBytes) async {
        await showWords(by: .secret(HeldSecret(secret.copy())))
    }

    /// Proves the owner by the device's own prompt, in system mode, and shows the words.
    public func enterBySystem() async { await showWords(by: .system(systemPrompt)) }

    /// Submits the typed PIN, and wipes it.
    public func submitPIN() async {
        let typed = pin.take()
        await enter(typed)
    }

    /// How many words are shown; 0 while none is.
    public var wordCount: Int { words?.count ?? 0 }

    /// Lends the word at a place, from 1, as ASCII; nil while none is shown.
    public func withWord<Result>(at place: Int, _ body: (RawSpan) throws -> Result) rethrows -> Result? {
        guard !fields.isHidden else { return nil }
        return try words?.withWord(at: place, body)
    }

    /// Takes the words, which the owner has written down, off the screen, and asks three of them back.
    public func wordsAreWritten() {
        guard around.step == .words, let words else { return }
        asked = drawPlaces(words.count).compactMap { place in
            words.withWord(at: place) { (place, HeldSecret(SecretBytes(copying: $0))) }
        }
        self.words = nil
        around.step = asked.isEmpty ? .done : .question
        show()
    }

    /// Compares a typed word with the one that is asked for; a wrong one can be typed again.
    public func answer(_ typed: borrowing SecretBytes) {
        guard around.step == .question, let first = asked.first else { return }
        guard first.word.bytes.isWord(typed) else {
            around.wrongPlace = first.place
            return show()
        }
        around.wrongPlace = nil
        asked.removeFirst()
        if asked.isEmpty { around.step = .done }
        show()
    }

    private func showWords(by proof: OwnerProof) async {
        guard around.step == .secret else { return }
        await proceed { isCurrent throws(VaultError) in
            let authorization = try await vault.authorize(by: proof)
            guard isCurrent() else { return }
            let text = try await vault.exportWords(of: wallet, authorization)
            // A cover or a lock may have come first (A36, A37).
            guard isCurrent() else { return }
            words = HeldWords(text)
            around.step = .words
        }
    }
}
