import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto

// Shows a wallet's secret on a terminal that wipes it, or writes it to a new file or the clipboard.
extension Context {
    /// How long the clipboard keeps a secret.
    private static let clipboardSpan = Milliseconds(45_000)

    /// Shows the words of a new wallet, then asks for some of them; after a mistake shows them again, up to twice.
    func confirm(_ mnemonic: HeldSecret, of count: Int, named name: String) async throws {
        let lines = mnemonic.bytes.withBytes { SecretText.numbered($0, width: output.width) }
        let mistyped = Words("That is another word: look again.", "Ce n'est pas ce mot : regardez encore.")
        let isTypedBack = try await show(Self.newWords, lines, mistyped) { try areTypedBack(mnemonic, of: count) }
        guard isTypedBack else { throw notConfirmed(name) }
    }

    /// Shows a new secret until Enter, then asks for it back; after a mistake shows it again with the reason, up to
    /// twice.
    ///
    /// - Parameter typeBack: returns whether the secret was typed correctly; `nil` ends the attempts.
    /// - Returns: whether it was typed correctly in the end.
    func show(
        _ title: Words,
        _ lines: borrowing SecretBytes,
        _ mistyped: Words,
        typeBack: () async throws -> Bool?
    ) async throws -> Bool {
        var shown = title
        for _ in 0..<Tries.most {
            try secrets.show(shown, lines, until: Self.enterWhenWritten)
            guard let isTypedBack = try await typeBack() else { return false }
            if isTypedBack { return true }
            shown = mistyped + Words("\n\n") + title
        }
        return false
    }

    /// Asks for three of the words, in ascending order.
    private func areTypedBack(_ mnemonic: HeldSecret, of count: Int) throws -> Bool {
        for number in (1...count).shuffled().prefix(3).sorted() {
            guard let typed = try secrets.readIfPresent(.word(number, tooLong: .confirmationDiffers)) else {
                return false
            }
            let word = mnemonic.bytes.withBytes { SecretText.word(number, of: $0) }
            guard SecretBytes.constantTimeEqual(word, typed.withBytes(SecretText.plainWord)) else { return false }
        }
        return true
    }

    private func notConfirmed(_ name: String) -> Failure {
        Failure(
            .confirmationDiffers,
            statement: Words(
                "The wallet is in the vault, but its words were not typed back.",
                "Le portefeuille est dans le coffre, mais ses mots n'ont pas été retapés."
            ),
            hint: Words(
                "`thumbturn wallet export \(Shell.operand(name))` shows them again",
                "`thumbturn wallet export \(Shell.operand(name))` les affiche de nouveau"
            )
        )
    }

    private static let newWords = Words(
        "These words are the wallet: anyone who reads them has its coins. Write them down on paper, in this order. Take no photo, "
            + "and don't type them anywhere else.",
        "Ces mots sont le portefeuille : qui les lit en a les fonds. Notez-les sur papier, dans cet ordre. Ne les photographiez "
            + "pas, et ne les tapez nulle part ailleurs."
    )
    static let enterWhenWritten = Words("Press Enter once it is written down", "Appuyez sur Entrée une fois noté")

    /// Shows an exported secret until Enter; prints opaque bytes instead, because they may be very long.
    func showSecret(ofWallet text: String, from source: WalletSource) async throws {
        let (wallet, secret, reading) = try await take(text, from: source)
        let name = wallet.name.text
        let title = Words("Anyone who reads this has the coins of \(name).", "Qui lit ceci a les fonds de \(name).")
        let enter = Words("Press Enter to wipe it", "Appuyez sur Entrée pour l'effacer")
        switch wallet.kind {
        case .mnemonic:
            let lines = secret.bytes.withBytes { SecretText.numbered($0, width: output.width) }
            try secrets.show(title, lines, until: enter)
        case .privateKey:
            let lines = secret.bytes.withBytes { SecretText.lines(of: $0, width: output.width) }
            try secrets.show(title, lines, until: enter)
        default:
            try secret.bytes.withBytes { bytes throws(Failure) in
                try output.write(bytes, isRaw: false, isText: false)
            }
        }
        try reading.requireLog()
    }

    /// Copies a secret to the clipboard, and waits until it is cleared.
    func copyWallet(_ text: String, from source: WalletSource) async throws {
        // Check before asking for anything.
        guard let clipboard = Clipboard.find() else { throw Self.noClipboard }
        let (_, secret, reading) = try await take(text, from: source)
        // Nothing more is asked, and Control-C now clears the clipboard.
        Terminal.leave()
        let end = try clipboard.hold(secret.bytes, for: Self.clipboardSpan) {
            output.note(
                Words("on the clipboard for ", "dans le presse-papiers pendant ") + .span(Self.clipboardSpan)
                    + Words("; Control-C clears it at once", " ; Ctrl-C le vide aussitôt")
            )
        }
        guard end != .replaced else {
            output.note(Words("something else was copied meanwhile", "autre chose a été copié entre-temps"))
            return try reading.requireLog()
        }
        output.note(Words("the clipboard is cleared", "le presse-papiers est vidé"))
        if case .interrupted(let number) = end { Terminal.endProcess(by: number) }
        try reading.requireLog()
    }

    private static let noClipboard = Failure(
        .storageUnavailable,
        statement: Words("There is no clipboard here.", "Il n'y a pas de presse-papiers ici."),
        hint: Words(
            "install wl-clipboard, xclip or xsel, and run this in your desktop session; or name a file with --output",
            "installez wl-clipboard, xclip ou xsel, et lancez ceci dans votre session de bureau ; ou nommez un fichier avec"
                + " --output"
        )
    )

    /// Writes the output of `body` to a new file.
    func write(to path: String, _ body: (Context) async throws -> Void) async throws {
        let file = try SecretFile(path)
        var failure: Failure?
        do {
            do { try await body(leading(to: file)) } catch {
                var cause = Failure(error)
                // If the command skips what does not open, the file contains what did.
                let isPartial = cause.isPrinted && !file.isEmpty
                cause.isPrinted = false
                guard isPartial else { throw cause }
                failure = cause
            }
            try file.finish()
        } catch {
            file.remove()
            throw error
        }
        let written = Words("Written: \(path)", "Écrit : \(path)")
        guard var failure else { return try output.print(written, json: ["output": .string(path)]) }
        // The catalogued hint would say that nothing was changed.
        if failure.code.recovery == .correctInput || failure.code.recovery == .mendEnvironment {
            failure.hint = failure.hint ?? Self.restIsWritten
        }
        try output.print(written, json: ["output": .string(path), "error": output.json(of: failure)])
        failure.isPrinted = true
        throw failure
    }

    private static let restIsWritten = Words(
        "the others are in the file; `thumbturn wallet list` lists all of them",
        "les autres sont dans le fichier ; `thumbturn wallet list` les liste tous"
    )

    private func leading(to file: SecretFile) -> Context {
        Context(
            options: options,
            environment: environment,
            output: output.leading(to: file),
            advice: advice,
            secrets: secrets
        )
    }

    /// Exports a secret in a copy that outlives the vault, for showing or pasting.
    private func take(_ text: String, from source: WalletSource) async throws -> (WalletSummary, HeldSecret, Reading) {
        let taken = TakenSecret()
        let reading = try await export([text], from: source, choosing: { [try $0.wallet(named: text)] }, taken.take)
        guard let wallet = taken.wallet, let secret = taken.secret else { throw Failure(.walletMissing) }
        return (wallet, secret, reading)
    }
}

/// A copy of a lent secret, for showing.
final class TakenSecret: @unchecked Sendable {
    // Safe to send: one call stores the secret, and it is read after that call has ended.
    private(set) var wallet: WalletSummary?
    private(set) var secret: HeldSecret?

    func take(_ secret: RawSpan) { self.secret = HeldSecret(SecretBytes(copying: secret)) }

    func take(_ wallet: WalletSummary, _ secret: RawSpan) {
        self.wallet = wallet
        take(secret)
    }
}
